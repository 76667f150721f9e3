/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-started-commands-private.h"

#include <string.h>

#include "gmcp-config-origin-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-record-file-private.h"
#include "gmcp-redactor-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpStartedCommands
{
  GmcpStateStore *state; /* not owned */
  GHashTable *commands;  /* key → digest */
};

static GHashTable *
parse_commands (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue commands;

  return gmcp_record_file_parse (bytes, "commands", GMCP_JSON_OBJECT, &doc, &commands, error)
           ? gmcp_record_map_read (commands)
           : NULL;
}

static GBytes *
write_commands (GHashTable *commands)
{
  GmcpJsonWriter writer = gmcp_record_file_begin (g_string_new (NULL), 1, "commands");

  gmcp_record_map_write (commands, &writer);
  return gmcp_record_file_end (&writer);
}

/* For the thread. */
typedef struct
{
  char *key;
  char *digest;
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_free (command->key);
  g_free (command->digest);
  g_free (command);
}

static GBytes *
add_command (GBytes *bytes, gpointer data, GError **error)
{
  const Command *command = data;
  g_autoptr (GHashTable) commands = parse_commands (bytes, error);

  if (commands == NULL
      || g_strcmp0 (g_hash_table_lookup (commands, command->key), command->digest) == 0)
    return NULL;

  g_hash_table_insert (commands, g_strdup (command->key), g_strdup (command->digest));
  return write_commands (commands);
}

static char *
dup_key (GmcpServerConfig *config)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  const char *id = gmcp_server_config_get_id (config);

  /* An id in a project names another server than outside of it. */
  return origin != NULL && origin->confined && origin->file != NULL
           ? g_strdup_printf ("%s %s", id, origin->file)
           : g_strdup (id);
}

static char *
dup_digest (GmcpServerConfig *config)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *const *argv = gmcp_server_config_get_argv (config);

  for (gsize i = 0; argv[i] != NULL; i++)
    g_checksum_update (checksum, (const guchar *) argv[i], (gssize) strlen (argv[i]) + 1);
  return g_strdup (g_checksum_get_string (checksum));
}

GmcpStartedCommands *
gmcp_started_commands_new (GmcpStateStore *state)
{
  GmcpStartedCommands *self = g_new0 (GmcpStartedCommands, 1);

  self->state = state;
  self->commands = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
gmcp_started_commands_free (GmcpStartedCommands *self)
{
  g_hash_table_unref (self->commands);
  g_free (self);
}

gboolean
gmcp_started_commands_take (GmcpStartedCommands *self, GBytes *bytes, GError **error)
{
  GHashTable *commands = parse_commands (bytes, error);

  if (commands == NULL)
    return FALSE;

  g_hash_table_unref (self->commands);
  self->commands = commands;
  return TRUE;
}

gboolean
gmcp_started_commands_note (GmcpStartedCommands *self, GmcpServerConfig *config)
{
  g_autofree char *key = dup_key (config);
  g_autofree char *digest = dup_digest (config);
  Command *command;

  if (g_strcmp0 (g_hash_table_lookup (self->commands, key), digest) == 0)
    return FALSE;

  command = g_new (Command, 1);
  command->key = g_strdup (key);
  command->digest = g_strdup (digest);
  gmcp_state_store_keep (self->state, GMCP_STARTED_COMMANDS_FILE, add_command, command,
                         command_free);
  g_hash_table_insert (self->commands, g_steal_pointer (&key), g_steal_pointer (&digest));
  return TRUE;
}
