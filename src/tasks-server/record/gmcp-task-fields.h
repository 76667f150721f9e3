/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean gmcp_task_fields_take_title (const char *text, char **title, GError **error);

gboolean gmcp_task_fields_take_description (const char *text, char **description, GError **error);

gboolean gmcp_task_fields_take_due_date (const char *text, char **due_date, GError **error);

gboolean gmcp_task_fields_check_user (const char *user, GError **error);

G_END_DECLS
