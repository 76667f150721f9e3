/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-display-expand-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/config/source/gmcp-project.h>

static gboolean
has_pattern (GmcpServerConfig *config, const GmcpConfigField *field)
{
  GStrv words;

  if (!field->shown
      || (gmcp_server_config_is_titled_by_name (config) && g_str_equal (field->name, "title")))
    return FALSE;
  if (field->kind == GMCP_CONFIG_FIELD_STRING)
    return gmcp_config_is_pattern (G_STRUCT_MEMBER (char *, config, field->offset));

  words = G_STRUCT_MEMBER (GStrv, config, field->offset);
  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    {
      if (gmcp_config_is_pattern (words[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
fill_field (GmcpServerConfig *config,
            const GmcpConfigField *field,
            const char *workspace,
            GError **error)
{
  char **text = &G_STRUCT_MEMBER (char *, config, field->offset);
  char **end = text + 1;

  if (field->kind != GMCP_CONFIG_FIELD_STRING)
    {
      text = G_STRUCT_MEMBER (GStrv, config, field->offset);
      end = text + g_strv_length (text);
    }
  for (; text < end; text++)
    {
      char *filled = gmcp_config_variables_fill_plain (*text, workspace, error);

      if (filled == NULL)
        return FALSE;
      g_free (*text);
      *text = filled;
    }

  /* An empty text is none. */
  if (field->kind == GMCP_CONFIG_FIELD_STRING
      && *G_STRUCT_MEMBER (char *, config, field->offset) == '\0')
    gmcp_config_field_clear (field, config);
  return TRUE;
}

GmcpServerConfig *
gmcp_display_expand_config (GmcpServerConfig *config,
                            const char *workspace,
                            const char **property,
                            GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  g_autoptr (GmcpServerConfig) filled = NULL;

  if (gmcp_server_config_is_shown_filled (config))
    return g_object_ref (config);

  for (gsize i = 0; i < n_fields; i++)
    {
      if (!has_pattern (config, &fields[i]))
        continue;
      if (filled == NULL)
        filled = gmcp_server_config_copy (config);
      *property = fields[i].name;
      if (!fill_field (filled, &fields[i],
                       origin != NULL && origin->workspace != NULL ? origin->workspace : workspace,
                       error))
        return NULL;
    }
  if (filled == NULL)
    return g_object_ref (config);

  gmcp_server_config_set_shown_filled (filled);
  return g_steal_pointer (&filled);
}

/* What cannot be filled in stays as it is written: a rule of that kind is none, and a role with one allows
 * nothing. */
static char *
fill_text (const char *text, const char *workspace)
{
  g_autofree char *filled = gmcp_config_variables_fill_plain (text, workspace, NULL);

  return filled != NULL ? g_steal_pointer (&filled) : g_strdup (text);
}

/* Of servers as ids, which may be filled in with what their entries are called. */
static void
make_ids (GValue *value)
{
  g_auto (GStrv) names = g_value_dup_boxed (value);

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *name = names[i];

      names[i] = gmcp_config_make_id (name);
    }
  g_value_set_boxed (value, names);
}

/* FALSE where there is nothing in it to fill in. */
static gboolean
fill_value (GValue *value, const char *workspace)
{
  g_autoptr (GPtrArray) words = NULL;
  const char *const *texts;
  gboolean found = FALSE;

  if (G_VALUE_HOLDS_STRING (value))
    {
      if (!gmcp_config_is_pattern (g_value_get_string (value)))
        return FALSE;
      g_value_take_string (value, fill_text (g_value_get_string (value), workspace));
      return TRUE;
    }
  if (!G_VALUE_HOLDS (value, G_TYPE_STRV))
    return FALSE;

  texts = g_value_get_boxed (value);
  words = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      found = found || gmcp_config_is_pattern (texts[i]);
      g_ptr_array_add (words, fill_text (texts[i], workspace));
    }
  g_ptr_array_add (words, NULL);
  if (found)
    g_value_set_boxed (value, words->pdata);
  return found;
}

GObject *
gmcp_display_expand_object (GObject *object, const char *workspace)
{
  guint n_pspecs;
  g_autofree GParamSpec **pspecs
    = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_pspecs);
  g_autofree const char **names = g_new (const char *, n_pspecs);
  g_autofree GValue *values = g_new0 (GValue, n_pspecs);
  gboolean found = FALSE;
  GObject *filled = NULL;

  for (guint i = 0; i < n_pspecs; i++)
    {
      names[i] = pspecs[i]->name;
      g_value_init (&values[i], pspecs[i]->value_type);
      g_object_get_property (object, names[i], &values[i]);
      if (!g_str_equal (names[i], "name") && !g_str_equal (names[i], "id"))
        found = fill_value (&values[i], workspace) || found;
      if (found && GMCP_IS_PROJECT (object) && g_str_equal (names[i], "server-ids"))
        make_ids (&values[i]);
    }
  if (found)
    filled = g_object_new_with_properties (G_OBJECT_TYPE (object), n_pspecs, names, values);

  for (guint i = 0; i < n_pspecs; i++)
    g_value_unset (&values[i]);
  return filled;
}

GStrv
gmcp_display_expand_texts (const char *const *texts, const char *workspace)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRV);
  g_value_set_boxed (&value, texts);
  fill_value (&value, workspace);
  return g_value_dup_boxed (&value);
}
