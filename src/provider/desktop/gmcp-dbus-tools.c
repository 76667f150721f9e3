/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/desktop/gmcp-dbus-tools.h>

#include "gmcp-chosen-members-private.h"
#include "gmcp-dbus-introspection-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-thread-check-private.h"
#include "gmcp-tool-provider-private.h"

#define INTROSPECTABLE "org.freedesktop.DBus.Introspectable"

/**
 * GmcpDBusTools:
 *
 * Tools out of methods and properties of one object on D-Bus. Nothing is a tool that was not added by its
 * name.
 *
 * The schemas are derived from what the object says of itself: it is asked when the provider is loaded,
 * and anew when another process has its name; or the program has it in XML and sets it with
 * [method@Gmcp.DBusTools.set_introspection_xml]. What a tool says that is given to
 * [method@Gmcp.DBusTools.add_method], its name, description, schemas or hints, stands in place of what is
 * derived. Its arguments keep their names.
 *
 * What a method gives back is structured content: an object with a member for each. Errors of the other
 * program are results that are errors, with the name that they have on D-Bus. A name that D-Bus can start
 * a program for is started by the call. Methods with file descriptors cannot be tools.
 *
 * It lives in the thread-default main context that it was made in.
 *
 * Since: 0.1
 */
struct _GmcpDBusTools
{
  GObject parent_instance;

  GMainContext *context;
  GmcpDBusPlace place;
  GmcpChosenMembers *chosen;
  guint watch;      /* 0 for none */
  char *owner;      /* who had the name last */
  gboolean has_xml; /* of the program's */
};

static void gmcp_dbus_tools_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpDBusTools,
                               gmcp_dbus_tools,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      gmcp_dbus_tools_iface_init))

typedef enum
{
  PROP_CONNECTION = 1,
  PROP_BUS_NAME,
  PROP_OBJECT_PATH,
} GmcpDBusToolsProperty;

static GParamSpec *properties[PROP_OBJECT_PATH + 1];

static gboolean
check_place (GmcpDBusTools *self, GError **error)
{
  const char *name = self->place.bus_name;
  const char *path = self->place.object_path;

  if (self->place.connection == NULL)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                         _ ("There is no connection to D-Bus"));
  else if (name != NULL && !g_dbus_is_name (name))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” cannot be a name on D-Bus"), name);
  else if (path == NULL || !g_variant_is_object_path (path))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” cannot be the path of an object on D-Bus"), path != NULL ? path : "");
  else
    return TRUE;

  return FALSE;
}

static void
prefix_with_place (GmcpDBusTools *self, GError **error)
{
  g_dbus_error_strip_remote_error (*error);
  g_prefix_error (error, _ ("The object %s of %s: "), self->place.object_path,
                  self->place.bus_name != NULL ? self->place.bus_name : "D-Bus");
}

static gboolean
take_introspection (GmcpDBusTools *self, GVariant *reply, GError **error)
{
  const char *xml;
  g_autoptr (GDBusNodeInfo) node = NULL;

  g_variant_get (reply, "(&s)", &xml);
  node = gmcp_dbus_introspection_parse (xml, error);
  if (node == NULL)
    return FALSE;

  /* A program that sets what the object has meanwhile knows better. */
  if (!self->has_xml)
    gmcp_chosen_members_set_node (self->chosen, node);
  return TRUE;
}

/* The object is asked what it is, for a load or since another process has its name. */
typedef struct
{
  GWeakRef tools;
  GmcpToolLoad *load; /* nullable */
} Introspection;

static void
introspection_free (Introspection *asked)
{
  g_weak_ref_clear (&asked->tools);
  g_clear_object (&asked->load);
  g_free (asked);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Introspection, introspection_free)

