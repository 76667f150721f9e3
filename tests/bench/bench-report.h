/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the benchmark programs measure and how they say it: one JSON object on a line. */

#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define BENCH_TEXT                                                                                 \
  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"               \
  "01234567890123456789"
/* What a client says of itself, in either era. */
#define BENCH_META                                                                                 \
  "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                         \
  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},"                 \
  "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define BENCH_INITIALIZE                                                                           \
  "\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"  \
  "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}"
#define BENCH_LARGE_BYTES   10000000
#define BENCH_IN_FLIGHT     64
#define BENCH_BALLAST_BYTES ((size_t) 1 << 30)

static inline double
bench_cpu_us (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What all threads of another process have taken of the processor, to a hundredth of a second. */
static inline double
bench_cpu_us_of (pid_t pid)
{
  char path[64], line[1024];
  unsigned long user = 0, system = 0;
  const char *fields;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  file = fopen (path, "r");
  if (file == NULL || fgets (line, sizeof line, file) == NULL)
    abort ();
  fclose (file);
  fields = strrchr (line, ')');
  if (fields == NULL
      || sscanf (fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system)
           != 2)
    abort ();
  return (double) (user + system) * 1e6 / (double) sysconf (_SC_CLK_TCK);
}

static inline double
bench_wall_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

/* A line of /proc/self/status, in KiB: "VmRSS", "VmHWM"… */
static inline long
bench_status_kib (const char *name)
{
  FILE *file = fopen ("/proc/self/status", "r");
  char line[256];
  size_t length = strlen (name);
  long value = -1;

  if (file == NULL)
    return -1;
  while (fgets (line, sizeof line, file) != NULL)
    {
      if (strncmp (line, name, length) == 0 && line[length] == ':')
        value = strtol (line + length + 1, NULL, 10);
    }
  fclose (file);
  return value;
}

/* A host of a gigabyte, every page of it touched. */
static inline void
bench_take_ballast (void)
{
  char *ballast = malloc (BENCH_BALLAST_BYTES);

  if (ballast == NULL)
    abort ();
  memset (ballast, 1, BENCH_BALLAST_BYTES);
  __asm__ volatile("" : : "r"(ballast) : "memory");
}

static inline void
bench_report (double calls, double cpu_us, double wall_us, long base_kib)
{
  printf ("{\"cpu_us\":%.3f,\"wall_us\":%.3f,\"rss_kib\":%ld,\"peak_kib\":%ld,\"base_kib\":%ld}\n",
          cpu_us / calls, wall_us / calls, bench_status_kib ("VmRSS"), bench_status_kib ("VmHWM"),
          base_kib);
}
