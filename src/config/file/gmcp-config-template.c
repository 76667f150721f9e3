/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-document-private.h"
#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-entry-reader-private.h"
#include "gmcp-config-settings-reader-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-limits-private.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/core/gmcp-error.h>

/* A file with every key, each behind the mark of a comment at the very beginning of its line. */

typedef struct
{
  GString *text;
  const char *mark; /* of a comment */
  gboolean json;
  guint depth;
} Template;

static void
append_line (Template *self, const char *lead, const char *line)
{
  g_string_append (self->text, self->mark);
  g_string_append_printf (self->text, "%*s%s%s\n", (int) self->depth * 2, "", lead, line);
}

static void
append_blank_line (Template *self)
{
  g_string_append_c (self->text, '\n');
}

/* A sentence for people; one at the very beginning of a line is told from a key by the space before it. */
static void
append_comment (Template *self, const char *text)
{
  g_autofree char *lead = g_strconcat (self->depth > 0 ? self->mark : "", " ", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    append_line (self, lead, lines[i]);
}

static void
append_key (Template *self, const char *name, const char *json)
{
  g_autofree char *line = self->json ? g_strdup_printf ("\"%s\": %s,", name, json)
                                     : g_strdup_printf ("%s: %s", name, json);

  append_line (self, "", line);
}

static void
open_object (Template *self, const char *name)
{
  g_autofree char *line = g_strdup_printf (self->json ? "\"%s\": {" : "%s:", name);

  append_line (self, "", line);
  self->depth++;
}

static void
close_object (Template *self)
{
  self->depth--;
  if (self->json)
    append_line (self, "", "},");
}

static void
append_described (Template *self,
                  const char *name,
                  const char *json,
                  const char *summary,
                  const char *details)
{
  g_autofree char *comment = g_strdup_printf ("%s (%s)", _ (summary), details);

  append_comment (self, comment);
  append_key (self, name, json);
}

/* As files have it: a time that is in seconds there may have a fraction. */
static char *
format_number (guint value, gboolean in_seconds)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (
    g_ascii_formatd (text, sizeof text, "%.10g", in_seconds ? value / 1000. : value));
}

static char *
describe_number (const char *default_text, guint low, guint high, gboolean in_seconds)
{
  g_autofree char *from = format_number (low, in_seconds);
  g_autofree char *to = format_number (high, in_seconds);

  return g_strdup_printf (_ ("default %s; %s to %s"), default_text, from, to);
}

static void
append_settings (Template *self)
{
  const GmcpConfigSettingsKey *key;

  append_blank_line (self);
  append_comment (self, _ ("What holds for all servers that do not say otherwise."));
  open_object (self, "mcp_settings");
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
      gboolean in_seconds = g_str_has_suffix (info->name, "-ms");
      g_autofree char *value = format_number (info->value, in_seconds);
      g_autofree char *details = describe_number (value, info->low, info->high, in_seconds);

      append_described (self, info->file_key, value, info->summary, details);
    }
  for (gsize i = 0; (key = gmcp_config_settings_get_key (i)) != NULL; i++)
    {
      g_autofree char *details = g_strdup_printf (_ ("default %s"), key->sample);

      append_described (self, key->name, key->sample, key->summary, details);
    }
  close_object (self);
}

/* What counts for all servers where one says nothing; NULL where each has a default of its own. */
static const GmcpManagerLimitInfo *
find_general (const char *property)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);

      if (g_str_equal (info->name, property))
        return info;
    }
  return NULL;
}

static void
append_number (Template *self, const GmcpConfigEntryKey *key, const char *name, GParamSpec *pspec)
{
  gboolean in_seconds = g_str_has_suffix (name, "_seconds");
  guint value = G_PARAM_SPEC_UINT (pspec)->default_value;
  const GmcpManagerLimitInfo *general = value == 0 ? find_general (key->property) : NULL;
  guint low = 0;
  guint high = key->max;
  g_autofree char *shown = NULL;
  g_autofree char *told = NULL;
  g_autofree char *details = NULL;

  gmcp_config_entry_get_range (key->property, &low, &high);
  shown = format_number (general != NULL ? general->value : value, in_seconds);
  /* Translators: the default of a setting */
  told = general != NULL ? g_strdup_printf (_ ("%s, as for all servers"), shown) : g_strdup (shown);
  details = describe_number (told, low, high, in_seconds);
  append_described (self, name, shown, key->summary, details);
}

