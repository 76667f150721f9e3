/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-thread-check-private.h"

gboolean
gmcp_check_thread (gpointer object, GMainContext *context, const char *function)
{
  if (g_main_context_is_owner (context))
    return TRUE;

  if (g_main_context_acquire (context))
    {
      g_main_context_release (context);
      return TRUE;
    }

  g_critical ("%s: this %s belongs to the main context of another thread", function,
              G_OBJECT_TYPE_NAME (object));
  return FALSE;
}
