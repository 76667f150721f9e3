/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean gmcp_task_location_is_url (const char *location);

char *gmcp_task_location_dup_display_name (const char *location);

G_END_DECLS
