/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/desktop/gmcp-object-tools.h>

#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-object-method-private.h"
#include "gmcp-own-tools-private.h"
#include "gmcp-thread-check-private.h"

/**
 * GmcpObjectTools:
 *
 * Tools out of the methods of one object, by its introspection data. Nothing is a tool that was not added
 * by its name.
 *
 * A tool is derived from its method: the arguments have the names and types of the introspection data, an
 * enumeration is one of its nicks and flags are a list of them, and what may be %NULL need not be given. A
 * cancellable, and the length of the text before it, are left out. What the method gives back is structured
 * content: `result`, and a member for each argument that it sets. An error that it throws is a result that is an
 * error. What a tool says that is given to [method@Gmcp.ObjectTools.add_method], its name, description, schemas or
 * hints, stands in place of what is derived; the arguments keep their names. Hints may stand in the data as well:
 * as attributes `org.gmcp.Tool.ReadOnly`, `.Destructive`, `.Idempotent` and `.OpenWorld`, `true` or `false`; another
 * value gives none.
 *
 * Methods that take or give objects, structures or functions cannot be tools, so that those with a callback
 * cannot, nor can those that every #GObject has. A method is called in the main context of the object's tools, and
 * holds it up until it returns: neither a cancellation nor the time limit of the call is noticed before.
 *
 * What a method demands of its arguments beside their types is for the program to see to: a model may give
 * anything that the schema lets in, and where the reference forbids it the method warns, does nothing, or ends the
 * program. The schema of the tool that is given is the place to narrow it, with `enum` for instance.
 *
 * The data of a namespace have to be loaded: in Python and GJS they are, a program in C or Vala calls
 * [func@Gmcp.ObjectTools.require]. Classes of the program's own have none; what they inherit can be tools. The
 * library needs girepository for all this, without which nothing can be added.
 *
 * It lives in the thread-default main context that it was made in, as the object has to.
 *
 * Since: 0.1
 */
struct _GmcpObjectTools
{
  GObject parent_instance;

  GMainContext *context;
  GObject *object; /* nullable */
  GmcpOwnTools *tools;
};

static void gmcp_object_tools_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpObjectTools,
                               gmcp_object_tools,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      gmcp_object_tools_iface_init))

typedef enum
{
  PROP_OBJECT = 1,
} GmcpObjectToolsProperty;

static GParamSpec *properties[PROP_OBJECT + 1];

static GListModel *
gmcp_object_tools_get_tools (GmcpToolProvider *provider)
{
  return gmcp_own_tools_get_list (GMCP_OBJECT_TOOLS (provider)->tools);
}

static void
gmcp_object_tools_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  g_autoptr (GmcpToolProvider) alive = g_object_ref (provider);

  gmcp_own_tools_call (GMCP_OBJECT_TOOLS (alive)->tools, call);
}

static void
gmcp_object_tools_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_object_tools_get_tools;
  iface->call_tool = gmcp_object_tools_call_tool;
}

