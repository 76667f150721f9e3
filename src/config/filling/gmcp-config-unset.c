/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-unset-private.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"

/* As JSON is spelled: of a configuration that a program has made. */
static char *
make_path (const GmcpConfigField *field, const char *const *words, gsize i)
{
  g_autofree char *name = gmcp_config_key_to_camel (field->name);

  if (field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT)
    return g_strdup_printf ("env.%.*s", (int) strcspn (words[i], "="), words[i]);
  if (field->kind == GMCP_CONFIG_FIELD_HEADERS)
    return g_strdup_printf ("headers.%s", words[i - i % 2]);
  if (words == NULL)
    return g_steal_pointer (&name);
  if (!g_str_equal (field->name, "argv"))
    return g_strdup_printf ("%s[%u]", name, (guint) i);
  return i == 0 ? g_strdup ("command") : g_strdup_printf ("args[%u]", (guint) i - 1);
}

static GmcpConfigPlace *
find_place (GmcpServerConfig *config,
            const GmcpConfigField *field,
            const char *const *words,
            gsize i)
{
  GmcpConfigPlaces *places = gmcp_server_config_get_places (config);
  g_autofree char *path = NULL;

  if (places == NULL)
    {
      path = make_path (field, words, i);
      return gmcp_config_place_new (NULL, 0, path);
    }
  if (words == NULL)
    return gmcp_config_places_find (places, field->name);
  if (field->kind == GMCP_CONFIG_FIELD_HEADERS)
    return gmcp_config_places_find_element (places, field->name, words[i - i % 2]);
  if (field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT)
    {
      g_autofree char *name = g_strndup (words[i], strcspn (words[i], "="));

      return gmcp_config_places_find_element (places, field->name, name);
    }
  return gmcp_config_places_find_word (places, field->name, (guint) i);
}

char *
gmcp_config_describe_place (GmcpServerConfig *config,
                            const GmcpConfigField *field,
                            const char *const *words,
                            gsize i)
{
  g_autoptr (GmcpConfigPlace) place = find_place (config, field, words, i);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  g_autofree char *file = place->file != NULL ? g_strdup (place->file) : NULL;

  if (file == NULL && origin != NULL && origin->file != NULL)
    file = g_filename_display_name (origin->file);
  if (file == NULL)
    return g_strdup (place->key_path);
  if (place->line == 0)
    return g_strdup_printf ("%s: %s", file, place->key_path);
  return g_strdup_printf ("%s:%u: %s", file, place->line, place->key_path);
}

typedef struct
{
  GPtrArray *unset; /* names */
} Search;

/* Nothing is filled in here: what matters is what would be missing. */
static char *
note_unset (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Search *search = data;

  if (variable->kind == GMCP_CONFIG_VARIABLE_ENVIRONMENT && variable->fallback == NULL
      && g_getenv (variable->name) == NULL
      && !g_ptr_array_find_with_equal_func (search->unset, variable->name, g_str_equal, NULL))
    g_ptr_array_add (search->unset, g_strdup (variable->name));
  return g_strdup ("");
}

static void
check_text (GmcpServerConfig *config,
            const GmcpConfigField *field,
            const char *const *words,
            gsize i,
            const char *text,
            GPtrArray *findings)
{
  g_autoptr (GPtrArray) unset = g_ptr_array_new_with_free_func (g_free);
  Search search = { unset };

  if (text == NULL || strstr (text, "${") == NULL)
    return;

  g_free (gmcp_config_variables_fill (text, note_unset, &search, NULL));
  for (guint k = 0; k < unset->len; k++)
    {
      const char *name = g_ptr_array_index (unset, k);
      g_autoptr (GmcpConfigPlace) place = find_place (config, field, words, i);
      g_autofree char *message = g_strdup_printf (
        _ ("the variable %s is not set in the environment, so that this server cannot be started; "
           "set it, or write what holds without it: ${%s:-…}"),
        name, name);

      g_ptr_array_add (findings,
                       gmcp_config_finding_new_for_name (GMCP_NOTICE_LEVEL_WARNING, place->file,
                                                         place->line, place->key_path, message));
    }
}

/* What is shown has been filled in when it was read, and what could not be was told of. */
void
gmcp_config_add_unset (GmcpServerConfig *config, GPtrArray *findings)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  if (!gmcp_server_config_is_enabled (config) || gmcp_server_config_is_expanded (config))
    return;

  for (gsize i = 0; i < n_fields; i++)
    {
      const char *const *words = NULL;

      if (fields[i].shown || g_str_equal (fields[i].name, "id"))
        continue;
      if (fields[i].kind == GMCP_CONFIG_FIELD_STRING)
        check_text (config, &fields[i], NULL, 0, G_STRUCT_MEMBER (char *, config, fields[i].offset),
                    findings);
      if (fields[i].kind == GMCP_CONFIG_FIELD_WORDS
          || fields[i].kind == GMCP_CONFIG_FIELD_ENVIRONMENT
          || fields[i].kind == GMCP_CONFIG_FIELD_HEADERS)
        words = G_STRUCT_MEMBER (const char *const *, config, fields[i].offset);
      for (gsize k = 0; words != NULL && words[k] != NULL; k++)
        check_text (config, &fields[i], words, k, words[k], findings);
    }
}
