/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-export-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-redactor-private.h"

#define BEARER "Bearer "

/* One server as it is written. */
typedef struct
{
  GmcpExportContext *context;
  GmcpServerConfig *config;
  JsonObject *object;
  JsonArray *inputs; /* what the program asks for */
} Writer;

static void
add_note (Writer *self, const char *text)
{
  char *line = g_strdup_printf ("%s: %s", gmcp_server_config_get_id (self->config), text);

  if (g_ptr_array_find_with_equal_func (self->context->notes, line, g_str_equal, NULL))
    g_free (line);
  else
    g_ptr_array_add (self->context->notes, line);
}

/* Letters, digits and underscores. */
static char *
make_variable_name (const char *first, const char *second)
{
  g_autofree char *joined
    = second != NULL ? g_strdup_printf ("%s_%s", first, second) : g_strdup (first);
  char *name = g_ascii_strup (joined, -1);

  for (char *c = name; *c != '\0'; c++)
    {
      if (!g_ascii_isalnum (*c))
        *c = '_';
    }
  return name;
}

static void
add_input (Writer *self, const char *id)
{
  JsonObject *input;

  for (guint i = 0; i < json_array_get_length (self->inputs); i++)
    {
      input = json_array_get_object_element (self->inputs, i);
      if (g_str_equal (json_object_get_string_member (input, "id"), id))
        return;
    }
  input = json_object_new ();
  json_object_set_string_member (input, "type", "promptString");
  json_object_set_string_member (input, "id", id);
  json_object_set_string_member (input, "description", id);
  json_object_set_boolean_member (input, "password", TRUE);
  json_array_add_object_element (self->inputs, input);
}

/* What stands for a variable of the environment; a word to be replaced where the program knows none. */
static char *
refer_to (Writer *self, const char *name, const char *fallback)
{
  const GmcpExportFormat *format = self->context->format;
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;

  if (format->default_reference != NULL && fallback != NULL)
    {
      g_autoptr (GString) out = g_string_new (format->default_reference);

      g_string_replace (out, "%s", name, 1);
      g_string_replace (out, "%s", fallback, 1);
      return g_string_free (g_steal_pointer (&out), FALSE);
    }
  if (format->reference != NULL)
    {
      parts = g_strsplit (format->reference, "%s", 2);
      return g_strjoinv (name, parts);
    }
  if (fallback != NULL)
    return g_strdup (fallback);

  text = g_strdup_printf (_ ("replace <%s>, since the program knows no variables"), name);
  add_note (self, text);
  return g_strdup_printf ("<%s>", name);
}

static char *
refer_to_secret (Writer *self, const char *name)
{
  g_autofree char *variable = make_variable_name (name, NULL);
  g_autofree char *text = NULL;

  if (self->context->format->asks)
    {
      add_input (self, name);
      return g_strdup_printf ("${input:%s}", name);
    }
  if (self->context->format->reference != NULL)
    {
      text = g_strdup_printf (_ ("set the variable %s, which is a secret"), variable);
      add_note (self, text);
    }
  return refer_to (self, variable, NULL);
}

static const char *
find_secret (Writer *self, const char *name)
{
  for (guint i = 0; i < self->context->secrets->len; i++)
    {
      GmcpExportSecret *secret = g_ptr_array_index (self->context->secrets, i);

      if (secret->config == self->config && g_str_equal (secret->name, name))
        return secret->value;
    }
  return NULL;
}

static char *
translate_variable (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Writer *self = data;
  gboolean editor = self->context->format->editor_variables;
  const char *value = NULL;

  switch (variable->kind)
    {
    case GMCP_CONFIG_VARIABLE_ENVIRONMENT:
      return refer_to (self, variable->name, variable->fallback);
    case GMCP_CONFIG_VARIABLE_SECRET:
      value = self->context->with_secrets ? find_secret (self, variable->name) : NULL;
      return value != NULL ? g_strdup (value) : refer_to_secret (self, variable->name);
    case GMCP_CONFIG_VARIABLE_INPUT:
      return refer_to_secret (self, variable->name);
    case GMCP_CONFIG_VARIABLE_WORKSPACE:
      return g_strdup (editor ? "${workspaceFolder}" : ".");
    case GMCP_CONFIG_VARIABLE_WORKSPACE_NAME:
      return g_strdup (editor ? "${workspaceFolderBasename}" : ".");
    case GMCP_CONFIG_VARIABLE_HOME:
      return g_strdup (editor ? "${userHome}" : g_get_home_dir ());
    case GMCP_CONFIG_VARIABLE_SEPARATOR:
      return g_strdup ("/");
    case GMCP_CONFIG_VARIABLE_UNKNOWN:
    default:
      return g_strdup_printf ("${%s}", variable->name);
    }
}

static char *
translate_text (Writer *self, const char *text)
{
  char *translated = gmcp_config_variables_fill (text, translate_variable, self, NULL);

  return translated != NULL ? translated : g_strdup (text);
}

/* A value that is one variable and nothing else. */
typedef struct
{
  GmcpConfigVariableKind kind;
  char *name;
  guint n;
} Sole;

