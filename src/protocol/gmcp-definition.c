/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-definition-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-protocol-private.h"

gboolean
gmcp_definition_init (GmcpDefinition *self,
                      GmcpJsonValue value,
                      const char *key_member,
                      GError **error,
                      int code,
                      const char *problem)
{
  g_autofree char *key
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, key_member));

  if (key == NULL || *key == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, code, problem);
      return FALSE;
    }

  self->key = g_steal_pointer (&key);
  self->value = value;
  gmcp_json_doc_ref (value.doc);
  return TRUE;
}

void
gmcp_definition_clear (GmcpDefinition *self)
{
  g_clear_pointer (&self->value.doc, gmcp_json_doc_unref);
  g_clear_pointer (&self->key, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->description, g_free);
  g_clear_pointer (&self->mime_type, g_free);
}

GmcpJsonDoc *
gmcp_definition_write (const char *key_member,
                       const char *key,
                       const char *name,
                       const char *mime_type)
{
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, key_member, key);
  gmcp_json_writer_member_string (&writer, "name", name);
  if (mime_type != NULL)
    gmcp_json_writer_member_string (&writer, "mimeType", mime_type);
  gmcp_json_writer_end_object (&writer);
  return gmcp_protocol_take_written (written);
}

GmcpJsonValue
gmcp_definition_get_member (GmcpDefinition *self, const char *name)
{
  return gmcp_json_value_get_member (self->value, name);
}

const char *
gmcp_definition_get_name (GmcpDefinition *self)
{
  const char *name
    = gmcp_protocol_cache_string (&self->name, gmcp_definition_get_member (self, "name"));

  if (name != NULL && *name != '\0')
    return name;
  return self->key != NULL ? self->key : "";
}

const char *
gmcp_definition_get_title (GmcpDefinition *self)
{
  return gmcp_protocol_cache_string (&self->title, gmcp_definition_get_member (self, "title"));
}

const char *
gmcp_definition_get_description (GmcpDefinition *self)
{
  return gmcp_protocol_cache_string (&self->description,
                                     gmcp_definition_get_member (self, "description"));
}

const char *
gmcp_definition_get_mime_type (GmcpDefinition *self)
{
  return gmcp_protocol_cache_string (&self->mime_type,
                                     gmcp_definition_get_member (self, "mimeType"));
}

char *
gmcp_definition_dup_meta_json (GmcpDefinition *self)
{
  return gmcp_json_value_dup_raw (gmcp_definition_get_member (self, GMCP_MEMBER_META));
}
