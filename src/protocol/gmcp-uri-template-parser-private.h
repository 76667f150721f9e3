/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* RFC 6570, appendix A. */
typedef struct
{
  char mark; /* '\0' for none */
  const char *first;
  const char *separator;
  const char *if_empty; /* what follows the name of an empty value */
  gboolean named;
  gboolean keeps_reserved;
} GmcpUriOperator;

typedef struct
{
  const char *name;
  gsize length;
  guint prefix; /* characters; 0 for all */
  gboolean explode;
} GmcpUriVariable;

/* What is done with each part of a template. */
typedef struct
{
  void (*literal) (gpointer data, const char *text, gsize length);
  void (*begin) (gpointer data, const GmcpUriOperator *op);
  gboolean (*variable) (gpointer data, const GmcpUriVariable *spec, GError **error);
} GmcpUriTemplateVisitor;

/* FALSE with GMCP_ERROR_INVALID_ARGUMENT or GMCP_ERROR_LIMIT_EXCEEDED. */
gboolean gmcp_uri_template_parse (const char *uri_template,
                                  const GmcpUriTemplateVisitor *visitor,
                                  gpointer data,
                                  GError **error);

/* Whether a byte as percent-encoding writes it begins there. */
gboolean gmcp_uri_is_triplet (const char *at);

G_END_DECLS
