/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-own-tools-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-private.h"

/* Lives as long as a call of it begins, also when it is removed in between. */
typedef struct
{
  GmcpTool *tool;
  GmcpJsonSchema *input; /* NULL for any object */
  GmcpToolFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} OwnTool;

struct _GmcpOwnTools
{
  GmcpObjectList *list;
  GPtrArray *tools; /* (element-type OwnTool), as they are listed */
};

static void
own_tool_clear (gpointer data)
{
  OwnTool *own = data;

  if (own->destroy != NULL)
    own->destroy (own->user_data);
  g_clear_pointer (&own->input, gmcp_json_schema_unref);
  g_clear_object (&own->tool);
}

static void
own_tool_unref (OwnTool *own)
{
  g_rc_box_release_full (own, own_tool_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OwnTool, own_tool_unref)

GmcpOwnTools *
gmcp_own_tools_new (void)
{
  GmcpOwnTools *self = g_new0 (GmcpOwnTools, 1);

  self->list = gmcp_object_list_new (GMCP_TYPE_TOOL);
  self->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) own_tool_unref);
  return self;
}

void
gmcp_own_tools_free (GmcpOwnTools *self)
{
  g_object_unref (self->list);
  g_ptr_array_unref (self->tools);
  g_free (self);
}

GListModel *
gmcp_own_tools_get_list (GmcpOwnTools *self)
{
  return G_LIST_MODEL (self->list);
}

static OwnTool *
find_tool (GmcpOwnTools *self, const char *name, guint *position)
{
  for (guint i = 0; i < self->tools->len; i++)
    {
      OwnTool *own = g_ptr_array_index (self->tools, i);

      if (g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (own->tool)), name))
        {
          if (position != NULL)
            *position = i;
          return own;
        }
    }
  return NULL;
}

gboolean
gmcp_own_tools_add (GmcpOwnTools *self,
                    GmcpTool *tool,
                    GmcpToolFunc func,
                    gpointer user_data,
                    GDestroyNotify destroy,
                    GError **error)
{
  GmcpJsonValue schema = gmcp_tool_get_input_schema_value (tool);
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (tool));
  GmcpJsonSchema *input = NULL;
  OwnTool *own;

  if (*name == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("A tool has no name"));
      return FALSE;
    }
  if (find_tool (self, name, NULL) != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("There is a tool called %s already"), name);
      return FALSE;
    }
  if (gmcp_json_value_is_present (schema))
    {
      input = gmcp_json_schema_compile (schema, NULL, error);
      if (input == NULL)
        {
          g_prefix_error (error, _ ("The input schema of the tool “%s”: "), name);
          return FALSE;
        }
    }

  own = g_rc_box_new0 (OwnTool);
  own->tool = g_object_ref (tool);
  own->input = input;
  own->func = func;
  own->user_data = user_data;
  own->destroy = destroy;
  g_ptr_array_add (self->tools, own);
  gmcp_object_list_splice (self->list, self->tools->len - 1, 0, (gpointer const *) &tool, 1);
  return TRUE;
}

gboolean
gmcp_own_tools_remove (GmcpOwnTools *self, const char *name)
{
  guint position;
  g_autoptr (OwnTool) own = find_tool (self, name, &position);

  if (own == NULL)
    return FALSE;

  g_ptr_array_steal_index (self->tools, position);
  gmcp_object_list_splice (self->list, position, 1, NULL, 0);
  return TRUE;
}

static gboolean
check_arguments (OwnTool *own, GmcpToolCall *call, GError **error)
{
  GmcpJsonValue arguments = gmcp_tool_call_get_arguments_value (call);
  g_autoptr (GmcpJsonDoc) none = NULL;

  if (own->input == NULL || gmcp_tool_call_is_checked_for (call, own->tool))
    return TRUE;

  if (!gmcp_json_value_is_present (arguments))
    {
      none = gmcp_json_doc_parse ("{}", strlen ("{}"), NULL, 0, NULL);
      arguments = gmcp_json_doc_get_root (none);
    }
  return gmcp_json_schema_validate (own->input, arguments, error);
}

void
gmcp_own_tools_call (GmcpOwnTools *self, GmcpToolCall *call)
{
  OwnTool *found = find_tool (self, gmcp_tool_call_get_name (call), NULL);
  g_autoptr (OwnTool) own = found != NULL ? g_rc_box_acquire (found) : NULL;
  g_autoptr (GError) error = NULL;

  if (own == NULL)
    {
      error = g_error_new (GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("There is no tool called %s"),
                           gmcp_tool_call_get_name (call));
      gmcp_tool_call_return_error (call, error);
      return;
    }

  if (!check_arguments (own, call, &error))
    {
      /* For the model to read, and to try again. */
      g_autofree char *message
        = g_strdup_printf (_ ("The arguments of %s do not fit: %s"),
                           gmcp_definition_get_name (GMCP_DEFINITION (own->tool)), error->message);
      g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_error (message);

      gmcp_tool_call_return_result (call, result);
      return;
    }

  gmcp_tool_call_guard (call);
  own->func (call, own->user_data);
}
