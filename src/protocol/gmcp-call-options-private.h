/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-call-options.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

struct _GmcpCallOptions
{
  GObject parent_instance;

  guint timeout_ms;
  guint max_timeout_ms;
  GmcpTool *expected_tool;
  GmcpJsonDoc *meta;
  char *meta_json;
  gboolean as_task;
  guint task_ttl_ms;
  GmcpCacheMode cache_mode;
  gboolean stale_on_error;
  gboolean strict_output;
};

/* Costs next to nothing where nobody listens. total is -1 where it is not known; message may be
 * NULL. */
void gmcp_call_options_emit_progress (GmcpCallOptions *self,
                                      double progress,
                                      double total,
                                      const char *message);

/* The call goes on as a task. */
void gmcp_call_options_emit_task_created (GmcpCallOptions *self, GmcpTaskHandle *handle);

/* The object of meta-json, valid until it is set anew; GMCP_JSON_NONE where there is none. */
GmcpJsonValue gmcp_call_options_get_meta (GmcpCallOptions *self);

G_END_DECLS
