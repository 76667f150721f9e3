/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-json-private.h"
#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

/* A tool as a server has it now. Once settled it may be used in another thread than the one it was made in. */
typedef struct
{
  char *key;        /* the tool's name, or where that is very long a beginning of it with a hash */
  GmcpJsonDoc *doc; /* what the server said */
  GmcpJsonValue value;
  GmcpRedactor *redactor; /* not owned; NULL for none, or when it is settled */
  char *
    definition; /* JSON in one line: all that the server says of it, but for _meta; NULL for what is
                           * large, before gmcp_tool_sight_get_definition() */
  gboolean is_whole; /* else without its secrets, or with hashes in place of what is large */
  gboolean is_settled;
  char *digest;      /* NULL before gmcp_tool_sight_get_digest() */
  char *told_digest; /* NULL before gmcp_tool_sight_get_told_digest() */
} GmcpToolSight;

/* The redactor (nullable) knows what must not be kept, and has to be there until the sight is settled. */
void gmcp_tool_sight_init (GmcpToolSight *self, GmcpTool *tool, GmcpRedactor *redactor);
void gmcp_tool_sight_settle (GmcpToolSight *self);
void gmcp_tool_sight_clear (GmcpToolSight *self);

/* What a tool of that name is known by, as the key has it. */
char *gmcp_tool_sight_dup_key (const char *name);

/* What is kept of it. Where the tool is large that takes a while, so that who need not know does not ask. NULL
 * where nothing is kept, or it was settled before anybody asked. */
const char *gmcp_tool_sight_get_definition (GmcpToolSight *self);
/* The digest of the whole definition. */
const char *gmcp_tool_sight_get_digest (GmcpToolSight *self);
/* The digest of the parts that earlier versions compared. */
const char *gmcp_tool_sight_get_told_digest (GmcpToolSight *self);

G_END_DECLS