static void
on_introspected (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Introspection) asked = data;
  g_autoptr (GmcpDBusTools) self = g_weak_ref_get (&asked->tools);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (self == NULL)
    return;
  if (reply != NULL && take_introspection (self, reply, &error))
    {
      if (asked->load != NULL)
        gmcp_tool_load_return_success (asked->load);
      return;
    }

  prefix_with_place (self, &error);
  if (asked->load != NULL)
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (asked->load), error);
  else
    gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (self), NULL, GMCP_NOTICE_LEVEL_WARNING,
                                    error->message);
}

static void
ask_object (GmcpDBusTools *self, GmcpToolLoad *load)
{
  Introspection *asked = g_new0 (Introspection, 1);
  GCancellable *cancellable
    = load != NULL ? gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)) : NULL;

  g_weak_ref_init (&asked->tools, self);
  asked->load = load != NULL ? g_object_ref (load) : NULL;
  g_dbus_connection_call (self->place.connection, self->place.bus_name, self->place.object_path,
                          INTROSPECTABLE, "Introspect", NULL, G_VARIANT_TYPE ("(s)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, cancellable, on_introspected, asked);
}

/* Another process may have another object. The first one is asked by whoever loads. */
static void
on_name_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer data)
{
  GmcpDBusTools *self = data;
  g_autofree char *former = g_steal_pointer (&self->owner);

  self->owner = g_strdup (owner);
  if (former != NULL && !g_str_equal (former, owner) && !self->has_xml)
    ask_object (self, NULL);
}

static void
watch_name (GmcpDBusTools *self)
{
  if (self->watch != 0 || self->place.bus_name == NULL
      || g_dbus_connection_get_unique_name (self->place.connection) == NULL)
    return;

  self->watch = g_bus_watch_name_on_connection (self->place.connection, self->place.bus_name,
                                                G_BUS_NAME_WATCHER_FLAGS_NONE, on_name_appeared,
                                                NULL, self, NULL);
}

static void
gmcp_dbus_tools_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (provider);
  g_autoptr (GError) error = NULL;

  if (!check_place (self, &error))
    {
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
      return;
    }
  if (self->has_xml)
    {
      gmcp_tool_load_return_success (load);
      return;
    }
  watch_name (self);
  ask_object (self, load);
}

static GListModel *
gmcp_dbus_tools_get_tools (GmcpToolProvider *provider)
{
  return gmcp_chosen_members_get_list (GMCP_DBUS_TOOLS (provider)->chosen);
}

static void
gmcp_dbus_tools_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  gmcp_chosen_members_call (GMCP_DBUS_TOOLS (provider)->chosen, call);
}

static void
gmcp_dbus_tools_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_dbus_tools_get_tools;
  iface->load = gmcp_dbus_tools_load;
  iface->call_tool = gmcp_dbus_tools_call_tool;
}

static void
gmcp_dbus_tools_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (object);

  switch ((GmcpDBusToolsProperty) prop_id)
    {
    case PROP_CONNECTION:
      g_value_set_object (value, self->place.connection);
      break;
    case PROP_BUS_NAME:
      g_value_set_string (value, self->place.bus_name);
      break;
    case PROP_OBJECT_PATH:
      g_value_set_string (value, self->place.object_path);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_dbus_tools_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (object);

  switch ((GmcpDBusToolsProperty) prop_id)
    {
    case PROP_CONNECTION:
      self->place.connection = g_value_dup_object (value);
      break;
    case PROP_BUS_NAME:
      self->place.bus_name = g_value_dup_string (value);
      break;
    case PROP_OBJECT_PATH:
      self->place.object_path = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_dbus_tools_constructed (GObject *object)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (object);

  G_OBJECT_CLASS (gmcp_dbus_tools_parent_class)->constructed (object);

  self->chosen = gmcp_chosen_members_new (&self->place, GMCP_TOOL_PROVIDER (self));
}

static void
gmcp_dbus_tools_dispose (GObject *object)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (object);

  if (self->watch != 0)
    g_bus_unwatch_name (self->watch);
  self->watch = 0;

  G_OBJECT_CLASS (gmcp_dbus_tools_parent_class)->dispose (object);
}

