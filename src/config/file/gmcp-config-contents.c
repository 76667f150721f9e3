/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-config-entry-private.h"
#include "gmcp-config-policy-reader-private.h"
#include "gmcp-config-settings-reader-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* One file as it is read. */
typedef struct
{
  GmcpConfigContents *contents;
  GmcpConfigReport *report;
  const char *base_dir;
  GHashTable *names; /* id → the name that it was made of */
  gboolean any;      /* something that this file is for was there */
  guint n_contained; /* errors that concern one server or setting only */
} Reading;

/* Where servers stand in the files that there are. */
static const struct
{
  const char *outer; /* NULL where the key stands at the top */
  const char *key;
  gboolean ours; /* our own layout, which says more of what it expects */
} places[] = {
  { NULL, "mcpServers", FALSE },
  { NULL, "servers", FALSE },
  { "mcp", "servers", FALSE },
  { NULL, "mcp_servers", TRUE },
};

static void
outcome_free (gpointer data)
{
  GmcpConfigOutcome *outcome = data;

  g_free (outcome->name);
  g_free (outcome->id);
  g_free (outcome->path);
  g_clear_object (&outcome->config);
  g_free (outcome);
}

static GmcpServerConfig *
make_config (Reading *reading,
             const char *name,
             const char *id,
             GmcpJsonValue value,
             const char *path,
             const GmcpConfigEntryRules *rules)
{
  const char *other = g_hash_table_lookup (reading->names, id);

  if (g_hash_table_size (reading->names) >= GMCP_LIMIT_SERVERS)
    {
      gmcp_config_report_add (reading->report, GMCP_NOTICE_LEVEL_ERROR, value, path,
                              _ ("more servers than the limit of %u"), GMCP_LIMIT_SERVERS);
      return NULL;
    }
  if (other != NULL)
    {
      gmcp_config_report_add (reading->report, GMCP_NOTICE_LEVEL_ERROR, value, path,
                              _ ("the names “%s” and “%s” both give the id “%s”; rename one"),
                              other, name, id);
      return NULL;
    }

  g_hash_table_insert (reading->names, g_strdup (id), g_strdup (name));
  return gmcp_config_entry_read (id, name, value, path, reading->base_dir, rules, reading->report);
}

static void
read_entry (Reading *reading,
            const char *name,
            GmcpJsonValue value,
            const char *path,
            const GmcpConfigEntryRules *rules)
{
  g_autofree char *id = gmcp_server_config_make_id (name);
  guint n_findings = reading->report->findings->len;
  GmcpServerConfig *config = make_config (reading, name, id, value, path, rules);
  GmcpConfigOutcome *outcome = g_new0 (GmcpConfigOutcome, 1);

  outcome->name = g_strdup (name);
  outcome->id = g_strdup (id);
  outcome->path = g_strdup (path);
  outcome->config = config != NULL ? g_object_ref (config) : NULL;
  outcome->first_finding = n_findings;
  outcome->n_findings = reading->report->findings->len - n_findings;
  g_ptr_array_add (reading->contents->outcomes, outcome);
  if (config == NULL)
    return;
  g_ptr_array_add (reading->contents->servers, config);
  g_hash_table_insert (
    reading->contents->lines, g_steal_pointer (&id),
    GUINT_TO_POINTER (gmcp_config_document_get_line (reading->report->document, value)));
}

static void
read_map (Reading *reading, GmcpJsonValue map, const char *path, const GmcpConfigEntryRules *rules)
{
  guint n_errors = reading->report->n_errors;
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, map);
  while (reading->report->n_errors < GMCP_LIMIT_CONFIG_FINDINGS
         && gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);

      if (*name != '\0')
        read_entry (reading, name, value, place, rules);
      else
        gmcp_config_report_expected (reading->report, key, path, _ ("a name for each server"));
    }
  reading->n_contained += reading->report->n_errors - n_errors;
}

