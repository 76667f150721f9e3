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
