/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An index of words over documents of a few fields each, in a module of its own, which is loaded at the
 * first search: whoever never searches does not pay for the database behind it. The module links
 * nothing of the library. */

typedef struct _GmcpSearchIndex GmcpSearchIndex;

typedef enum
{
  GMCP_SEARCH_FIELD_NAME,
  GMCP_SEARCH_FIELD_GROUP,
  GMCP_SEARCH_FIELD_TITLE,
  GMCP_SEARCH_FIELD_TEXT,
  GMCP_SEARCH_FIELD_KEYS,
} GmcpSearchField;

#define GMCP_SEARCH_N_FIELDS (GMCP_SEARCH_FIELD_KEYS + 1)

typedef struct
{
  gint64 id;
  double score; /* the higher, the better */
} GmcpSearchHit;

/* What the module has under the symbol. Each function that can fail gives a message then, to be freed;
 * after that the index can only be closed. */
typedef struct
{
  guint version;

  GmcpSearchIndex *(*open) (char **message);
  void (*close) (GmcpSearchIndex *self);
  /* Changes are made between these two; they are cheap for each document, dear for each pair. */
  gboolean (*begin) (GmcpSearchIndex *self, char **message);
  gboolean (*commit) (GmcpSearchIndex *self, char **message);
  /* Fields may be NULL. */
  gboolean (*add) (GmcpSearchIndex *self,
                   gint64 id,
                   const char *const fields[GMCP_SEARCH_N_FIELDS],
                   char **message);
  gboolean (*remove) (GmcpSearchIndex *self, gint64 id, char **message);
  /* Appends GmcpSearchHit, the best first. */
  gboolean (*search) (GmcpSearchIndex *self,
                      const char *expression,
                      guint limit,
                      GArray *hits,
                      char **message);
} GmcpSearchModule;

#define GMCP_SEARCH_MODULE_FILE    "gmcp-search.so"
#define GMCP_SEARCH_MODULE_SYMBOL  "gmcp_search_module"
#define GMCP_SEARCH_MODULE_VERSION 1u

G_END_DECLS
