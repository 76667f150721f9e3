/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-expand-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-server-config-private.h"

static gboolean
has_pattern (GmcpServerConfig *config, const GmcpConfigField *field)
{
  GStrv words;

  if (!field->shown || (config->title_is_name && g_str_equal (field->name, "title")))
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
gmcp_config_fill_shown (GmcpServerConfig *config,
                        const char *workspace,
                        const char **property,
                        GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  g_autoptr (GmcpServerConfig) filled = NULL;

  if (config->shown_filled)
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

  filled->shown_filled = TRUE;
  return g_steal_pointer (&filled);
}