static char *
note_variable (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Sole *sole = data;

  sole->kind = variable->kind;
  g_free (sole->name);
  sole->name = g_strdup (variable->name);
  sole->n += variable->fallback == NULL ? 1 : 2;
  return g_strdup ("");
}

/* The variable of the environment that a value is, or a secret that is to be one; NULL for neither. */
static char *
dup_sole_variable (Writer *self, const char *value)
{
  Sole sole = { 0 };
  g_autofree char *rest = gmcp_config_variables_fill (value, note_variable, &sole, NULL);
  g_autofree char *name = g_steal_pointer (&sole.name);

  if (rest == NULL || *rest != '\0' || sole.n != 1)
    return NULL;
  if (sole.kind == GMCP_CONFIG_VARIABLE_ENVIRONMENT)
    return g_steal_pointer (&name);
  if (sole.kind == GMCP_CONFIG_VARIABLE_INPUT
      || (sole.kind == GMCP_CONFIG_VARIABLE_SECRET && !self->context->with_secrets))
    return make_variable_name (name, NULL);
  return NULL;
}

/* The value as it is exported, before variables are translated: a secret that stands there as it is becomes a
 * name. */
static char *
hide_secret (Writer *self, const char *name, const char *variable, const char *value)
{
  if (self->context->with_secrets || *value == '\0' || gmcp_config_is_pattern (value)
      || !gmcp_redactor_is_secret_name (name, strlen (name)))
    return g_strdup (value);
  return g_strdup_printf ("${secret:%s}", variable);
}

static JsonObject *
get_object (Writer *self, const char *key)
{
  if (!json_object_has_member (self->object, key))
    json_object_set_object_member (self->object, key, json_object_new ());
  return json_object_get_object_member (self->object, key);
}

static void
write_variable (Writer *self, const char *name, const char *plain)
{
  const GmcpExportFormat *format = self->context->format;
  g_autofree char *value = hide_secret (self, name, name, plain);
  g_autofree char *sole = format->variables_key != NULL ? dup_sole_variable (self, value) : NULL;
  g_autofree char *translated = NULL;

  if (sole != NULL && g_str_equal (sole, name))
    {
      if (!json_object_has_member (self->object, format->variables_key))
        json_object_set_array_member (self->object, format->variables_key, json_array_new ());
      json_array_add_string_element (
        json_object_get_array_member (self->object, format->variables_key), name);
      return;
    }
  translated = translate_text (self, value);
  json_object_set_string_member (get_object (self, format->environment_key), name, translated);
}

static void
write_header (Writer *self, const char *name, const char *plain)
{
  const GmcpExportFormat *format = self->context->format;
  g_autofree char *variable = make_variable_name (gmcp_server_config_get_id (self->config), name);
  g_autofree char *value = hide_secret (self, name, variable, plain);
  gboolean bearer
    = g_ascii_strcasecmp (name, "Authorization") == 0 && g_str_has_prefix (value, BEARER);
  g_autofree char *sole = format->header_variables_key != NULL
                            ? dup_sole_variable (self, bearer ? value + strlen (BEARER) : value)
                            : NULL;
  g_autofree char *translated = NULL;

  if (sole != NULL && bearer)
    {
      json_object_set_string_member (self->object, "bearer_token_env_var", sole);
      return;
    }
  if (sole != NULL)
    {
      json_object_set_string_member (get_object (self, format->header_variables_key), name, sole);
      return;
    }
  translated = translate_text (self, value);
  json_object_set_string_member (get_object (self, format->headers_key), name, translated);
}

/* An argument that holds a secret is a name as well. */
static char *
dup_argument (Writer *self, const char *const *argv, gsize i, const char *const *places)
{
  g_autofree char *place = g_strdup_printf ("args[%" G_GSIZE_FORMAT "]", i - 1);
  const char *equals = strchr (argv[i], '=');
  g_autofree char *number = g_strdup_printf ("ARG_%" G_GSIZE_FORMAT, i);
  g_autofree char *variable = NULL;
  g_autofree char *hidden = NULL;

  if (i == 0 || self->context->with_secrets || !g_strv_contains (places, place))
    return translate_text (self, argv[i]);

  variable = make_variable_name (gmcp_server_config_get_id (self->config), number);
  hidden = g_strdup_printf ("%.*s${secret:%s}",
                            *argv[i] == '-' && equals != NULL ? (int) (equals - argv[i]) + 1 : 0,
                            argv[i], variable);
  return translate_text (self, hidden);
}