static void
append_word (Template *self, const GmcpConfigEntryKey *key, const char *name, GParamSpec *pspec)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  const char *nick = g_enum_get_value (klass, G_PARAM_SPEC_ENUM (pspec)->default_value)->value_nick;
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *details = NULL;
  g_autofree char *value = g_strdup_printf ("\"%s\"", nick);

  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", klass->values[i].value_nick);
  if (!self->json && g_str_equal (key->name, "start"))
    details = g_strdup_printf (_ ("default as auto_start_default says; one of %s"), words->str);
  else
    /* Translators: a word, and the words that there are */
    details = g_strdup_printf (_ ("default %s; one of %s"), nick, words->str);
  append_described (self, name, value, key->summary, details);
}

static void
append_server_key (Template *self, const GmcpConfigEntryKey *key, GObjectClass *klass)
{
  GParamSpec *pspec
    = key->property != NULL ? g_object_class_find_property (klass, key->property) : NULL;
  g_autofree char *spelt
    = self->json ? g_strdup (key->name) : gmcp_config_key_from_camel (key->name, '_');
  g_autofree char *name = !self->json && g_str_has_suffix (spelt, "_ms")
                            ? g_strdup_printf ("%.*sseconds", (int) strlen (spelt) - 2, spelt)
                            : g_strdup (spelt);

  if (pspec != NULL && G_IS_PARAM_SPEC_UINT (pspec))
    append_number (self, key, name, pspec);
  else if (pspec != NULL && G_IS_PARAM_SPEC_ENUM (pspec))
    append_word (self, key, name, pspec);
  else if (pspec != NULL && G_IS_PARAM_SPEC_BOOLEAN (pspec))
    append_described (
      self, name, G_PARAM_SPEC_BOOLEAN (pspec)->default_value ? "true" : "false", key->summary,
      G_PARAM_SPEC_BOOLEAN (pspec)->default_value ? _ ("default true") : _ ("default false"));
  else if (g_str_equal (key->name, "enabled"))
    append_described (self, name, key->sample, key->summary, _ ("default true"));
  else
    append_described (self, name, key->sample, key->summary, _ ("no default; an example"));
}

/* Without it there is no server. */
static gboolean
is_needed (const GmcpConfigEntryKey *key)
{
  return g_str_equal (key->name, "command") || g_str_equal (key->name, "url");
}

static void
append_server (Template *self, const char *name, gboolean remote)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  const GmcpConfigEntryKey *key;

  open_object (self, name);
  for (gsize i = 0; (key = gmcp_config_entry_get_key (i)) != NULL; i++)
    {
      if (is_needed (key) && key->remote == remote)
        append_server_key (self, key, G_OBJECT_CLASS (klass));
    }
  for (gsize i = 0; (key = gmcp_config_entry_get_key (i)) != NULL; i++)
    {
      if (!is_needed (key) && !key->other_word && key->remote == remote)
        append_server_key (self, key, G_OBJECT_CLASS (klass));
    }
  close_object (self);
}

/* What stands below a name of its own, and has examples only. */
static const struct
{
  const char *key;    /* "" begins and NULL ends an object */
  const char *sample; /* JSON, or the name of the object */
  const char *summary;
} rules[] = {
  { "", "roles", N_ ("Roles: named rules for what may be called.") },
  { "", "review", NULL },
  { "host", "\"claude-code\"", N_ ("Program that the role holds for") },
  { "allowed_tools", "[\"files.read_*\"]", N_ ("What may be called") },
  { "denied_tools", "[\"*.delete_*\"]", N_ ("What may not be called") },
  { "ask_first", "[\"files.write_file\"]", N_ ("What may be called after somebody was asked") },
  { "read_only", "false", N_ ("Whether only what changes nothing may be called") },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
  { "", "tools", N_ ("Hosts and tools, and the servers that each needs.") },
  { "", "claude-code", NULL },
  { "binary", "\"claude\"", N_ ("Program of the host or tool") },
  { "command_template", "\"{binary} {prompt_file}\"", N_ ("How the program is called") },
  { "models", "[\"claude-3.5-sonnet\"]", N_ ("Models of the host or tool") },
  { "", "mcp_tools", NULL },
  { "required", "[\"files\"]", N_ ("Servers that are required") },
  { "recommended", "[\"tickets\"]", N_ ("Servers that are recommended") },
  { "optional", "[]", N_ ("Servers that are optional") },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
  { "", "projects", N_ ("Projects: servers and resources that belong to a work.") },
  { "", "handbook", NULL },
  { "title", "\"Handbook\"", N_ ("Name of the project for people") },
  { "servers", "[\"files\"]", N_ ("Servers of the project") },
  { "resources", "[\"files file:///srv/files/README.md\"]",
    N_ ("Resources of the project's context") },
  { "instructions", "\"Keep it short.\"", N_ ("What a model should know about the project") },
  { NULL, NULL, NULL },
  { NULL, NULL, NULL },
};