static void
read_array (Reading *reading,
            GmcpJsonValue array,
            const char *path,
            const GmcpConfigEntryRules *rules)
{
  guint n_errors = reading->report->n_errors;
  GmcpJsonIter iter;
  GmcpJsonValue value;
  guint i = 0;

  gmcp_json_iter_init (&iter, array);
  while (reading->report->n_errors < GMCP_LIMIT_CONFIG_FINDINGS
         && gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *index = g_strdup_printf ("[%u]", i++);
      g_autofree char *place = gmcp_config_path_join (path, index);
      g_autofree char *name = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "id"));

      if (name == NULL)
        name = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "name"));
      if (name != NULL && *name != '\0')
        read_entry (reading, name, value, place, rules);
      else
        gmcp_config_report_expected (reading->report, value, place,
                                     _ ("an object with an “id” or a “name”"));
    }
  reading->n_contained += reading->report->n_errors - n_errors;
}

static void
read_servers (Reading *reading, GmcpJsonValue value, const char *path, gboolean ours)
{
  GmcpConfigEntryRules rules = gmcp_config_entry_plain_rules;
  GmcpConfigFormat format = reading->report->document->format;

  reading->any = TRUE;
  rules.loose_scalars = format != GMCP_CONFIG_FORMAT_JSON;
  rules.check_ranges = TRUE;
  rules.zero_is_default = TRUE;
  rules.unknown_key = GMCP_NOTICE_LEVEL_WARNING;
  if (ours && format != GMCP_CONFIG_FORMAT_TOML)
    {
      rules.split_command = TRUE;
      rules.zero_is_default = FALSE;
      rules.start = reading->contents->settings.auto_start ? GMCP_SERVER_START_ON_DEMAND
                                                           : GMCP_SERVER_START_MANUAL;
      rules.start_is_default = !reading->contents->settings.has_auto_start;
    }

  if (gmcp_json_value_is_object (value))
    read_map (reading, value, path, &rules);
  else if (gmcp_json_value_is_array (value))
    read_array (reading, value, path, &rules);
  else
    gmcp_config_report_expected (reading->report, value, path,
                                 _ ("an object with a key for each server"));
}

/* A map of servers that is a file of its own, without a key above it. */
static gboolean
is_bare_map (GmcpJsonValue root)
{
  static const char *const marks[] = { "command", "url", "cmd", "httpUrl", "serverUrl", "uri" };
  GmcpJsonIter iter;
  GmcpJsonValue value;
  gboolean bare = gmcp_json_value_get_length (root) > 0;

  gmcp_json_iter_init (&iter, root);
  while (bare && gmcp_json_iter_next (&iter, NULL, &value))
    {
      gboolean marked = FALSE;

      for (gsize i = 0; i < G_N_ELEMENTS (marks) && !marked; i++)
        marked = gmcp_json_value_is_present (gmcp_json_value_get_member (value, marks[i]));
      bare = marked;
    }
  return bare;
}

static void
read_inputs (Reading *reading, GmcpJsonValue inputs)
{
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_array (inputs))
    return;

  gmcp_json_iter_init (&iter, inputs);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      if (gmcp_json_value_is_string (gmcp_json_value_get_member (value, "id")))
        g_ptr_array_add (reading->contents->inputs, gmcp_json_value_dup_raw (value));
    }
}

static gboolean
has_any (GmcpJsonValue root, const char *const *keys)
{
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      if (gmcp_json_value_is_present (gmcp_json_value_get_member (root, keys[i])))
        return TRUE;
    }
  return FALSE;
}

static void
warn_of_unknown (Reading *reading, GmcpJsonValue root)
{
  static const char *const known[]
    = { "mcpServers",        "servers",  "mcp",    "mcp_servers", "mcp_settings", "tools", "roles",
        "role_restrictions", "projects", "inputs", NULL };
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, root);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_strv_contains (known, name))
        gmcp_config_report_unknown_key (reading->report, GMCP_NOTICE_LEVEL_WARNING, key, name, name,
                                        known);
    }
}

