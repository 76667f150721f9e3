/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-json-private.h"
#include "gmcp-project-context-private.h"

/**
 * GmcpProjectContext:
 *
 * What belongs in the prompt of whoever works on a project: its resources as they are now, what its
 * servers want a model to know, and notes on what is missing. Immutable.
 * [method@Gmcp.Manager.get_context_async] gives one.
 *
 * Since: 0.1
 */
struct _GmcpProjectContext
{
  GObject parent_instance;

  GmcpProject *project;
  GPtrArray *resources;
  char *instructions;
  GStrv notes;
};

G_DEFINE_FINAL_TYPE (GmcpProjectContext, gmcp_project_context, G_TYPE_OBJECT)

static void
gmcp_project_context_finalize (GObject *object)
{
  GmcpProjectContext *self = GMCP_PROJECT_CONTEXT (object);

  g_clear_object (&self->project);
  g_clear_pointer (&self->resources, g_ptr_array_unref);
  g_free (self->instructions);
  g_strfreev (self->notes);

  G_OBJECT_CLASS (gmcp_project_context_parent_class)->finalize (object);
}

static void
gmcp_project_context_class_init (GmcpProjectContextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_project_context_finalize;
}

static void
gmcp_project_context_init (GmcpProjectContext *self)
{
  self->project = g_object_new (GMCP_TYPE_PROJECT, NULL);
  self->resources = g_ptr_array_new ();
  self->notes = g_new0 (char *, 1);
}

GmcpProjectContext *
gmcp_project_context_new_take (GmcpProject *project,
                               GPtrArray *resources,
                               char *instructions,
                               GStrv notes)
{
  GmcpProjectContext *self = g_object_new (GMCP_TYPE_PROJECT_CONTEXT, NULL);

  g_set_object (&self->project, project);
  g_ptr_array_unref (self->resources);
  self->resources = resources;
  self->instructions = instructions;
  g_strfreev (self->notes);
  self->notes = notes;
  return self;
}

/**
 * gmcp_project_context_get_project:
 * @self: a context
 *
 * Gives the project that it is about.
 *
 * Returns: (transfer none): the project
 *
 * Since: 0.1
 */
GmcpProject *
gmcp_project_context_get_project (GmcpProjectContext *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  return self->project;
}

/**
 * gmcp_project_context_get_instructions:
 * @self: a context
 *
 * Gives what a model should know: the instructions of the project, and of each server those of the
 * configuration and those of the server itself.
 *
 * Returns: (nullable): a text, with a heading for each
 *
 * Since: 0.1
 */
const char *
gmcp_project_context_get_instructions (GmcpProjectContext *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  return self->instructions;
}

/**
 * gmcp_project_context_list_resources:
 * @self: a context
 *
 * Gives the resources, in the order of the project. One that its server refused is left out; one
 * that was not there in time is empty.
 *
 * Returns: (transfer container) (element-type GmcpContextResource): the resources
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_project_context_list_resources (GmcpProjectContext *self)
{
  GPtrArray *list;

  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  list = g_ptr_array_copy (self->resources, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (list, g_object_unref);
  return list;
}

/**
 * gmcp_project_context_get_notes:
 * @self: a context
 *
 * Says what is missing or stale, and why: a sentence each.
 *
 * Returns: (transfer none) (array zero-terminated=1): the notes
 *
 * Since: 0.1
 */
const char *const *
gmcp_project_context_get_notes (GmcpProjectContext *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  return (const char *const *) self->notes;
}

/**
 * gmcp_project_context_is_complete:
 * @self: a context
 *
 * Tells whether there is nothing to note.
 *
 * Returns: whether all is there and fresh
 *
 * Since: 0.1
 */
gboolean
gmcp_project_context_is_complete (GmcpProjectContext *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), FALSE);

  return self->notes[0] == NULL;
}

/**
 * gmcp_project_context_dup_text:
 * @self: a context
 *
 * Gives instructions and resources as one text for a model, with a heading for each.
 *
 * Returns: (transfer full): the text; empty where there is nothing
 *
 * Since: 0.1
 */
char *
gmcp_project_context_dup_text (GmcpProjectContext *self)
{
  GString *text;

  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  text = g_string_new (self->instructions);
  for (guint i = 0; i < self->resources->len; i++)
    {
      GmcpContextResource *resource = g_ptr_array_index (self->resources, i);
      const char *contents = gmcp_context_resource_get_text (resource);

      if (gmcp_context_resource_is_missing (resource))
        continue;
      g_string_append_printf (text, "%s# %s\n\n%s%s", text->len > 0 ? "\n" : "",
                              gmcp_context_resource_get_uri (resource), contents,
                              g_str_has_suffix (contents, "\n") ? "" : "\n");
    }
  return g_string_free (text, FALSE);
}

static void
write_text (GmcpJsonWriter *writer, const char *name, const char *text)
{
  gmcp_json_writer_member_string (writer, name, text != NULL ? text : "");
}

static void
write_resource (GmcpJsonWriter *writer, GmcpContextResource *resource)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "server", gmcp_context_resource_get_server_id (resource));
  gmcp_json_writer_member_string (writer, "uri", gmcp_context_resource_get_uri (resource));
  gmcp_json_writer_member_string (writer, "text", gmcp_context_resource_get_text (resource));
  gmcp_json_writer_member_boolean (writer, "missing", gmcp_context_resource_is_missing (resource));
  gmcp_json_writer_member_boolean (writer, "stale", gmcp_context_resource_is_stale (resource));
  gmcp_json_writer_end_object (writer);
}

/**
 * gmcp_project_context_dup_json:
 * @self: a context
 *
 * Gives all of it as a JSON object with the members `project`, `title`, `instructions`, `resources`
 * (each with `server`, `uri`, `text`, `missing` and `stale`) and `notes`.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_project_context_dup_json (GmcpProjectContext *self)
{
  GString *text;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_PROJECT_CONTEXT (self), NULL);

  text = g_string_new (NULL);
  writer = gmcp_json_writer_init (text);
  gmcp_json_writer_begin_object (&writer);
  write_text (&writer, "project", gmcp_project_get_id (self->project));
  write_text (&writer, "title", gmcp_project_get_title (self->project));
  write_text (&writer, "instructions", self->instructions);

  gmcp_json_writer_key (&writer, "resources");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < self->resources->len; i++)
    write_resource (&writer, g_ptr_array_index (self->resources, i));
  gmcp_json_writer_end_array (&writer);

  gmcp_json_writer_key (&writer, "notes");
  gmcp_json_writer_begin_array (&writer);
  for (gsize i = 0; self->notes[i] != NULL; i++)
    gmcp_json_writer_string (&writer, self->notes[i]);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}