static void
append_rules (Template *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      if (rules[i].key != NULL && *rules[i].key == '\0' && rules[i].summary != NULL)
        append_blank_line (self);
      if (rules[i].key != NULL && rules[i].summary != NULL)
        append_comment (self, _ (rules[i].summary));
      if (rules[i].key == NULL)
        close_object (self);
      else if (*rules[i].key == '\0')
        open_object (self, rules[i].sample);
      else
        append_key (self, rules[i].key, rules[i].sample);
    }
}

static void
append_introduction (Template *self)
{
  g_autofree char *how = g_strdup_printf (
    /* Translators: the mark of a comment, as # */
    _ ("Take “%s” off the beginning of a line to set its key, and off the lines that it stands "
       "below.\nEach shows its default, or where there is none an example. “gmcp config validate” "
       "says whether all is well."),
    self->mark);

  append_comment (
    self, _ ("What gmcp is to use: servers, and rules for them. As it stands, nothing is set."));
  append_comment (self, how);
}

static void
append_servers (Template *self)
{
  append_comment (self, _ ("A server that is a program"));
  append_server (self, "files", FALSE);
  append_comment (self, _ ("A server that has an address"));
  append_server (self, "tickets", TRUE);
}

/* Where servers stand has to be there in JSON. */
static void
append_json (Template *self)
{
  append_introduction (self);
  g_string_append (self->text, "{\n  \"mcpServers\": {\n");
  self->depth = 2;
  append_servers (self);
  g_string_append (self->text, "  },\n");
  self->depth = 1;
  append_settings (self);
  append_rules (self);
  g_string_append (self->text, "}\n");
}

static void
append_yaml (Template *self)
{
  append_introduction (self);
  append_blank_line (self);
  open_object (self, "mcp_servers");
  append_servers (self);
  close_object (self);
  append_settings (self);
  append_rules (self);
}

/**
 * gmcp_file_config_source_dup_template:
 * @file_name: a name whose end says in which format: `.json`, `.yaml` or `.yml`
 * @error: return location for an error
 *
 * Makes what a new configuration file may begin with: every key with its default, its range and
 * what it is, and all of it commented out, so that it says nothing as it stands. Each key is behind a `#` (in
 * JSON `//`) at the beginning of its line. Fails with [error@Gmcp.Error] `NOT_SUPPORTED` for TOML, and for YAML
 * in a build that does not read it.
 *
 * Returns: (transfer full): the text, in the user's language
 *
 * Since: 0.1
 */
char *
gmcp_file_config_source_dup_template (const char *file_name, GError **error)
{
  Template self = { .mark = "#" };

  g_return_val_if_fail (file_name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  switch (gmcp_config_format_guess (file_name))
    {
    case GMCP_CONFIG_FORMAT_TOML:
      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
        _ ("There is no template in TOML; a name that ends in .yaml or .json gives one: %s"),
        file_name);
      return NULL;
    case GMCP_CONFIG_FORMAT_YAML:
#ifndef HAVE_YAML
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
        _ ("this build of gmcp does not read YAML: use JSON or TOML, or build it with "
           "libyaml"));
      return NULL;
#endif
      self.text = g_string_new (NULL);
      append_yaml (&self);
      break;
    case GMCP_CONFIG_FORMAT_JSON:
    default:
      self.text = g_string_new (NULL);
      self.mark = "//";
      self.json = TRUE;
      append_json (&self);
      break;
    }
  return g_string_free (self.text, FALSE);
}