static void
gmcp_dbus_tools_finalize (GObject *object)
{
  GmcpDBusTools *self = GMCP_DBUS_TOOLS (object);

  gmcp_chosen_members_free (self->chosen);
  g_clear_object (&self->place.connection);
  g_free (self->place.bus_name);
  g_free (self->place.object_path);
  g_free (self->owner);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_dbus_tools_parent_class)->finalize (object);
}

static void
gmcp_dbus_tools_class_init (GmcpDBusToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags
    = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_dbus_tools_get_property;
  object_class->set_property = gmcp_dbus_tools_set_property;
  object_class->constructed = gmcp_dbus_tools_constructed;
  object_class->dispose = gmcp_dbus_tools_dispose;
  object_class->finalize = gmcp_dbus_tools_finalize;

  /**
   * GmcpDBusTools:connection:
   *
   * The connection that the object is reached by.
   *
   * Since: 0.1
   */
  properties[PROP_CONNECTION]
    = g_param_spec_object ("connection", NULL, NULL, G_TYPE_DBUS_CONNECTION, flags);

  /**
   * GmcpDBusTools:bus-name:
   *
   * The name on the bus of the program that has the object; %NULL for a connection that is no bus.
   *
   * Since: 0.1
   */
  properties[PROP_BUS_NAME] = g_param_spec_string ("bus-name", NULL, NULL, NULL, flags);

  /**
   * GmcpDBusTools:object-path:
   *
   * The path of the object.
   *
   * Since: 0.1
   */
  properties[PROP_OBJECT_PATH] = g_param_spec_string ("object-path", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_dbus_tools_init (GmcpDBusTools *self)
{
  self->context = g_main_context_ref_thread_default ();
}

/**
 * gmcp_dbus_tools_new:
 * @connection: the connection that the object is reached by
 * @bus_name: (nullable): the name of the program that has it, or %NULL where the connection is no bus
 * @object_path: the path of the object
 *
 * Makes a provider without any tools. A name or a path that D-Bus does not allow is an error when the
 * provider is loaded, and when something is added.
 *
 * Returns: (transfer full): a new provider
 *
 * Since: 0.1
 */
GmcpDBusTools *
gmcp_dbus_tools_new (GDBusConnection *connection, const char *bus_name, const char *object_path)
{
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), NULL);
  g_return_val_if_fail (object_path != NULL, NULL);

  return g_object_new (GMCP_TYPE_DBUS_TOOLS, "connection", connection, "bus-name", bus_name,
                       "object-path", object_path, NULL);
}

/**
 * gmcp_dbus_tools_set_introspection_xml:
 * @self: tools out of an object
 * @xml: what the object has, in the form of `org.freedesktop.DBus.Introspectable`
 * @error: return location for an error
 *
 * Says what the object has. It is not asked any more then: the tools are there at once, also where the
 * program that has the object does not run.
 *
 * Fails with [error@Gmcp.Error] `LIMIT_EXCEEDED` where @xml has more than 1 MiB or is nested deeper than 32,
 * and with errors of #GMarkupError where it is no XML of that form.
 *
 * Returns: whether it could be read
 *
 * Since: 0.1
 */
