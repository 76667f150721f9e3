/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include "gmcp-config-load-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-source-private.h"
#include "gmcp-limits.h"
#include "gmcp-settings-check-private.h"
#include "gmcp-settings-config-source-private.h"
#include "gmcp-settings-locks-private.h"
#include "gmcp-settings-policy-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

enum
{
  ROLES,
  PROJECTS,
  REQUIREMENTS,
  N_POLICIES
};

/**
 * GmcpSettingsConfigSource:
 *
 * Servers from GSettings: the ids in the key `servers` of `org.gmcp.Manager`, and for each of them
 * the keys of `org.gmcp.Server` at `/org/gmcp/servers/ID/`. In the same way roles, from the key `roles`
 * and `org.gmcp.Role` at `/org/gmcp/roles/NAME/`, and requirements, from the key `requirements` and
 * `org.gmcp.Requirements` at `/org/gmcp/requirements/NAME/`.
 *
 * Keys are there for what people and administrators set; the rest of a [class@Gmcp.ServerConfig] is for files and
 * programs, and is as by default here.
 *
 * From the first load on the list follows the settings. A change of the key `servers` is taken at
 * once; changes of one server's keys are taken together 250 ms after the first, since a dialog
 * writes several. Where no schema is installed the list is empty and
 * [signal@Gmcp.ConfigSource::problem-found] says so.
 *
 * What is wrong is in [property@Gmcp.ConfigSource:findings], with the path of the key: an id that is none
 * or stands in the list twice, which is left out; a value of another type than the key's, or a word that it
 * does not know; a number out of its range; a server that is enabled and cannot be started with what is set.
 * A server that was enabled and well before goes on with what was set then, until its settings are mended
 * or it is disabled. Where there is no before, the default holds in place of a number, and a server with
 * a value of another type is off.
 *
 * Since: 0.1
 */
struct _GmcpSettingsConfigSource
{
  GmcpConfigSource parent_instance;

  GMainContext *context;
  GSettingsBackend *backend; /* NULL for the default */
  GSettings *settings;       /* NULL before the first load, and without a schema */
  GmcpSettingsList *servers;
  GmcpSettingsList *policies[N_POLICIES];
  GmcpSettingsLocks *locks; /* NULL before the first load */
  void (*locks_changed) (gpointer);
  gpointer locks_data;
  GSource *delay; /* runs while a child has changed */
  guint delay_ms;
};

G_DEFINE_FINAL_TYPE (GmcpSettingsConfigSource, gmcp_settings_config_source, GMCP_TYPE_CONFIG_SOURCE)

typedef enum
{
  PROP_BACKEND = 1,
  PROP_DELAY_MS,
} GmcpSettingsConfigSourceProperty;

static GParamSpec *properties[PROP_DELAY_MS + 1];

/* A GSettings object signals in the context that is the thread's default when it is made. */
static GSettings *
open_settings (GmcpSettingsConfigSource *self, GSettingsSchema *schema)
{
  GSettings *settings;

  g_main_context_push_thread_default (self->context);
  settings = g_settings_new_full (schema, self->backend, NULL);
  g_main_context_pop_thread_default (self->context);
  return settings;
}

/* All that is said of the manager's own keys, of servers, and of what is told about them. */
static void
publish_findings (GmcpSettingsConfigSource *self)
{
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) subjects = g_ptr_array_new_with_free_func (g_free);

  gmcp_settings_find_problems (self->settings, findings);
  g_ptr_array_set_size (subjects, (int) findings->len);
  gmcp_settings_list_add_findings (self->servers, findings, subjects);
  for (guint i = 0; i < N_POLICIES; i++)
    gmcp_settings_list_add_findings (self->policies[i], findings, NULL);
  g_ptr_array_set_size (subjects, (int) findings->len);
  gmcp_config_source_set_left_out (GMCP_CONFIG_SOURCE (self), findings, subjects);
}

static void
read_servers (GmcpSettingsConfigSource *self)
{
  g_autoptr (GmcpSettingsConfigSource) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GPtrArray) configs = gmcp_settings_list_read (self->servers);

  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self), (GmcpServerConfig **) configs->pdata,
                                  configs->len);
  publish_findings (self);
}

static gboolean
on_delay_over (gpointer data)
{
  GmcpSettingsConfigSource *self = data;

  g_clear_pointer (&self->delay, g_source_unref);
  read_servers (self);
  return G_SOURCE_REMOVE;
}

