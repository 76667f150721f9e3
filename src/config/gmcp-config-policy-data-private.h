/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-fields-private.h"

G_BEGIN_DECLS

/* What files say about tiers, roles and projects, as plain data: names are as they were written and
 * refer to whatever there is. Immutable once it was read. */

/* Where something stands, for what is to be said about it. */
typedef struct
{
  char *file; /* NULL where it is in none */
  guint line;
  char *key_path;
} GmcpConfigPlace;

GmcpConfigPlace *gmcp_config_place_new (const char *file, guint line, const char *key_path);
void gmcp_config_place_free (GmcpConfigPlace *place);

/* A role: what may be called. Each word is SERVER.TOOL, with globs, or a tool of the host's own. */
typedef struct
{
  GmcpConfigPlace place;
  char *name;
  char *host; /* NULL for all, and for that of `tools: NAME` */
  GStrv allowed_tools;
  GStrv denied_tools; /* may be empty */
  GStrv ask_first;    /* may be empty */
  gboolean read_only;
} GmcpConfigRole;

/* `tools: NAME`: what the host that loads as NAME needs. */
typedef struct
{
  GmcpConfigPlace place;
  char *name;
  GStrv metadata; /* names and values in turn, of what is kept for other programs */
  GmcpConfigPlace required_place;
  GStrv required; /* servers, by the names that they have in a file */
  GStrv recommended;
  GStrv optional;
  GPtrArray *roles; /* of GmcpConfigRole, which hold for this host only */
} GmcpConfigTool;

typedef struct
{
  GmcpConfigPlace place;
  char *name;
  char *title;        /* NULL where it is not said */
  char *instructions; /* NULL where they are not said */
  GStrv servers;
  GStrv resources; /* URIs */
} GmcpConfigProject;

typedef struct
{
  gatomicrefcount ref_count;
  GPtrArray *tools;    /* of GmcpConfigTool */
  GPtrArray *roles;    /* of GmcpConfigRole, which hold for all hosts */
  GPtrArray *projects; /* of GmcpConfigProject */
} GmcpConfigPolicy;

GmcpConfigPolicy *gmcp_config_policy_new (void);
GmcpConfigPolicy *gmcp_config_policy_ref (GmcpConfigPolicy *policy);
void gmcp_config_policy_unref (GmcpConfigPolicy *policy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigPolicy, gmcp_config_policy_unref)

/* Whether both say the same, wherever it stands. */
gboolean gmcp_config_policy_equal (GmcpConfigPolicy *a, GmcpConfigPolicy *b);

extern const GmcpField gmcp_config_role_fields[];
extern const GmcpField gmcp_config_tool_fields[];
extern const GmcpField gmcp_config_project_fields[];

void gmcp_config_role_free (GmcpConfigRole *role);
void gmcp_config_tool_free (GmcpConfigTool *tool);
void gmcp_config_project_free (GmcpConfigProject *project);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigRole, gmcp_config_role_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigTool, gmcp_config_tool_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigProject, gmcp_config_project_free)

G_END_DECLS