static void
write_command (Writer *self)
{
  const GmcpExportFormat *format = self->context->format;
  const char *const *argv = gmcp_server_config_get_argv (self->config);
  const char *const *environment = gmcp_server_config_get_environment (self->config);
  const char *cwd = gmcp_server_config_get_cwd (self->config);
  g_auto (GStrv) places = gmcp_config_list_plain_secrets (self->config);
  JsonArray *words = json_array_new ();

  if (format->stdio_type != NULL)
    json_object_set_string_member (self->object, "type", format->stdio_type);
  for (gsize i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *word = dup_argument (self, argv, i, (const char *const *) places);

      if (i == 0 && !format->command_list)
        json_object_set_string_member (self->object, format->command_key, word);
      else
        json_array_add_string_element (words, word);
    }
  json_object_set_array_member (self->object, format->command_list ? format->command_key : "args",
                                words);
  for (gsize i = 0; environment[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (environment[i], strcspn (environment[i], "="));

      if (environment[i][strlen (name)] == '=')
        write_variable (self, name, environment[i] + strlen (name) + 1);
    }
  if (cwd != NULL)
    {
      g_autofree char *folder = translate_text (self, cwd);

      json_object_set_string_member (self->object, "cwd", folder);
    }
  if (gmcp_server_config_get_sandbox (self->config) != GMCP_SANDBOX_NONE)
    add_note (self, _ ("it runs without its sandbox there"));
}

static void
write_address (Writer *self)
{
  const GmcpExportFormat *format = self->context->format;
  const char *const *headers = gmcp_server_config_get_headers (self->config);
  gboolean sse = gmcp_server_config_get_transport (self->config) == GMCP_SERVER_TRANSPORT_SSE;
  const char *type = sse ? format->sse_type : format->http_type;
  g_autofree char *url = translate_text (self, gmcp_server_config_get_url (self->config));

  if (type != NULL)
    json_object_set_string_member (self->object, "type", type);
  json_object_set_string_member (
    self->object, sse && format->sse_url_key != NULL ? format->sse_url_key : format->url_key, url);
  for (gsize i = 0; headers[i] != NULL; i += 2)
    write_header (self, headers[i], headers[i + 1]);
}

/* NULL for a server that the program cannot have, which is noted. */
static JsonObject *
make_server (Writer *self)
{
  const GmcpExportFormat *format = self->context->format;
  const char *url = gmcp_server_config_get_url (self->config);

  if (url != NULL && format->url_key == NULL)
    {
      add_note (self, _ ("left out, since the program's file has no servers with an address"));
      return NULL;
    }

  self->object = json_object_new ();
  if (format->source != NULL)
    json_object_set_string_member (self->object, "source", format->source);
  if (format->name_key != NULL)
    json_object_set_string_member (self->object, format->name_key,
                                   gmcp_server_config_get_title (self->config));
  if (format->enabled)
    json_object_set_boolean_member (self->object, "enabled",
                                    gmcp_server_config_is_enabled (self->config));
  if (url != NULL)
    write_address (self);
  else
    write_command (self);
  return self->object;
}

JsonObject *
gmcp_export_make_root (GmcpExportContext *context, GPtrArray *configs)
{
  JsonObject *root = json_object_new ();
  JsonObject *servers = json_object_new ();
  g_autoptr (JsonArray) inputs = json_array_new ();

  for (guint i = 0; i < configs->len; i++)
    {
      Writer writer = { .context = context, .config = configs->pdata[i], .inputs = inputs };
      JsonObject *object = make_server (&writer);

      if (object != NULL)
        json_object_set_object_member (servers, gmcp_server_config_get_id (configs->pdata[i]),
                                       object);
    }
  if (json_array_get_length (inputs) > 0)
    json_object_set_array_member (root, "inputs", g_steal_pointer (&inputs));
  json_object_set_object_member (root, context->foreign->key, servers);
  return root;
}

static void
secret_free (gpointer data)
{
  GmcpExportSecret *secret = data;

  g_free (secret->name);
  g_free (secret->value);
  g_object_unref (secret->config);
  g_free (secret);
}

typedef struct
{
  GPtrArray *secrets;
  GmcpServerConfig *config;
} Search;

static char *
collect_secret (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Search *search = data;
  GmcpExportSecret *secret;

  for (guint i = 0; i < search->secrets->len; i++)
    {
      secret = g_ptr_array_index (search->secrets, i);
      if (secret->config == search->config && g_str_equal (secret->name, variable->name))
        return g_strdup ("");
    }
  if (variable->kind != GMCP_CONFIG_VARIABLE_SECRET)
    return g_strdup ("");

  secret = g_new0 (GmcpExportSecret, 1);
  secret->name = g_strdup (variable->name);
  secret->config = g_object_ref (search->config);
  g_ptr_array_add (search->secrets, secret);
  return g_strdup ("");
}

static void
search_texts (Search *search, const char *const *texts)
{
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    g_free (gmcp_config_variables_fill (texts[i], collect_secret, search, NULL));
}

GPtrArray *
gmcp_export_list_secrets (GPtrArray *configs)
{
  Search search = { .secrets = g_ptr_array_new_with_free_func (secret_free) };

  for (guint i = 0; i < configs->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (configs, i);
      const char *single[] = { gmcp_server_config_get_url (config), NULL };

      search.config = config;
      search_texts (&search, gmcp_server_config_get_argv (config));
      search_texts (&search, gmcp_server_config_get_environment (config));
      search_texts (&search, gmcp_server_config_get_headers (config));
      search_texts (&search, single);
    }
  return search.secrets;
}