/* A dialog writes several keys of a server. */
static void
on_servers_changed (GmcpSettingsListChange change, gpointer data)
{
  GmcpSettingsConfigSource *self = data;

  if (change == GMCP_SETTINGS_LIST_NAMES)
    {
      read_servers (self);
    }
  else if (self->delay == NULL)
    {
      self->delay = g_timeout_source_new (self->delay_ms);
      g_source_set_static_name (self->delay, "[gmcp] settings changed");
      g_source_set_callback (self->delay, on_delay_over, self, NULL);
      g_source_attach (self->delay, self->context);
    }
}

static void
read_policies (GmcpSettingsConfigSource *self)
{
  GPtrArray *read[N_POLICIES];

  for (guint i = 0; i < N_POLICIES; i++)
    read[i] = gmcp_settings_list_read (self->policies[i]);
  gmcp_config_source_set_policy (GMCP_CONFIG_SOURCE (self), read[ROLES], read[REQUIREMENTS],
                                 read[PROJECTS]);
  for (guint i = 0; i < N_POLICIES; i++)
    g_ptr_array_unref (read[i]);
}

/* Taken at once, since a rule may forbid something. */
static void
on_policy_changed (GmcpSettingsListChange change, gpointer data)
{
  GmcpSettingsConfigSource *self = data;
  g_autoptr (GmcpSettingsConfigSource) alive G_GNUC_UNUSED = g_object_ref (self);

  read_policies (self);
  publish_findings (self);
}

/* All who follow a key would be given the default in place of what cannot be read; what was there before
 * stays where they are not told. */
static gboolean
on_settings_changed (GSettings *settings,
                     const GQuark *quarks,
                     int n_quarks,
                     GmcpSettingsConfigSource *self)
{
  g_autoptr (GmcpSettingsConfigSource) alive G_GNUC_UNUSED = g_object_ref (self);
  /* A binding knows its key by the address of the name, which is the quark's. */
  g_autoptr (GPtrArray) fine = g_ptr_array_new ();
  gboolean all_fine = TRUE;

  for (int i = 0; i < n_quarks; i++)
    {
      const char *key = g_quark_to_string (quarks[i]);

      if (gmcp_settings_check_value (settings, key, NULL) == GMCP_SETTINGS_VALUE_FINE)
        g_ptr_array_add (fine, (gpointer) key);
      else
        all_fine = FALSE;
    }

  for (guint i = 0; i < fine->len && !all_fine; i++)
    {
      const char *key = g_ptr_array_index (fine, i);
      g_autofree char *signal = g_strconcat ("changed::", key, NULL);

      g_signal_emit_by_name (settings, signal, key);
    }
  if (self->servers != NULL)
    publish_findings (self);
  return !all_fine;
}

static void
on_locks_changed (gpointer data)
{
  GmcpSettingsConfigSource *self = data;

  if (self->locks_changed != NULL)
    self->locks_changed (self->locks_data);
}

static void
open_policies (GmcpSettingsConfigSource *self)
{
  static const GmcpSettingsListKind *const kinds[N_POLICIES] = {
    [ROLES] = &gmcp_settings_roles,
    [PROJECTS] = &gmcp_settings_projects,
    [REQUIREMENTS] = &gmcp_settings_requirements,
  };

  for (guint i = 0; i < N_POLICIES; i++)
    self->policies[i]
      = gmcp_settings_list_new (kinds[i], self->settings, self->backend, on_policy_changed, self);
}

static void
open_lists (GmcpSettingsConfigSource *self, GSettingsSchema *server_schema)
{
  g_main_context_push_thread_default (self->context);
  self->servers = gmcp_settings_list_new (&gmcp_settings_servers, self->settings, self->backend,
                                          on_servers_changed, self);
  open_policies (self);
  self->locks = gmcp_settings_locks_new (self->backend, server_schema, on_locks_changed, self);
  g_main_context_pop_thread_default (self->context);
}

static gboolean
open_all (GmcpSettingsConfigSource *self)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsSchema) server_schema = NULL;
  g_autoptr (GError) error = NULL;

  schema = gmcp_settings_lookup_manager_schema (&error);
  if (schema != NULL)
    server_schema = gmcp_settings_lookup_server_schema (&error);
  if (error != NULL)
    {
      gmcp_config_source_report (GMCP_CONFIG_SOURCE (self), NULL, error);
      return FALSE;
    }

  self->settings = open_settings (self, schema);
  g_signal_connect_object (self->settings, "change-event", G_CALLBACK (on_settings_changed), self,
                           0);
  open_lists (self, server_schema);
  read_policies (self);
  return TRUE;
}

static void
gmcp_settings_config_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (source);

  if (self->settings != NULL || open_all (self))
    read_servers (self);
  gmcp_config_load_return_success (load);
}

static void
gmcp_settings_config_source_constructed (GObject *object)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (object);

  G_OBJECT_CLASS (gmcp_settings_config_source_parent_class)->constructed (object);

  self->context = g_main_context_ref_thread_default ();
}