static void
read_object (Reading *reading, GmcpJsonValue root)
{
  static const char *const own_keys[] = { "mcp_servers", "mcp_settings", NULL };
  static const char *const settings_keys[] = { "mcp_settings", NULL };
  static const char *const policy_keys[]
    = { "tools", "roles", "role_restrictions", "projects", NULL };
  gboolean own
    = reading->report->document->format == GMCP_CONFIG_FORMAT_YAML
      || (reading->report->document->format == GMCP_CONFIG_FORMAT_JSON && has_any (root, own_keys));

  gmcp_config_report_doubled_keys (reading->report, root, "");
  gmcp_config_settings_read (&reading->contents->settings,
                             gmcp_json_value_get_member (root, "mcp_settings"), reading->base_dir,
                             reading->report);
  reading->n_contained += reading->report->n_errors;
  if (has_any (root, settings_keys)
      || (reading->report->document->format == GMCP_CONFIG_FORMAT_YAML
          && gmcp_json_value_get_length (gmcp_json_value_get_member (root, "mcp_servers")) > 0))
    gmcp_config_settings_default (&reading->contents->settings, reading->base_dir);
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      GmcpJsonValue outer
        = places[i].outer != NULL ? gmcp_json_value_get_member (root, places[i].outer) : root;
      GmcpJsonValue value = gmcp_json_value_get_member (outer, places[i].key);
      g_autofree char *path
        = gmcp_config_path_join (places[i].outer != NULL ? places[i].outer : "", places[i].key);

      if (gmcp_json_value_is_present (value))
        read_servers (reading, value, path, places[i].ours);
    }

  gmcp_config_policy_read (reading->contents->policy, root, own, reading->report);
  read_inputs (reading, gmcp_json_value_get_member (root, "inputs"));
  reading->any |= has_any (root, policy_keys) || has_any (root, own_keys);
  if (!reading->any && is_bare_map (root))
    read_servers (reading, root, "", FALSE);
  else if (own)
    warn_of_unknown (reading, root);
}

static void
read_root (Reading *reading, GmcpJsonValue root)
{
  gboolean may_be_empty = reading->report->document->format != GMCP_CONFIG_FORMAT_JSON;

  if (gmcp_json_value_is_object (root))
    read_object (reading, root);
  else if (gmcp_json_value_is_array (root) && gmcp_json_value_get_length (root) > 0)
    read_servers (reading, root, "", FALSE);

  /* A file may hold nothing but comments. */
  if (may_be_empty
      && (gmcp_json_value_get_kind (root) == GMCP_JSON_NULL
          || (gmcp_json_value_is_object (root) && gmcp_json_value_get_length (root) == 0)))
    return;
  if (!reading->any)
    gmcp_config_report_expected (
      reading->report, root, NULL,
      _ ("an object with the key “mcpServers”, itself an object with a key for each server (or "
         "“servers”, or “mcp_servers”)"));
}

static void
read_foreign_root (Reading *reading, GmcpJsonValue root, const GmcpConfigForeign *program)
{
  GmcpJsonValue map = gmcp_json_value_get_member (root, program->key);
  GmcpConfigEntryRules rules = program->rules;

  rules.check_ranges = TRUE;
  rules.zero_is_default = TRUE;
  rules.forgive_ranges = TRUE;
  if (gmcp_json_value_is_object (map))
    read_map (reading, map, program->key, &rules);
  else if (gmcp_json_value_is_array (map))
    read_array (reading, map, program->key, &rules);
  else if (gmcp_json_value_is_present (map))
    gmcp_config_report_expected (reading->report, map, program->key,
                                 _ ("an object with a key for each server"));
  read_inputs (reading, gmcp_json_value_get_member (root, "inputs"));
}

static GmcpConfigContents *
contents_new (void)
{
  GmcpConfigContents *contents = g_new0 (GmcpConfigContents, 1);

  contents->outcomes = g_ptr_array_new_with_free_func (outcome_free);
  contents->servers = g_ptr_array_new_with_free_func (g_object_unref);
  contents->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  contents->inputs = g_ptr_array_new_with_free_func (g_free);
  contents->policy = gmcp_config_policy_new ();
  return contents;
}

void
gmcp_config_contents_free (GmcpConfigContents *contents)
{
  g_ptr_array_unref (contents->outcomes);
  g_ptr_array_unref (contents->servers);
  g_hash_table_unref (contents->lines);
  g_ptr_array_unref (contents->inputs);
  gmcp_config_policy_unref (contents->policy);
  g_free (contents->settings.log_directory);
  g_free (contents->settings.default_log_directory);
  g_free (contents);
}

