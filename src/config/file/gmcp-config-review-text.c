/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-review-text-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-text-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

/* Whether servers stand under a key at the top, which were shown as such. */
static gboolean
holds_servers (GmcpConfigContents *contents, const char *key)
{
  gsize length = strlen (key);

  for (guint i = 0; i < contents->outcomes->len; i++)
    {
      GmcpConfigOutcome *outcome = g_ptr_array_index (contents->outcomes, i);

      if (strncmp (outcome->path, key, length) == 0
          && (outcome->path[length] == '\0' || outcome->path[length] == '.'
              || outcome->path[length] == '['))
        return TRUE;
    }
  return FALSE;
}

/* Appends the rest of the file as it stands there, so that nothing that has an effect, or will have
 * one, is left out. */
static void
append_rest (GString *text, GmcpConfigContents *contents, GmcpConfigDocument *document)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (document->json));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *raw = NULL;
      g_autofree char *shown_name = NULL;
      g_autofree char *shown = NULL;

      if (holds_servers (contents, name))
        continue;
      raw = gmcp_json_value_dup_raw (value);
      shown_name = gmcp_dup_visible_word (name);
      shown = gmcp_dup_visible_text (raw);
      g_string_append_printf (text, "  %s: %s\n", shown_name, shown);
    }
}

char *
gmcp_config_review_describe (GmcpConfigContents *contents,
                             GmcpConfigDocument *document,
                             const char *folder)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < contents->servers->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (contents->servers, i);

      g_string_append_printf (text, "  %s\n", gmcp_server_config_get_id (config));
      gmcp_server_config_append_details (text, config, "    ", folder, TRUE);
    }
  if (gmcp_json_value_is_object (gmcp_json_doc_get_root (document->json)))
    append_rest (text, contents, document);
  return g_string_free (text, FALSE);
}
