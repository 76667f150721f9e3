/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

G_BEGIN_DECLS

/* In KiB; 0 where the system does not say. */
static inline guint64
memory_read_status (const char *field)
{
  g_autofree char *status = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  at = strstr (status, field);
  return at != NULL ? g_ascii_strtoull (at + strlen (field), NULL, 10) : 0;
}

/* From here on the peak of this process is counted anew; gives what it has now. */
static inline guint64
memory_reset_peak (void)
{
  int fd = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  if (fd < 0 || write (fd, "5", 1) != 1)
    g_test_message ("the peak of memory cannot be reset");
  if (fd >= 0)
    close (fd);
  return memory_read_status ("VmRSS:");
}

/* What looks after each access keeps memory of its own, and what was freed for a while. */
static inline gboolean
memory_is_watched (void)
{
#ifdef __SANITIZE_ADDRESS__
  return TRUE;
#else
  const char *preloaded = g_getenv ("LD_PRELOAD");

  return preloaded != NULL && strstr (preloaded, "vgpreload") != NULL;
#endif
}

static inline void
memory_assert_peak (guint64 before_kib, guint64 most_mib)
{
  guint64 peak = memory_read_status ("VmHWM:");

  g_test_message ("%" G_GUINT64_FORMAT " KiB before, %" G_GUINT64_FORMAT " KiB at most", before_kib,
                  peak);
  g_assert_cmpuint (peak, >, 0);
  if (!memory_is_watched ())
    g_assert_cmpuint (peak, <, before_kib + most_mib * 1024);
}

G_END_DECLS
