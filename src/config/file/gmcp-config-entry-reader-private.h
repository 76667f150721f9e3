/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-entry-private.h"
#include "gmcp-config-places-private.h"

G_BEGIN_DECLS

/* One entry as it is read: values until the object is made of them. */
typedef struct
{
  const char *path;
  const char *base_dir;
  const GmcpConfigEntryRules *rules;
  GmcpConfigReport *report;
  GPtrArray *args; /* the command among them, in front */
  GPtrArray *environment;
  GPtrArray *headers;
  char *command;
  gboolean disabled;
  gboolean enabled; /* that is said, too */
  gboolean has_url; /* under its own name, which is stronger than any other */
  gboolean is_sse;  /* by where the address stands */
  gboolean has_command;
  char *
    misspelt; /* the first unknown key that is near to “command” or “url”, and to which; NULL for none */
  GPtrArray *names; /* of properties, borrowed; their values stand beside */
  GArray *values;
  GmcpConfigPlaces *places;
} GmcpConfigEntryReader;

/* What is known of a key: its name in `mcpServers`, and how its value is read. */
typedef struct _GmcpConfigEntryKey GmcpConfigEntryKey;

typedef void (*GmcpConfigEntryReadKey) (GmcpConfigEntryReader *entry,
                                        const GmcpConfigEntryKey *key,
                                        const char *path,
                                        GmcpJsonValue value);

struct _GmcpConfigEntryKey
{
  const char *name;
  GmcpConfigEntryReadKey read;
  const char *property;
  guint max;   /* of a number */
  guint scale; /* of this value */
  const char *as_written;
  const char *summary; /* not translated */
  const char *sample;  /* JSON; NULL where the default shows what a value looks like */
  gboolean remote;     /* of a server that has an address */
  gboolean other_word; /* for what another key says, too */
};

/* The keys of an entry in `mcpServers`, one after the other; NULL after the last. */
const GmcpConfigEntryKey *gmcp_config_entry_get_key (gsize i);

/* Says what stands at a key and what should; never the value itself, which may be a secret. */
void gmcp_config_entry_fail (GmcpConfigEntryReader *entry,
                             const char *path,
                             GmcpJsonValue value,
                             const char *expected);
GValue *
gmcp_config_entry_set_value (GmcpConfigEntryReader *entry, const char *property, GType type);
const GValue *gmcp_config_entry_get_value (GmcpConfigEntryReader *entry, const char *property);
/* Where a value stands, or one element of it (nullable). */
void gmcp_config_entry_note_place (GmcpConfigEntryReader *entry,
                                   const char *property,
                                   const char *element,
                                   const char *path,
                                   GmcpJsonValue value);
/* NULL where it is no text, which is then reported. */
char *
gmcp_config_entry_dup_text (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value);
/* One of some words, with its variables filled in at once: what it says decides what else is read. NULL
 * where it is no text, and where a variable is not there, which is then reported. */
char *
gmcp_config_entry_dup_word (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value);
gboolean gmcp_config_entry_get_flag (GmcpConfigEntryReader *entry,
                                     const char *path,
                                     GmcpJsonValue value,
                                     gboolean *out);
/* Values of one kind each: gmcp-config-entry-values.c */
void gmcp_config_entry_read_text (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value);
void gmcp_config_entry_read_flag (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value);
void gmcp_config_entry_read_number (GmcpConfigEntryReader *entry,
                                    const GmcpConfigEntryKey *key,
                                    const char *path,
                                    GmcpJsonValue value);
void gmcp_config_entry_read_timeout (GmcpConfigEntryReader *entry,
                                     const GmcpConfigEntryKey *key,
                                     const char *path,
                                     GmcpJsonValue value);
void gmcp_config_entry_read_word (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value);
void gmcp_config_entry_read_sandbox (GmcpConfigEntryReader *entry,
                                     const GmcpConfigEntryKey *key,
                                     const char *path,
                                     GmcpJsonValue value);
void gmcp_config_entry_read_object_text (GmcpConfigEntryReader *entry,
                                         const GmcpConfigEntryKey *key,
                                         const char *path,
                                         GmcpJsonValue value);
void gmcp_config_entry_append_words (GmcpConfigEntryReader *entry,
                                     GPtrArray *words,
                                     const char *path,
                                     GmcpJsonValue value);
void gmcp_config_entry_read_words (GmcpConfigEntryReader *entry,
                                   const GmcpConfigEntryKey *key,
                                   const char *path,
                                   GmcpJsonValue value);
void gmcp_config_entry_read_path (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value);

/* How the server is reached: gmcp-config-entry-connection.c */
void gmcp_config_entry_read_command (GmcpConfigEntryReader *entry,
                                     const GmcpConfigEntryKey *key,
                                     const char *path,
                                     GmcpJsonValue value);
void gmcp_config_entry_read_args (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value);
void gmcp_config_entry_read_environment (GmcpConfigEntryReader *entry,
                                         const GmcpConfigEntryKey *key,
                                         const char *path,
                                         GmcpJsonValue value);
void gmcp_config_entry_read_headers (GmcpConfigEntryReader *entry,
                                     const GmcpConfigEntryKey *key,
                                     const char *path,
                                     GmcpJsonValue value);
void gmcp_config_entry_read_variable_headers (GmcpConfigEntryReader *entry,
                                              const GmcpConfigEntryKey *key,
                                              const char *path,
                                              GmcpJsonValue value);
void gmcp_config_entry_read_bearer_variable (GmcpConfigEntryReader *entry,
                                             const GmcpConfigEntryKey *key,
                                             const char *path,
                                             GmcpJsonValue value);
void gmcp_config_entry_read_variable_names (GmcpConfigEntryReader *entry,
                                            const GmcpConfigEntryKey *key,
                                            const char *path,
                                            GmcpJsonValue value);
void gmcp_config_entry_read_url (GmcpConfigEntryReader *entry,
                                 const GmcpConfigEntryKey *key,
                                 const char *path,
                                 GmcpJsonValue value);
void gmcp_config_entry_read_transport (GmcpConfigEntryReader *entry,
                                       const GmcpConfigEntryKey *key,
                                       const char *path,
                                       GmcpJsonValue value);
void gmcp_config_entry_read_env_file (GmcpConfigEntryReader *entry,
                                      const GmcpConfigEntryKey *key,
                                      const char *path,
                                      GmcpJsonValue value);

G_END_DECLS
