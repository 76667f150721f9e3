/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-load-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-object-list-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/source/gmcp-config-source.h>

/**
 * GmcpConfigSource:
 *
 * A place that configurations of servers come from: a live list of [class@Gmcp.ServerConfig].
 *
 * A source reads nothing before [method@Gmcp.ConfigSource.load_async] is called the first time. One
 * that can be watched changes its list by itself from then on.
 *
 * Since: 0.1
 */
typedef struct
{
  GmcpObjectList *servers;
  GListStore *findings;
} GmcpConfigSourcePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpConfigSource, gmcp_config_source, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVERS = 1,
  PROP_FINDINGS,
} GmcpConfigSourceProperty;

enum
{
  SIGNAL_PROBLEM_FOUND,
  SIGNAL_POLICY_CHANGED,
  N_SIGNALS
};

static GParamSpec *properties[PROP_FINDINGS + 1];
static guint signals[N_SIGNALS];

static void
gmcp_config_source_finalize (GObject *object)
{
  GmcpConfigSource *self = GMCP_CONFIG_SOURCE (object);
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);

  g_object_unref (priv->servers);
  g_object_unref (priv->findings);

  G_OBJECT_CLASS (gmcp_config_source_parent_class)->finalize (object);
}

static void
gmcp_config_source_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpConfigSource *self = GMCP_CONFIG_SOURCE (object);

  switch ((GmcpConfigSourceProperty) prop_id)
    {
    case PROP_SERVERS:
      g_value_set_object (value, gmcp_config_source_get_servers (self));
      break;
    case PROP_FINDINGS:
      g_value_set_object (value, gmcp_config_source_get_findings (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_source_class_init (GmcpConfigSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_config_source_finalize;
  object_class->get_property = gmcp_config_source_get_property;

  /**
   * GmcpConfigSource:servers:
   *
   * The live list of [class@Gmcp.ServerConfig]; always the same object.
   *
   * Since: 0.1
   */
  properties[PROP_SERVERS] = g_param_spec_object ("servers", NULL, NULL, G_TYPE_LIST_MODEL,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * GmcpConfigSource:findings: (getter get_findings)
   *
   * The live list of [class@Gmcp.ConfigFinding]; always the same object.
   *
   * Since: 0.1
   */
  properties[PROP_FINDINGS] = g_param_spec_object ("findings", NULL, NULL, G_TYPE_LIST_MODEL,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpConfigSource::problem-found:
   * @self: a source
   * @server_id: (nullable): the server that it is about, as it is named there
   * @error: what is wrong
   *
   * Emitted for a part of the configuration that cannot be used and is left out, while the rest is
   * used.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROBLEM_FOUND]
    = g_signal_new ("problem-found", GMCP_TYPE_CONFIG_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_ERROR);

  /**
   * GmcpConfigSource::policy-changed:
   * @self: a source
   *
   * Emitted when the source says something else about roles, requirements and projects, or about
   * all servers.
   *
   * Since: 0.1
   */
  signals[SIGNAL_POLICY_CHANGED]
    = g_signal_new ("policy-changed", GMCP_TYPE_CONFIG_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);
}

void
gmcp_config_source_policy_changed (GmcpConfigSource *self)
{
  g_signal_emit (self, signals[SIGNAL_POLICY_CHANGED], 0);
}

static void
gmcp_config_source_init (GmcpConfigSource *self)
{
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);

  priv->servers = gmcp_object_list_new (GMCP_TYPE_SERVER_CONFIG);
  priv->findings = g_list_store_new (GMCP_TYPE_CONFIG_FINDING);
}

/**
 * gmcp_config_source_get_servers:
 * @self: a source
 *
 * Gives the live list of [class@Gmcp.ServerConfig]; always the same object.
 *
 * Returns: (transfer none): a list
 *
 * Since: 0.1
 */
GListModel *
gmcp_config_source_get_servers (GmcpConfigSource *self)
{
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);

  g_return_val_if_fail (GMCP_IS_CONFIG_SOURCE (self), NULL);

  return G_LIST_MODEL (priv->servers);
}

/**
 * gmcp_config_source_find_server:
 * @self: a source
 * @server_id: the id of a server
 *
 * Gives a server as it is configured here, whatever another source or a manager makes of it.
 *
 * Returns: (transfer full) (nullable): its configuration, or %NULL where there is none of that id
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_config_source_find_server (GmcpConfigSource *self, const char *server_id)
{
  GListModel *servers = gmcp_config_source_get_servers (self);
  guint n_servers = servers != NULL ? g_list_model_get_n_items (servers) : 0;

  g_return_val_if_fail (server_id != NULL, NULL);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);

      if (g_str_equal (gmcp_server_config_get_id (config), server_id))
        return g_steal_pointer (&config);
    }
  return NULL;
}

/**
 * gmcp_config_source_get_findings:
 * @self: a source
 *
 * Gives the live list of [class@Gmcp.ConfigFinding]: what is to be said about the configuration as it
 * was last read, also where it could not be used. Always the same object.
 *
 * Returns: (transfer none): a list
 *
 * Since: 0.1
 */
GListModel *
gmcp_config_source_get_findings (GmcpConfigSource *self)
{
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);

  g_return_val_if_fail (GMCP_IS_CONFIG_SOURCE (self), NULL);

  return G_LIST_MODEL (priv->findings);
}

/**
 * gmcp_config_source_load_async:
 * @self: a source
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Brings the list up to date. Fails where the configuration as a whole cannot be read, mostly with
 * %GMCP_ERROR_INVALID_CONFIG, and with %GMCP_ERROR_TIMED_OUT where a source of the program's own does not
 * answer within 30 seconds; the list stays as it was then.
 *
 * Since: 0.1
 */
void
gmcp_config_source_load_async (GmcpConfigSource *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GmcpConfigLoad) load = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_source_load_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (GMCP_CONFIG_SOURCE_GET_CLASS (self)->load == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                               _ ("%s cannot load a configuration"), G_OBJECT_TYPE_NAME (self));
      return;
    }

  load = gmcp_config_load_new_take (g_steal_pointer (&task));
  if (!GMCP_CONFIG_SOURCE_GET_CLASS (self)->keeps_time)
    gmcp_config_load_guard (load, GMCP_DEFAULT_CALL_TIMEOUT_MS);
  GMCP_CONFIG_SOURCE_GET_CLASS (self)->load (self, load);
}

