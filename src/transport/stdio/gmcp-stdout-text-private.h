/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-stderr-tail-private.h"

G_BEGIN_DECLS

/* What a server prints to its standard output that is no message: the first lines of a run are kept,
 * since they say why a server that is none, or that greets people, never answers. */
typedef struct
{
  GString *head; /* whole lines; NULL before the first */
  guint64 n_lines;
  gboolean cut;      /* there was more than is kept */
  gboolean told_cut; /* whoever wants the lines knows that */
  GmcpStderrFunc
    func; /* gets each line that is kept, and one that says that there is more; nullable */
  gpointer func_data;
} GmcpStdoutText;

void gmcp_stdout_text_clear (GmcpStdoutText *self);
void gmcp_stdout_text_take_line (GmcpStdoutText *self, const char *text, gsize length);

/* The first lines, valid UTF-8, max_bytes at most; NULL where there are none. rest is a line without
 * its end yet. filter takes out, from the whole, what nobody may see; nullable. */
char *gmcp_stdout_text_dup_first_lines (const GmcpStdoutText *self,
                                        const char *rest,
                                        gsize rest_length,
                                        GmcpStderrFilter filter,
                                        gpointer filter_data,
                                        gsize max_bytes);

G_END_DECLS
