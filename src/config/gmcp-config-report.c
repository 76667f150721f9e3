/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdarg.h>

#include "gmcp-config-report-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-near-names-private.h"

void
gmcp_config_report_init (GmcpConfigReport *report, const char *file)
{
  *report = (GmcpConfigReport){ .file = file };
  report->findings = g_ptr_array_new_with_free_func (g_object_unref);
}

void
gmcp_config_report_clear (GmcpConfigReport *report)
{
  g_clear_pointer (&report->findings, g_ptr_array_unref);
}

void
gmcp_config_report_add_at_line (GmcpConfigReport *report,
                                GmcpNoticeLevel severity,
                                guint line,
                                const char *key_path,
                                const char *message)
{
  if (severity == GMCP_NOTICE_LEVEL_ERROR)
    report->n_errors++;
  /* Nobody reads more, but the first error is always among them. */
  if (report->findings->len >= GMCP_LIMIT_CONFIG_FINDINGS
      && (severity != GMCP_NOTICE_LEVEL_ERROR || report->n_errors > 1))
    return;

  g_ptr_array_add (report->findings, gmcp_config_finding_new_for_name (severity, report->file, line,
                                                                       key_path, message));
}

void
gmcp_config_report_add (GmcpConfigReport *report,
                        GmcpNoticeLevel severity,
                        GmcpJsonValue value,
                        const char *key_path,
                        const char *format,
                        ...)
{
  g_autofree char *message = NULL;
  guint line = 0;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  if (report->document != NULL)
    line = gmcp_config_document_get_line (report->document, value);
  gmcp_config_report_add_at_line (report, severity, line, key_path, message);
}

void
gmcp_config_report_expected (GmcpConfigReport *report,
                             GmcpJsonValue value,
                             const char *key_path,
                             const char *expected)
{
  /* Translators: what should stand at a key, such as “a string”. */
  gmcp_config_report_add (report, GMCP_NOTICE_LEVEL_ERROR, value, key_path, _ ("expected %s"),
                          expected);
}

void
gmcp_config_report_expected_at_line (GmcpConfigReport *report,
                                     guint line,
                                     const char *key_path,
                                     const char *expected)
{
  g_autofree char *message = g_strdup_printf (_ ("expected %s"), expected);

  gmcp_config_report_add_at_line (report, GMCP_NOTICE_LEVEL_ERROR, line, key_path, message);
}

void
gmcp_config_report_unknown_key (GmcpConfigReport *report,
                                GmcpNoticeLevel severity,
                                GmcpJsonValue value,
                                const char *key_path,
                                const char *key,
                                const char *const *known)
{
  guint n_known = g_strv_length ((char **) known);
  g_autofree GmcpNearName *candidates = g_new (GmcpNearName, n_known);
  g_autofree char *suggestion = NULL;

  for (guint i = 0; i < n_known; i++)
    candidates[i] = (GmcpNearName){ known[i], known[i] };
  suggestion = gmcp_near_names_suggest (key, candidates, n_known);
  gmcp_config_report_add (report, severity, value, key_path, "%s%s%s", _ ("this key is not known"),
                          *suggestion != '\0' ? "." : "", suggestion);
}

void
gmcp_config_report_doubled_keys (GmcpConfigReport *report, GmcpJsonValue object, const char *path)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_object (object))
    return;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);

      if (g_hash_table_contains (seen, name))
        gmcp_config_report_add (report, GMCP_NOTICE_LEVEL_WARNING, key, place,
                                _ ("“%s” stands there twice; only the last one counts"), name);
      else
        g_hash_table_add (seen, g_steal_pointer (&name));
    }
}

char *
gmcp_config_list_words (const char *const *words)
{
  GString *list = g_string_new (NULL);

  for (gsize i = 0; words[i] != NULL; i++)
    g_string_append_printf (list, "%s“%s”",
                            i == 0                 ? ""
                            : words[i + 1] == NULL ? _ (" or ")
                                                   : ", ",
                            words[i]);
  return g_string_free (list, FALSE);
}

GError *
gmcp_config_report_make_error (GmcpConfigReport *report)
{
  for (guint i = 0; i < report->findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (report->findings, i);
      g_autofree char *text = NULL;

      if (gmcp_config_finding_get_severity (finding) != GMCP_NOTICE_LEVEL_ERROR)
        continue;
      text = gmcp_config_finding_dup_text (finding);
      return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, text);
    }
  return NULL;
}

char *
gmcp_config_path_join (const char *path, const char *key)
{
  gboolean dot = *path != '\0' && *key != '\0' && *key != '[';

  return g_strconcat (path, dot ? "." : "", key, NULL);
}
