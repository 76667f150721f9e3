/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-report-private.h"

/**
 * GmcpServerReport:
 *
 * What became of one of the servers that something was done with, as by
 * [method@Gmcp.Manager.start_all_async]. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpServerReport
{
  GObject parent_instance;

  char *server;
  GError *error; /* NULL where all went well */
};

G_DEFINE_FINAL_TYPE (GmcpServerReport, gmcp_server_report, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_ERROR,
} GmcpServerReportProperty;

static GParamSpec *properties[PROP_ERROR + 1];

static void
gmcp_server_report_finalize (GObject *object)
{
  GmcpServerReport *self = GMCP_SERVER_REPORT (object);

  g_free (self->server);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (gmcp_server_report_parent_class)->finalize (object);
}

static void
gmcp_server_report_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServerReport *self = GMCP_SERVER_REPORT (object);

  switch ((GmcpServerReportProperty) prop_id)
    {
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_server_report_class_init (GmcpServerReportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_server_report_finalize;
  object_class->get_property = gmcp_server_report_get_property;

  /**
   * GmcpServerReport:server-id: (getter get_server_id)
   *
   * The server's id.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  /**
   * GmcpServerReport:error: (getter get_error)
   *
   * Why it failed; %NULL where it did not.
   *
   * Since: 0.1
   */
  properties[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_server_report_init (GmcpServerReport *self)
{
}

GmcpServerReport *
gmcp_server_report_new (const char *server, GError *error)
{
  GmcpServerReport *self = g_object_new (GMCP_TYPE_SERVER_REPORT, NULL);

  self->server = g_strdup (server);
  self->error = error;
  return self;
}

/**
 * gmcp_server_report_get_server_id: (get-property server-id)
 * @self: a report
 *
 * Says which server it is about.
 *
 * Returns: the server's id
 *
 * Since: 0.1
 */
const char *
gmcp_server_report_get_server_id (GmcpServerReport *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), NULL);

  return self->server;
}

/**
 * gmcp_server_report_get_error: (get-property error)
 * @self: a report
 *
 * Says why it failed.
 *
 * Returns: (nullable): the error; %NULL where it did not fail
 *
 * Since: 0.1
 */
const GError *
gmcp_server_report_get_error (GmcpServerReport *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), NULL);

  return self->error;
}

/**
 * gmcp_server_report_succeeded:
 * @self: a report
 * @error: return location for an error
 *
 * Says whether all went well with the server, and fails with what went wrong otherwise.
 *
 * Returns: whether all went well
 *
 * Since: 0.1
 */
gboolean
gmcp_server_report_succeeded (GmcpServerReport *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), FALSE);

  if (self->error == NULL)
    return TRUE;

  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}