/**
 * gmcp_config_source_load_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigSource.load_async].
 *
 * Returns: whether the list is up to date
 *
 * Since: 0.1
 */
gboolean
gmcp_config_source_load_finish (GmcpConfigSource *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_source_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static GHashTable *
list_by_id (GmcpObjectList *list)
{
  GHashTable *by_id = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < gmcp_object_list_get_length (list); i++)
    {
      GmcpServerConfig *config = gmcp_object_list_peek (list, i);

      g_hash_table_insert (by_id, (gpointer) gmcp_server_config_get_id (config), config);
    }
  return by_id;
}

/* The former object where the configuration is equal. */
static GmcpServerConfig *
choose_object (GHashTable *by_id, GmcpServerConfig *config)
{
  const char *id = gmcp_server_config_get_id (config);
  GmcpServerConfig *present = g_hash_table_lookup (by_id, id);

  if (present == NULL
      || gmcp_server_config_has_default_start (present)
           != gmcp_server_config_has_default_start (config)
      || !gmcp_server_config_equal (present, config))
    return config;

  g_hash_table_remove (by_id, id);
  return present;
}

/**
 * gmcp_config_source_set_servers:
 * @self: a source
 * @servers: (array length=n_servers) (transfer none): the configurations, in order
 * @n_servers: how many there are
 *
 * Replaces the list, for those who implement a source. Configurations that are equal to what was
 * there stay the same objects; the list changes in one step, and nothing is signalled where nothing
 * changed.
 *
 * Since: 0.1
 */
