/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-config-text-private.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-origin-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-redactor-config-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

/* A command longer than this is cut where it is shown. */
#define MAX_SHOWN_BYTES 1000

/* What is shown also where it is not said, where somebody trusts a file that others write. */
static const char *const always[] = { "inherit-environment", "cwd", "trusted", "sandbox", NULL };

typedef struct
{
  GString *text;
  const char *indent;
  GmcpServerConfig *config;
  gboolean with_values;
  const char *folder; /* where it runs without a cwd; NULL to say nothing of that */
  GPtrArray *sent;    /* what references stand for, in words */
} Writing;

static void
append_line (Writing *writing, const char *key, const char *value)
{
  g_autofree char *shown_key = gmcp_dup_visible_word (key);

  g_string_append_printf (writing->text, "%s%s: %s\n", writing->indent, shown_key, value);
}

/* An argument is told from its neighbours, and from nothing. */
static void
append_word (Writing *writing, const char *key, const char *word)
{
  g_autofree char *shown = gmcp_dup_shell_word (word);

  append_line (writing, key, shown);
}

static void
add_sent (Writing *writing, char *words)
{
  if (g_ptr_array_find_with_equal_func (writing->sent, words, g_str_equal, NULL))
    g_free (words);
  else
    g_ptr_array_add (writing->sent, words);
}

/* Notes what is asked for, and gives nothing. */
static char *
note_reference (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Writing *writing = data;
  g_autofree char *name = gmcp_dup_visible_word (variable->name);

  switch (variable->kind)
    {
    case GMCP_CONFIG_VARIABLE_SECRET:
      add_sent (writing, g_strdup_printf (_ ("the secret %s of your keyring"), name));
      break;
    case GMCP_CONFIG_VARIABLE_ENVIRONMENT:
      add_sent (writing, g_strdup_printf (_ ("the variable %s of your environment"), name));
      break;
    case GMCP_CONFIG_VARIABLE_INPUT:
      add_sent (writing, g_strdup_printf (_ ("what you are asked for as %s"), name));
      break;
    case GMCP_CONFIG_VARIABLE_WORKSPACE:
    case GMCP_CONFIG_VARIABLE_WORKSPACE_NAME:
    case GMCP_CONFIG_VARIABLE_HOME:
    case GMCP_CONFIG_VARIABLE_SEPARATOR:
    case GMCP_CONFIG_VARIABLE_UNKNOWN:
    default:
      break;
    }
  return g_strdup ("");
}

static void
note_references (Writing *writing, const char *text)
{
  g_free (gmcp_config_variables_fill (text, note_reference, writing, NULL));
}

static void
append_argv (Writing *writing, GStrv words)
{
  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_autofree char *key
        = i == 0 ? g_strdup ("command") : g_strdup_printf ("args[%u]", (guint) i - 1);

      append_word (writing, key, words[i]);
      note_references (writing, words[i]);
    }
}

static void
append_words (Writing *writing, const char *key, GStrv words)
{
  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_autofree char *place = g_strdup_printf ("%s[%u]", key, (guint) i);

      append_word (writing, place, words[i]);
      note_references (writing, words[i]);
    }
}

/* Appends a variable of the environment or a header. */
static void
append_named (Writing *writing, const char *map, const char *name, gsize length, const char *value)
{
  g_autofree char *key = g_strdup_printf ("%s.%.*s", map, (int) length, name);

  if (writing->with_values)
    append_word (writing, key, value);
  else
    append_line (writing, key, "…");
  note_references (writing, value);
}

static void
append_string (Writing *writing, const char *name, const char *key, const char *value)
{
  if (value == NULL && g_str_equal (name, "cwd") && writing->folder != NULL)
    append_word (writing, key, writing->folder);
  if (value == NULL)
    return;

  append_word (writing, key, value);
  note_references (writing, value);
}

static void
append_enum (Writing *writing, const char *key, const GValue *value)
{
  GEnumClass *klass = g_type_class_peek (G_VALUE_TYPE (value));

  append_line (writing, key, g_enum_get_value (klass, g_value_get_enum (value))->value_nick);
}

static void
append_field (Writing *writing, const GmcpConfigField *field, const GValue *value)
{
  g_autofree char *key = gmcp_config_key_to_camel (field->name);
  GStrv words = G_VALUE_HOLDS (value, G_TYPE_STRV) ? g_value_get_boxed (value) : NULL;

  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      append_string (writing, field->name, key, g_value_get_string (value));
      break;
    case GMCP_CONFIG_FIELD_FLAG:
      append_line (writing, key, g_value_get_boolean (value) ? "true" : "false");
      break;
    case GMCP_CONFIG_FIELD_NUMBER:
      g_string_append_printf (writing->text, "%s%s: %u\n", writing->indent, key,
                              g_value_get_uint (value));
      break;
    case GMCP_CONFIG_FIELD_ENUM:
      append_enum (writing, key, value);
      break;
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
      for (gsize i = 0; words != NULL && words[i] != NULL; i++)
        append_named (writing, "env", words[i], strcspn (words[i], "="),
                      strchr (words[i], '=') + 1);
      break;
    case GMCP_CONFIG_FIELD_HEADERS:
      for (gsize i = 0; words != NULL && words[i] != NULL; i += 2)
        append_named (writing, "headers", words[i], strlen (words[i]), words[i + 1]);
      break;
    case GMCP_CONFIG_FIELD_WORDS:
    default:
      if (g_str_equal (field->name, "argv"))
        append_argv (writing, words);
      else
        append_words (writing, key, words);
    }
}

