/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-sight-private.h"

/* A part of a definition that is larger is not kept where the whole of it is not. */
#define MAX_PART_BYTES 512u

/* What a file can have as the name of something, and a person can type. */
char *
gmcp_tool_sight_dup_key (const char *name)
{
  g_autofree char *hash = NULL;
  g_autofree char *start = NULL;
  const char *end;

  if (strlen (name) <= GMCP_LIMIT_PINNED_NAME_BYTES)
    return g_strdup (name);

  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
  end = g_utf8_find_prev_char (name, name + GMCP_LIMIT_PINNED_NAME_BYTES / 2);
  start = g_strndup (name, end != NULL ? (gsize) (end - name) : 0);
  return g_strconcat (start, "#", hash, NULL);
}

/* All members but _meta; with a hash in place of those that are large, where that is wanted. */
static char *
write_definition (GmcpJsonValue tool, gboolean reduced)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, tool);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      gsize length;
      const char *raw = gmcp_json_value_peek_raw (member, &length);

      if (g_str_equal (name, GMCP_MEMBER_META))
        continue;
      if (reduced && length > MAX_PART_BYTES)
        {
          g_autofree char *hash
            = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) raw, length);
          g_autofree char *place
            = g_strdup_printf ("SHA-256 %s (%" G_GSIZE_FORMAT " bytes)", hash, length);

          gmcp_json_writer_member_string (&writer, name, place);
        }
      else
        {
          gmcp_json_writer_member_value (&writer, name, member);
        }
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Replaces the secrets in it. */
static void
redact_definition (GmcpToolSight *self)
{
  char *redacted
    = self->redactor != NULL ? gmcp_redactor_redact (self->redactor, self->definition) : NULL;

  if (redacted == NULL)
    return;

  g_free (self->definition);
  self->definition = redacted;
  self->is_whole = FALSE;
}

static gboolean
is_large (GmcpJsonValue value)
{
  gsize length;

  gmcp_json_value_peek_raw (value, &length);
  return length > GMCP_LIMIT_PIN_TEXT_BYTES;
}

void
gmcp_tool_sight_init (GmcpToolSight *self, GmcpTool *tool, GmcpRedactor *redactor)
{
  GmcpJsonValue value = gmcp_definition_get_value (tool);

  *self = (GmcpToolSight){
    .key = gmcp_tool_sight_dup_key (gmcp_tool_get_server_tool_name (tool)),
    .doc = gmcp_json_doc_ref (value.doc),
    .value = value,
    .redactor = redactor,
  };

  if (!is_large (value))
    {
      self->is_whole = TRUE;
      self->definition = write_definition (value, FALSE);
      redact_definition (self);
    }
  /* The tool keeps its digest, and is seen again and again. */
  if (!self->is_whole)
    self->digest = gmcp_tool_dup_digest (tool);
}

void
gmcp_tool_sight_settle (GmcpToolSight *self)
{
  self->redactor = NULL;
  self->is_settled = TRUE;
}

/* What cannot be shown in full says at least which of its parts is another one. */
const char *
gmcp_tool_sight_get_definition (GmcpToolSight *self)
{
  if (self->definition != NULL || self->is_settled)
    return self->definition;

  self->definition = write_definition (self->value, TRUE);
  redact_definition (self);
  if (strlen (self->definition) > GMCP_LIMIT_PIN_TEXT_BYTES)
    g_clear_pointer (&self->definition, g_free);
  return self->definition;
}

void
gmcp_tool_sight_clear (GmcpToolSight *self)
{
  g_clear_pointer (&self->key, g_free);
  g_clear_pointer (&self->doc, gmcp_json_doc_unref);
  g_clear_pointer (&self->definition, g_free);
  g_clear_pointer (&self->digest, g_free);
  g_clear_pointer (&self->told_digest, g_free);
}

const char *
gmcp_tool_sight_get_digest (GmcpToolSight *self)
{
  if (self->digest == NULL)
    self->digest = gmcp_tool_digest_value (self->value);

  return self->digest;
}

const char *
gmcp_tool_sight_get_told_digest (GmcpToolSight *self)
{
  if (self->told_digest == NULL)
    self->told_digest = gmcp_tool_digest_told_value (self->value);

  return self->told_digest;
}