void
gmcp_config_source_set_servers (GmcpConfigSource *self, GmcpServerConfig **servers, guint n_servers)
{
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);
  g_autoptr (GPtrArray) items = g_ptr_array_sized_new (n_servers);
  g_autoptr (GHashTable) by_id = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (self));
  g_return_if_fail (n_servers == 0 || servers != NULL);

  by_id = list_by_id (priv->servers);
  for (guint i = 0; i < n_servers; i++)
    g_ptr_array_add (items, choose_object (by_id, servers[i]));
  gmcp_object_list_set_items (priv->servers, items->pdata, items->len);
}

static gboolean
same_findings (GListModel *list, GmcpConfigFinding **findings, guint n_findings)
{
  if (g_list_model_get_n_items (list) != n_findings)
    return FALSE;

  for (guint i = 0; i < n_findings; i++)
    {
      g_autoptr (GmcpConfigFinding) present = g_list_model_get_item (list, i);
      g_autofree char *text = gmcp_config_finding_dup_text (present);
      g_autofree char *other = gmcp_config_finding_dup_text (findings[i]);

      if (!g_str_equal (text, other))
        return FALSE;
    }
  return TRUE;
}

/* FALSE where that is what was there. */
static gboolean
replace_findings (GmcpConfigSource *self, GmcpConfigFinding **findings, guint n_findings)
{
  GmcpConfigSourcePrivate *priv = gmcp_config_source_get_instance_private (self);

  if (same_findings (G_LIST_MODEL (priv->findings), findings, n_findings))
    return FALSE;

  g_list_store_splice (priv->findings, 0, g_list_model_get_n_items (G_LIST_MODEL (priv->findings)),
                       (gpointer *) findings, n_findings);
  return TRUE;
}

static void
tell_of (GmcpConfigSource *self, GmcpConfigFinding *finding, const char *server_id)
{
  g_autofree char *text = gmcp_config_finding_dup_text (finding);
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, text);

  gmcp_config_source_report (self, server_id, error);
}

/**
 * gmcp_config_source_set_findings:
 * @self: a source
 * @findings: (array length=n_findings) (transfer none): what is to be said, in order
 * @n_findings: how many there are
 *
 * Replaces the list of findings, for those who implement a source. What is to be told to the user is
 * a warning, and is also signalled by [signal@Gmcp.ConfigSource::problem-found] when it is new;
 * errors are what a load fails with, or what [method@Gmcp.ConfigSource.report] tells of.
 *
 * Since: 0.1
 */
void
gmcp_config_source_set_findings (GmcpConfigSource *self,
                                 GmcpConfigFinding **findings,
                                 guint n_findings)
{
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (self));
  g_return_if_fail (n_findings == 0 || findings != NULL);

  if (!replace_findings (self, findings, n_findings))
    return;

  for (guint i = 0; i < n_findings; i++)
    {
      if (gmcp_config_finding_get_severity (findings[i]) == GMCP_NOTICE_LEVEL_WARNING)
        tell_of (self, findings[i], NULL);
    }
}

void
gmcp_config_source_set_left_out (GmcpConfigSource *self, GPtrArray *findings, GPtrArray *ids)
{
  if (!replace_findings (self, (GmcpConfigFinding **) findings->pdata, findings->len))
    return;

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);

      if (gmcp_config_finding_get_severity (finding) != GMCP_NOTICE_LEVEL_INFO)
        tell_of (self, finding, g_ptr_array_index (ids, i));
    }
}

/**
 * gmcp_config_source_report:
 * @self: a source
 * @server_id: (nullable): the server that it is about, as it is named there
 * @error: what is wrong, without a secret
 *
 * Says that a part of the configuration is left out, for those who implement a source.
 *
 * Since: 0.1
 */
void
gmcp_config_source_report (GmcpConfigSource *self, const char *server_id, const GError *error)
{
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (self));
  g_return_if_fail (error != NULL);

  g_debug ("Left out of the configuration: %s", error->message);
  g_signal_emit (self, signals[SIGNAL_PROBLEM_FOUND], 0, server_id, error);
}