/* With what could be read, whatever was reported. */
static GmcpConfigContents *
read_document (GmcpConfigDocument *document,
               const GmcpConfigForeign *program,
               const char *base_dir,
               GmcpConfigReport *report)
{
  GmcpConfigContents *contents = contents_new ();
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Reading reading
    = { .contents = contents, .report = report, .base_dir = base_dir, .names = names };

  report->document = document;
  if (program != NULL)
    read_foreign_root (&reading, gmcp_json_doc_get_root (document->json), program);
  else
    read_root (&reading, gmcp_json_doc_get_root (document->json));
  report->document = NULL;
  /* Where there are very many, not all has been looked at. */
  contents->n_errors = report->n_errors;
  contents->any = reading.any;
  contents->usable
    = report->n_errors == reading.n_contained && report->n_errors < GMCP_LIMIT_CONFIG_FINDINGS;
  return contents;
}

/* Gives the findings, and the error where there are no contents. */
static void
hand_over (GmcpConfigReport *report,
           gboolean failed,
           const GError *problem,
           GPtrArray *findings,
           GError **error)
{
  for (guint i = 0; findings != NULL && i < report->findings->len; i++)
    g_ptr_array_add (findings, g_object_ref (g_ptr_array_index (report->findings, i)));
  if (!failed || error == NULL)
    return;

  *error = gmcp_config_report_make_error (report);
  if (g_error_matches (problem, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    (*error)->code = GMCP_ERROR_NOT_SUPPORTED;
}

static GmcpConfigDocument *
parse_document (const char *text,
                gsize length,
                GmcpConfigFormat format,
                GmcpConfigReport *report,
                GError **problem)
{
  guint line = 0;
  GmcpConfigDocument *document = gmcp_config_document_parse (text, length, format, &line, problem);

  if (document == NULL)
    gmcp_config_report_add_at_line (report, GMCP_NOTICE_LEVEL_ERROR, line, NULL,
                                    (*problem)->message);
  return document;
}

GmcpConfigContents *
gmcp_config_contents_read_all (const char *text,
                               gsize length,
                               GmcpConfigFormat format,
                               const char *file,
                               const char *base_dir,
                               GPtrArray *findings,
                               GError **error)
{
  g_auto (GmcpConfigReport) report = { NULL };
  g_autoptr (GmcpConfigDocument) document = NULL;
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GError) problem = NULL;

  gmcp_config_report_init (&report, file);
  document = parse_document (text, length, format, &report, &problem);
  if (document != NULL)
    contents = read_document (document, NULL, base_dir, &report);

  hand_over (&report, report.n_errors > 0, problem, findings, error);
  return g_steal_pointer (&contents);
}

GmcpConfigContents *
gmcp_config_contents_read (const char *text,
                           gsize length,
                           GmcpConfigFormat format,
                           const char *file,
                           const char *base_dir,
                           GPtrArray *findings,
                           GError **error)
{
  g_autoptr (GmcpConfigContents) contents
    = gmcp_config_contents_read_all (text, length, format, file, base_dir, findings, error);

  return contents != NULL && contents->n_errors == 0 ? g_steal_pointer (&contents) : NULL;
}

GmcpConfigContents *
gmcp_config_contents_read_foreign (const char *text,
                                   gsize length,
                                   const GmcpConfigForeign **program,
                                   const char *file,
                                   const char *base_dir,
                                   GPtrArray *findings,
                                   GError **error)
{
  GmcpConfigFormat format = *program != NULL ? (*program)->format : gmcp_config_format_guess (file);
  g_auto (GmcpConfigReport) report = { NULL };
  g_autoptr (GmcpConfigDocument) document = NULL;
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GError) problem = NULL;

  gmcp_config_report_init (&report, file);
  document = parse_document (text, length, format, &report, &problem);
  if (document != NULL && *program == NULL)
    *program = gmcp_config_foreign_recognize (document);
  if (document != NULL)
    contents = read_document (document, *program, base_dir, &report);
  /* There is nothing to choose from where the errors are not of its entries. */
  if (contents != NULL && contents->outcomes->len == 0 && report.n_errors > 0)
    g_clear_pointer (&contents, gmcp_config_contents_free);

  hand_over (&report, contents == NULL, problem, findings, error);
  return g_steal_pointer (&contents);
}

GmcpServerConfig *
gmcp_config_contents_find_server (GmcpConfigContents *contents, const char *id)
{
  for (guint i = 0; i < contents->servers->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (contents->servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), id))
        return config;
    }
  return NULL;
}