/* A title that only repeats what the server is called says nothing. */
static gboolean
is_titled_by_id (GmcpServerConfig *config)
{
  return g_strcmp0 (gmcp_server_config_get_title (config), gmcp_server_config_get_id (config)) == 0;
}

/* Whether a field is printed: those that are not as by default, and where the folder is told a few of a process. */
static gboolean
shows_field (Writing *writing, const GmcpConfigField *field, GmcpServerConfig *defaults)
{
  gboolean process
    = gmcp_server_config_get_transport (writing->config) == GMCP_SERVER_TRANSPORT_STDIO;

  if (g_str_equal (field->name, "id") || g_str_equal (field->name, "transport"))
    return FALSE;
  if (g_str_equal (field->name, "title") && is_titled_by_id (writing->config))
    return FALSE;
  if (writing->folder != NULL && g_strv_contains (always, field->name)
      && (process || g_str_equal (field->name, "trusted")))
    return TRUE;
  return !gmcp_config_field_equal (field, defaults, writing->config);
}

void
gmcp_server_config_append_details (GString *text,
                                   GmcpServerConfig *config,
                                   const char *indent,
                                   const char *folder,
                                   gboolean with_values)
{
  g_autoptr (GmcpServerConfig) defaults = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  g_autoptr (GPtrArray) sent = g_ptr_array_new_with_free_func (g_free);
  Writing writing = { text, indent, config, with_values, folder, sent };
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), fields[i].name);
      g_auto (GValue) value = G_VALUE_INIT;

      if (!shows_field (&writing, &fields[i], defaults))
        continue;
      g_value_init (&value, pspec->value_type);
      gmcp_config_field_get_value (&fields[i], config, &value);
      append_field (&writing, &fields[i], &value);
    }

  for (guint i = 0; i < sent->len; i++)
    /* Translators: what a server is given, such as “the secret TOKEN of your keyring” */
    g_string_append_printf (text, _ ("%sis given %s\n"), indent, (char *) sent->pdata[i]);
}

static void
append_shown_word (GString *text, const char *word)
{
  g_autofree char *shown = gmcp_dup_shell_word (word);

  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append (text, shown);
}

char *
gmcp_server_config_dup_argv_text (GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);
  g_autoptr (GmcpRedactor) redactor = gmcp_redactor_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  gmcp_redactor_add_config (redactor, config);
  for (gsize i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      g_autoptr (GString) word = g_string_new (NULL);

      gmcp_redactor_append_text (redactor, word, argv[i], strlen (argv[i]));
      append_shown_word (text, word->str);
    }
  if (text->len > MAX_SHOWN_BYTES)
    {
      const char *end = g_utf8_find_prev_char (text->str, text->str + MAX_SHOWN_BYTES + 1);
      g_autofree char *cut = gmcp_describe_cut ((gulong) g_utf8_strlen (end, -1));

      g_string_truncate (text, end - text->str);
      g_string_append (text, cut);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * gmcp_server_config_dup_command_text:
 * @self: a configuration
 *
 * Gives what the configuration starts or reaches, to be shown to somebody who is to agree to it: the
 * command with its arguments in one line, as a shell takes them, or the URL. Variables are not filled
 * in, what is known to be a secret is replaced, and what is very long is cut.
 *
 * Returns: (transfer full): a text in one line
 *
 * Since: 0.1
 */
char *
gmcp_server_config_dup_command_text (GmcpServerConfig *self)
{
  const char *url;
  g_autoptr (GmcpRedactor) redactor = NULL;
  char *redacted;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  url = gmcp_server_config_get_url (self);
  if (gmcp_server_config_get_transport (self) == GMCP_SERVER_TRANSPORT_STDIO || url == NULL)
    return gmcp_server_config_dup_argv_text (self);

  redactor = gmcp_redactor_new ();
  gmcp_redactor_add_config (redactor, self);
  redacted = gmcp_redactor_redact (redactor, url);
  return redacted != NULL ? redacted : g_strdup (url);
}

/**
 * gmcp_server_config_dup_details:
 * @self: a configuration
 * @with_values: whether values of environment and headers are in it, or their names only
 *
 * Gives all that the configuration says, to be shown to somebody who is to agree to it: one line for each
 * argument and everything else that is not as by default, whole and as it is written, secrets too, and visible
 * ([func@Gmcp.dup_visible_text]). [method@Gmcp.ServerConfig.dup_command_text] is the short form, without secrets.
 *
 * Returns: (transfer full): several lines
 *
 * Since: 0.1
 */
char *
gmcp_server_config_dup_details (GmcpServerConfig *self, gboolean with_values)
{
  GString *text;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  text = g_string_new (NULL);
  gmcp_server_config_append_details (text, self, "", NULL, with_values);
  return g_string_free (text, FALSE);
}