static void
gmcp_settings_config_source_dispose (GObject *object)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (object);

  if (self->delay != NULL)
    g_source_destroy (self->delay);
  g_clear_pointer (&self->delay, g_source_unref);
  g_clear_pointer (&self->servers, gmcp_settings_list_free);
  for (guint i = 0; i < N_POLICIES; i++)
    g_clear_pointer (&self->policies[i], gmcp_settings_list_free);
  g_clear_pointer (&self->locks, gmcp_settings_locks_free);
  g_clear_object (&self->settings);
  g_clear_object (&self->backend);

  G_OBJECT_CLASS (gmcp_settings_config_source_parent_class)->dispose (object);
}

static void
gmcp_settings_config_source_finalize (GObject *object)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (object);

  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_settings_config_source_parent_class)->finalize (object);
}

static void
gmcp_settings_config_source_get_property (GObject *object,
                                          guint prop_id,
                                          GValue *value,
                                          GParamSpec *pspec)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (object);

  switch ((GmcpSettingsConfigSourceProperty) prop_id)
    {
    case PROP_BACKEND:
      g_value_set_object (value, self->backend);
      break;
    case PROP_DELAY_MS:
      g_value_set_uint (value, self->delay_ms);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_settings_config_source_set_property (GObject *object,
                                          guint prop_id,
                                          const GValue *value,
                                          GParamSpec *pspec)
{
  GmcpSettingsConfigSource *self = GMCP_SETTINGS_CONFIG_SOURCE (object);

  switch ((GmcpSettingsConfigSourceProperty) prop_id)
    {
    case PROP_BACKEND:
      self->backend = g_value_dup_object (value);
      break;
    case PROP_DELAY_MS:
      self->delay_ms = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_settings_config_source_class_init (GmcpSettingsConfigSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_settings_config_source_constructed;
  object_class->dispose = gmcp_settings_config_source_dispose;
  object_class->finalize = gmcp_settings_config_source_finalize;
  object_class->get_property = gmcp_settings_config_source_get_property;
  object_class->set_property = gmcp_settings_config_source_set_property;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = gmcp_settings_config_source_load;

  /**
   * GmcpSettingsConfigSource:backend:
   *
   * The `GSettingsBackend` to read from; %NULL for the one of the session. A key file or memory
   * serves where there is no session.
   *
   * Since: 0.1
   */
  properties[PROP_BACKEND]
    = g_param_spec_object ("backend", NULL, NULL, G_TYPE_SETTINGS_BACKEND, flags);

  /**
   * GmcpSettingsConfigSource:delay-ms:
   *
   * How long after the first change of a server's keys they are read, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_DELAY_MS] = g_param_spec_uint ("delay-ms", NULL, NULL, 0, G_MAXUINT,
                                                 GMCP_DEFAULT_SETTINGS_DELAY_MS, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_settings_config_source_init (GmcpSettingsConfigSource *self)
{
}

/**
 * gmcp_settings_config_source_new:
 *
 * Makes a source for the servers of the session's settings. Nothing is read before the first load.
 *
 * Returns: (transfer full): a source
 *
 * Since: 0.1
 */
GmcpSettingsConfigSource *
gmcp_settings_config_source_new (void)
{
  return g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, NULL);
}

/**
 * gmcp_settings_config_source_get_settings:
 * @self: a source
 *
 * Gives the settings that hold for all servers, `org.gmcp.Manager`.
 *
 * Returns: (transfer none) (nullable): settings; %NULL before the first load, and where no schema is
 *   installed
 *
 * Since: 0.1
 */
GSettings *
gmcp_settings_config_source_get_settings (GmcpSettingsConfigSource *self)
{
  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), NULL);

  return self->settings;
}

GSettingsBackend *
gmcp_settings_config_source_ref_backend (GmcpSettingsConfigSource *self)
{
  return self->backend != NULL ? g_object_ref (self->backend) : NULL;
}

void
gmcp_settings_config_source_watch_locks (GmcpSettingsConfigSource *self,
                                         void (*changed) (gpointer),
                                         gpointer data)
{
  self->locks_changed = changed;
  self->locks_data = data;
}

GmcpServerConfig *
gmcp_settings_config_source_lock (GmcpSettingsConfigSource *self, GmcpServerConfig *config)
{
  return self->locks != NULL ? gmcp_settings_locks_apply (self->locks, config)
                             : g_object_ref (config);
}

gboolean
gmcp_settings_config_source_is_locked (GmcpSettingsConfigSource *self, const char *key)
{
  return self->settings != NULL && !g_settings_is_writable (self->settings, key);
}