gboolean
gmcp_dbus_tools_set_introspection_xml (GmcpDBusTools *self, const char *xml, GError **error)
{
  g_autoptr (GDBusNodeInfo) node = NULL;

  g_return_val_if_fail (GMCP_IS_DBUS_TOOLS (self), FALSE);
  g_return_val_if_fail (xml != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  node = gmcp_dbus_introspection_parse (xml, error);
  if (node == NULL)
    return FALSE;

  self->has_xml = TRUE;
  gmcp_chosen_members_set_node (self->chosen, node);
  return TRUE;
}

/**
 * gmcp_dbus_tools_add_method:
 * @self: tools out of an object
 * @interface_name: the interface that has the method
 * @method_name: the method
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that calls a method. It has the method's name, where @tool has no other. Before the object
 * was asked nobody knows whether it has the method: the tool is listed when that is known, and
 * [signal@Gmcp.ToolProvider::notice] tells why it is not.
 *
 * The annotations `org.gtk.GDBus.DocString` and `org.freedesktop.DBus.Deprecated` become the description,
 * and `org.gmcp.Tool.ReadOnly`, `.Destructive`, `.Idempotent` and `.OpenWorld` (`true` or `false`) hints. Another
 * value gives none.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where a name is none that D-Bus allows, or that of
 * another tool, with `UNKNOWN_TOOL` where it is known that the object does not have the method, and with
 * `NOT_SUPPORTED` for a method whose arguments JSON cannot carry.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_dbus_tools_add_method (GmcpDBusTools *self,
                            const char *interface_name,
                            const char *method_name,
                            GmcpTool *tool,
                            GError **error)
{
  g_return_val_if_fail (GMCP_IS_DBUS_TOOLS (self), FALSE);
  g_return_val_if_fail (interface_name != NULL, FALSE);
  g_return_val_if_fail (method_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC) || !check_place (self, error))
    return FALSE;

  return gmcp_chosen_members_add (self->chosen, GMCP_DBUS_CALL_METHOD, interface_name, method_name,
                                  tool, error);
}

/**
 * gmcp_dbus_tools_add_property_reader:
 * @self: tools out of an object
 * @interface_name: the interface that has the property
 * @property_name: the property
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that reads a property, and changes nothing: it answers with structured content that has the
 * member `value`. It is called `get-` and the property's name, where @tool has no other name.
 *
 * Fails as [method@Gmcp.DBusTools.add_method] does, also where the property cannot be read.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_dbus_tools_add_property_reader (GmcpDBusTools *self,
                                     const char *interface_name,
                                     const char *property_name,
                                     GmcpTool *tool,
                                     GError **error)
{
  g_return_val_if_fail (GMCP_IS_DBUS_TOOLS (self), FALSE);
  g_return_val_if_fail (interface_name != NULL, FALSE);
  g_return_val_if_fail (property_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC) || !check_place (self, error))
    return FALSE;

  return gmcp_chosen_members_add (self->chosen, GMCP_DBUS_READ_PROPERTY, interface_name,
                                  property_name, tool, error);
}

/**
 * gmcp_dbus_tools_add_property_writer:
 * @self: tools out of an object
 * @interface_name: the interface that has the property
 * @property_name: the property
 * @tool: (nullable): what is to be said in place of what is derived, or %NULL
 * @error: return location for an error
 *
 * Adds a tool that sets a property to its argument `value`. It is called `set-` and the property's name,
 * where @tool has no other name.
 *
 * Fails as [method@Gmcp.DBusTools.add_method] does, also where the property cannot be set.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_dbus_tools_add_property_writer (GmcpDBusTools *self,
                                     const char *interface_name,
                                     const char *property_name,
                                     GmcpTool *tool,
                                     GError **error)
{
  g_return_val_if_fail (GMCP_IS_DBUS_TOOLS (self), FALSE);
  g_return_val_if_fail (interface_name != NULL, FALSE);
  g_return_val_if_fail (property_name != NULL, FALSE);
  g_return_val_if_fail (tool == NULL || GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC) || !check_place (self, error))
    return FALSE;

  return gmcp_chosen_members_add (self->chosen, GMCP_DBUS_WRITE_PROPERTY, interface_name,
                                  property_name, tool, error);
}

/**
 * gmcp_dbus_tools_remove_tool:
 * @self: tools out of an object
 * @name: the name of a tool that was added, also one that is not listed
 *
 * Removes a tool. Calls that are under way end as they would have.
 *
 * Returns: whether there was one of that name
 *
 * Since: 0.1
 */
gboolean
gmcp_dbus_tools_remove_tool (GmcpDBusTools *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_DBUS_TOOLS (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  if (!gmcp_check_thread (self, self->context, G_STRFUNC))
    return FALSE;

  return gmcp_chosen_members_remove (self->chosen, name);
}
