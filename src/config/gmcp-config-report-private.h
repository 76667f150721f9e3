/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-config-finding.h>

#include "gmcp-config-document-private.h"

G_BEGIN_DECLS

/* What is found while a configuration is read, with the place of each. */
typedef struct
{
  GmcpConfigDocument *document; /* borrowed; NULL where there is none */
  const char *file;             /* borrowed; NULL where there is none */
  GPtrArray *findings;          /* of GmcpConfigFinding */
  guint n_errors;
} GmcpConfigReport;

void gmcp_config_report_init (GmcpConfigReport *report, const char *file);
void gmcp_config_report_clear (GmcpConfigReport *report);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpConfigReport, gmcp_config_report_clear)

/* The place is the value's; message is translated and holds no value. */
void gmcp_config_report_add (GmcpConfigReport *report,
                             GmcpNoticeLevel severity,
                             GmcpJsonValue value,
                             const char *key_path,
                             const char *format,
                             ...) G_GNUC_PRINTF (5, 6);
void gmcp_config_report_add_at_line (GmcpConfigReport *report,
                                     GmcpNoticeLevel severity,
                                     guint line,
                                     const char *key_path,
                                     const char *message);
/* The common case: “expected …”. */
void gmcp_config_report_expected (GmcpConfigReport *report,
                                  GmcpJsonValue value,
                                  const char *key_path,
                                  const char *expected);
/* “expected …”, where only the place of the value is known. */
void gmcp_config_report_expected_at_line (GmcpConfigReport *report,
                                          guint line,
                                          const char *key_path,
                                          const char *expected);
/* A key that is not known, with those of known (NULL after the last) that are near to it. */
void gmcp_config_report_unknown_key (GmcpConfigReport *report,
                                     GmcpNoticeLevel severity,
                                     GmcpJsonValue value,
                                     const char *key_path,
                                     const char *key,
                                     const char *const *known);
/* Warns of each key of an object that stands there more than once, as JSON lets it. */
void
gmcp_config_report_doubled_keys (GmcpConfigReport *report, GmcpJsonValue object, const char *path);
/* The words that may stand at a key: “a”, “b” or “c”. */
char *gmcp_config_list_words (const char *const *words);
/* The first error, as GMCP_ERROR_INVALID_CONFIG; NULL where there is none. */
GError *gmcp_config_report_make_error (GmcpConfigReport *report);

/* PATH.KEY, or the one that is not empty. */
char *gmcp_config_path_join (const char *path, const char *key);

G_END_DECLS