static void
gmcp_object_tools_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpObjectTools *self = GMCP_OBJECT_TOOLS (object);

  switch ((GmcpObjectToolsProperty) prop_id)
    {
    case PROP_OBJECT:
      g_value_set_object (value, self->object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_object_tools_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  GmcpObjectTools *self = GMCP_OBJECT_TOOLS (object);

  switch ((GmcpObjectToolsProperty) prop_id)
    {
    case PROP_OBJECT:
      self->object = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_object_tools_finalize (GObject *object)
{
  GmcpObjectTools *self = GMCP_OBJECT_TOOLS (object);

  gmcp_own_tools_free (self->tools);
  g_clear_object (&self->object);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_object_tools_parent_class)->finalize (object);
}

static void
gmcp_object_tools_class_init (GmcpObjectToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_object_tools_get_property;
  object_class->set_property = gmcp_object_tools_set_property;
  object_class->finalize = gmcp_object_tools_finalize;

  /**
   * GmcpObjectTools:object:
   *
   * The object whose methods become tools.
   *
   * Since: 0.1
   */
  properties[PROP_OBJECT] = g_param_spec_object (
    "object", NULL, NULL, G_TYPE_OBJECT,
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_object_tools_init (GmcpObjectTools *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->tools = gmcp_own_tools_new ();
}

/**
 * gmcp_object_tools_new:
 * @object: an object
 *
 * Makes a provider without any tools. It keeps the object.
 *
 * Returns: (transfer full): a new provider
 *
 * Since: 0.1
 */
GmcpObjectTools *
gmcp_object_tools_new (GObject *object)
{
  g_return_val_if_fail (G_IS_OBJECT (object), NULL);

  return g_object_new (GMCP_TYPE_OBJECT_TOOLS, "object", object, NULL);
}

#ifdef HAVE_GIREPOSITORY

typedef struct
{
  GmcpObjectMethod *method;
  GObject *object;
} ChosenMethod;

static void
chosen_method_free (gpointer data)
{
  ChosenMethod *chosen = data;

  gmcp_object_method_unref (chosen->method);
  g_object_unref (chosen->object);
  g_free (chosen);
}

/* The method may remove the tool. */
static void
handle_call (GmcpToolCall *call, gpointer data)
{
  ChosenMethod *chosen = data;
  g_autoptr (GmcpObjectMethod) method = gmcp_object_method_ref (chosen->method);
  g_autoptr (GObject) object = g_object_ref (chosen->object);

  gmcp_object_method_call (method, object, call);
}

static gboolean
require_data (const char *namespace_name, const char *version, GError **error)
{
  return gmcp_object_method_require (namespace_name, version, error);
}

static gboolean
add_method (GmcpObjectTools *self, const char *method_name, GmcpTool *given, GError **error)
{
  g_autoptr (GmcpObjectMethod) method = gmcp_object_method_new (self->object, method_name, error);
  g_autofree char *definition = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  ChosenMethod *chosen;

  if (method == NULL)
    return FALSE;
  definition = gmcp_object_method_dup_definition (method);
  tool = gmcp_derived_tool_new (definition, given, error);
  if (tool == NULL || !gmcp_object_method_check_tool (method, tool, error))
    return FALSE;

  chosen = g_new (ChosenMethod, 1);
  chosen->method = g_steal_pointer (&method);
  chosen->object = g_object_ref (self->object);
  if (gmcp_own_tools_add (self->tools, tool, handle_call, chosen, chosen_method_free, error))
    return TRUE;

  chosen_method_free (chosen);
  return FALSE;
}

#else

static gboolean
require_data (const char *namespace_name, const char *version, GError **error)
{
  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    _ ("gmcp was built without girepository, so that methods of objects cannot be "
       "tools"));
  return FALSE;
}

static gboolean
add_method (GmcpObjectTools *self, const char *method_name, GmcpTool *given, GError **error)
{
  return require_data (NULL, NULL, error);
}

#endif

/**
 * gmcp_object_tools_require:
 * @namespace_name: a namespace, such as `Gtk`
 * @version: (nullable): its version, such as `4.0`, or %NULL for the newest that there is
 * @error: return location for an error
 *
 * Loads the introspection data of a namespace for the whole process, and those that they need. Loading them
 * once more does nothing.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the library was built without girepository, and with the
 * errors of that where there are no such data, or another version of them is loaded.
 *
 * Returns: whether they are there
 *
 * Since: 0.1
 */
gboolean
gmcp_object_tools_require (const char *namespace_name, const char *version, GError **error)
{
  g_return_val_if_fail (namespace_name != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return require_data (namespace_name, version, error);
}

/**
 * gmcp_object_tools_add_method:
 * @self: tools out of an object
 * @method_name: the method, as the introspection data call it, such as `set_title`
 * @tool: (nullable): what is said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that calls a method of the object: of its class, of one that this is made of, or of an
 * interface. It is called as the method unless @tool has another name.
 *
 * Fails with [error@Gmcp.Error] `UNKNOWN_TOOL` where there is no such method, or its data are not loaded;
 * `NOT_SUPPORTED` where JSON has no form for what it takes or gives; `INVALID_ARGUMENT` where there is a tool of
 * that name, or a schema of @tool is none, or has other arguments than the method.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_object_tools_add_method (GmcpObjectTools *self,
                              const char *method_name,
                              GmcpTool *tool,
                              GError **error)
{
  g_return_val_if_fail (GMCP_IS_OBJECT_TOOLS (self), FALSE);
  g_return_val_if_fail (method_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  if (self->object == NULL)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("There is no object"));
      return FALSE;
    }
  return add_method (self, method_name, tool, error);
}

/**
 * gmcp_object_tools_remove_tool:
 * @self: tools out of an object
 * @name: a tool's name
 *
 * Removes a tool. Calls that are under way go on.
 *
 * Returns: whether there was one of that name
 *
 * Since: 0.1
 */
gboolean
gmcp_object_tools_remove_tool (GmcpObjectTools *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_OBJECT_TOOLS (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_own_tools_remove (self->tools, name);
}
