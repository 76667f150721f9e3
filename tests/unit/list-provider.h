/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

/* A provider of tools that the test puts into its list. A call gives back "NAME ARGUMENTS". */

#define LIST_TYPE_PROVIDER (list_provider_get_type ())
G_DECLARE_FINAL_TYPE (ListProvider, list_provider, LIST, PROVIDER, GObject)

struct _ListProvider
{
  GObject parent_instance;

  GListStore *tools;
  char *host;
  char *config_file;
  char *instructions;
  char *load_error;
  guint n_loads;
  guint n_calls;
};

ListProvider *list_provider_new (void);

/* Makes a tool; each text may be NULL, and arguments are names in one text. */
GmcpTool *list_provider_make_tool (const char *name,
                                   const char *title,
                                   const char *description,
                                   const char *arguments);
/* The same, at the end of the list. */
void list_provider_add (ListProvider *self,
                        const char *name,
                        const char *title,
                        const char *description,
                        const char *arguments);

void list_provider_store_result (GObject *source, GAsyncResult *result, gpointer slot);
/* Runs the main loop until the result is there. */
GAsyncResult *list_provider_wait (GAsyncResult **slot);

G_END_DECLS
