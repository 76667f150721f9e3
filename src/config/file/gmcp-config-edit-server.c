/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-contents-private.h"
#include "gmcp-config-edit-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

void
gmcp_config_edit_set_changed (const char *id, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” has been changed there meanwhile"), id);
}

/* One that can be read counts first. */
static const GmcpConfigOutcome *
find_outcome (GmcpConfigContents *contents, const char *id)
{
  const GmcpConfigOutcome *unreadable = NULL;

  for (guint i = 0; contents != NULL && i < contents->outcomes->len; i++)
    {
      const GmcpConfigOutcome *outcome = g_ptr_array_index (contents->outcomes, i);

      if (g_strcmp0 (outcome->id, id) != 0)
        continue;
      if (outcome->config != NULL)
        return outcome;
      unreadable = outcome;
    }
  return unreadable;
}

/* The properties in which two differ. Where they come from is none. */
static GStrv
list_differences (GmcpServerConfig *one, GmcpServerConfig *other)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    if (!gmcp_config_field_equal (&fields[i], one, other))
      g_strv_builder_add (names, fields[i].name);
  return g_strv_builder_end (names);
}

static gboolean
is_same (GmcpServerConfig *one, GmcpServerConfig *other)
{
  g_auto (GStrv) differences = list_differences (one, other);

  return *differences == NULL;
}

/* One without a title is called as its entry is. */
static GmcpServerConfig *
copy_titled (GmcpServerConfig *config, const char *name)
{
  GmcpServerConfig *copy = gmcp_server_config_copy (config);
  g_auto (GValue) title = G_VALUE_INIT;
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  gsize i = 0;

  while (!g_str_equal (fields[i].name, "title"))
    i++;
  g_value_init (&title, G_TYPE_STRING);
  gmcp_config_field_get_value (&fields[i], copy, &title);
  if (g_value_get_string (&title) == NULL)
    {
      g_value_set_string (&title, name);
      gmcp_config_field_set_value (&fields[i], copy, &title);
      gmcp_server_config_set_titled_by_name (copy, TRUE);
    }
  return copy;
}

char *
gmcp_config_edit_set_server (GmcpConfigFormat format,
                             const char *text,
                             gsize length,
                             const char *base_dir,
                             GmcpServerConfig *present,
                             GmcpServerConfig *wanted,
                             GError **error)
{
  const char *id = gmcp_server_config_get_id (present);
  g_autoptr (GmcpConfigContents) contents
    = gmcp_config_contents_read_all (text, length, format, NULL, base_dir, NULL, NULL);
  const GmcpConfigOutcome *outcome = find_outcome (contents, id);
  g_autoptr (GmcpServerConfig) titled = NULL;
  g_auto (GStrv) fields = NULL;
  GmcpConfigEdit edit;

  if (outcome == NULL || outcome->config == NULL || !is_same (outcome->config, present))
    {
      gmcp_config_edit_set_changed (id, error);
      return NULL;
    }
  titled = copy_titled (wanted, outcome->name);
  fields = list_differences (present, titled);
  if (*fields == NULL)
    return g_strndup (text, length);

  edit = (GmcpConfigEdit){ outcome->name, titled, (const char *const *) fields };
  return gmcp_config_edit (format, text, length, base_dir, &edit, 1, error);
}

char *
gmcp_config_edit_add_server (GmcpConfigFormat format,
                             const char *text,
                             gsize length,
                             const char *base_dir,
                             GmcpServerConfig *config,
                             GError **error)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GmcpServerConfig) titled = copy_titled (config, id);
  const GmcpConfigEdit edit = { id, titled, NULL };
  g_autoptr (GmcpConfigContents) contents
    = text != NULL
        ? gmcp_config_contents_read_all (text, length, format, NULL, base_dir, NULL, NULL)
        : NULL;

  if (find_outcome (contents, id) != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("There is a server “%s” in the file"), id);
      return NULL;
    }
  return gmcp_config_edit (format, text, length, base_dir, &edit, 1, error);
}
