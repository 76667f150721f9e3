/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gmcp.h>

G_BEGIN_DECLS

/* A manager over a configuration file that the test writes, with servers that are real processes. */
typedef struct
{
  char *dir;
  char *config;
  char *log;   /* what the servers wrote of what they did */
  char *state; /* the folder of what was decided */
  GmcpManager *manager;
  GmcpToolProvider *provider;
  GListModel *tools;
  GPtrArray *notices; /* of char *: level, server and message */
  guint n_tool_changes;
} ManagerFixture;

void manager_fixture_set_up (ManagerFixture *fixture, gconstpointer data);
void manager_fixture_tear_down (ManagerFixture *fixture, gconstpointer data);

/* Another manager over the same files, once the one before is gone. */
void manager_fixture_begin (ManagerFixture *fixture);

/* It is 1 ms at first, so that no test waits for it. */
void manager_fixture_set_restart_delay (ManagerFixture *fixture, guint delay_ms);

/* One server of the file: its id and the words after the script's name. */
char *manager_fixture_entry (ManagerFixture *fixture, const char *id, const char *words);
/* The same with another script of those beside it. */
char *manager_fixture_entry_of (ManagerFixture *fixture,
                                const char *id,
                                const char *name,
                                const char *words);
/* Takes the entries; NULL after the last. */
void manager_fixture_write (ManagerFixture *fixture, char *entry, ...) G_GNUC_NULL_TERMINATED;

GError *manager_fixture_load (ManagerFixture *fixture, GCancellable *cancellable);
/* The text of the result, or NULL with an error. */
char *manager_fixture_call (ManagerFixture *fixture,
                            const char *name,
                            const char *arguments,
                            GmcpCallOptions *options,
                            GError **error);
void manager_fixture_close (ManagerFixture *fixture);

/* The listed names, with a space between them. */
char *manager_fixture_list (ManagerFixture *fixture);
void manager_fixture_assert_tools (ManagerFixture *fixture, const char *names);
GmcpServerState manager_fixture_get_state (ManagerFixture *fixture, const char *id);
guint manager_fixture_count_log (ManagerFixture *fixture, const char *line);
gboolean manager_fixture_has_notice (ManagerFixture *fixture, const char *part);
/* Whether what a start failed with is said of the configuration too. */
gboolean manager_fixture_warns_of (ManagerFixture *fixture, const GError *error);
/* Whether bubblewrap can make a sandbox on this system. */
gboolean manager_fixture_can_confine (void);
/* How many processes have the word in their command line. */
guint manager_fixture_count_processes (const char *word);

/* A call that is under way. */
typedef struct
{
  gboolean done;
  char *text;
  GError *error;
} ManagerCall;

void manager_call_begin (ManagerCall *call,
                         ManagerFixture *fixture,
                         const char *name,
                         const char *arguments,
                         GmcpCallOptions *options,
                         GCancellable *cancellable);
void manager_call_wait (ManagerCall *call);
void manager_call_clear (ManagerCall *call);

#define manager_fixture_wait_until(condition)                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
