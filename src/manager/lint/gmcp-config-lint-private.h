/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-policy-data-private.h"
#include "gmcp-config-stack-private.h"
#include "gmcp-display-context-private.h"
#include "gmcp-policy-private.h"
#include "gmcp-requirement-set-private.h"
#include "gmcp-server-table-private.h"

G_BEGIN_DECLS

/* What is looked at. */
typedef struct
{
  GmcpServerTable *servers;
  GmcpConfigStack *stack;
  GmcpPolicy *rules;
  GmcpRequirementSet *requirements;
  GmcpDisplayContext *display;
  const char *workspace; /* NULL for none */
} GmcpConfigLintSubject;

/* All that is to be said (of GmcpConfigFinding); kept has what is known of servers that do not run, as
 * GPtrArray of GmcpTool by id (nullable). */
GPtrArray *gmcp_config_lint_find_problems (const GmcpConfigLintSubject *subject, GHashTable *kept);

/* Between the files of this folder. */

/* What rules, tiers, projects and health checks refer to has to be there. A name without a dot is a tool of the
 * host's own, which nobody here can know. */
typedef struct
{
  const GmcpConfigLintSubject *subject;
  GHashTable *declared;  /* ids that some tier names */
  GHashTable *mentioned; /* ids of servers that stand in a file, also of those that do not count */
  GPtrArray *findings;   /* of GmcpConfigFinding */
  GHashTable *kept;    /* id → GPtrArray of GmcpTool of servers that ran before; NULL for none */
  char *workspace;     /* of the place that is looked at; NULL for none */
  gboolean lenient;    /* a rule for a server that is not there harms nobody */
  gboolean takes_away; /* the rules looked at are for what is denied or asked about */
} GmcpConfigLint;

typedef struct
{
  const char *file; /* NULL where it is in none */
  guint line;
  const char *key_path;
} GmcpConfigLintPlace;

/* Takes the message. */
void gmcp_config_lint_add (GmcpConfigLint *search,
                           GmcpNoticeLevel severity,
                           const GmcpConfigLintPlace *place,
                           char *message);
void gmcp_config_lint_add_unknown (GmcpConfigLint *search,
                                   GmcpNoticeLevel severity,
                                   const GmcpConfigLintPlace *place,
                                   const char *name);
/* A text of a place as it counts; NULL where a variable in it is not there, which is then told of. */
char *gmcp_config_lint_dup_filled (GmcpConfigLint *search,
                                   const GmcpConfigLintPlace *place,
                                   const char *text);
gboolean gmcp_config_lint_is_configured (GmcpConfigLint *search, const char *name);
/* Whether a server whose tools are known has none of that name. */
gboolean gmcp_config_lint_lacks_tool (GmcpConfigLint *search, const char *name, const char *tool);

/* Rules of roles, and of all: gmcp-config-lint-rules.c. seen has the servers that were told of. */
void gmcp_config_lint_check_rules (GmcpConfigLint *search,
                                   const char *const *rules,
                                   gboolean takes_away,
                                   gboolean of_host,
                                   GHashTable *seen,
                                   const GmcpConfigLintPlace *place);
/* folder: where the settings have the roles; NULL for those of a program. */
void
gmcp_config_lint_check_role_objects (GmcpConfigLint *search, GPtrArray *roles, const char *folder);
void
gmcp_config_lint_check_config_roles (GmcpConfigLint *search, GPtrArray *roles, gboolean of_host);

/* Servers: gmcp-config-lint-servers.c */
/* The tools of a server, whether it runs or ran before; NULL where nothing is known of them. */
GPtrArray *gmcp_config_lint_find_tools (GmcpConfigLint *search, const char *id);
/* Finds servers that are shadowed, that go by a folder that they do not run in, or whose sandbox,
 * limits, variables or health check need what is missing. */
void gmcp_config_lint_check_servers (GmcpConfigLint *search);

G_END_DECLS
