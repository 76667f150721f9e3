/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-report-private.h"

#include <string.h>

/**
 * GmcpServerReport:
 *
 * What became of one of the servers that something was done with, as by
 * [method@Gmcp.Manager.start_all_async] or [method@Gmcp.Manager.diagnose_server_async]. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpServerReport
{
  GObject parent_instance;

  char *server;
  GError *error;     /* NULL where all went well */
  GListStore *steps; /* of GmcpServerStep */
  GStrv advice;
  char *output; /* NULL for nothing */
};

G_DEFINE_FINAL_TYPE (GmcpServerReport, gmcp_server_report, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_ERROR,
  PROP_STEPS,
  PROP_OUTPUT,
  PROP_ADVICE,
} GmcpServerReportProperty;

static GParamSpec *properties[PROP_ADVICE + 1];

static void
gmcp_server_report_finalize (GObject *object)
{
  GmcpServerReport *self = GMCP_SERVER_REPORT (object);

  g_free (self->server);
  g_clear_error (&self->error);
  g_clear_object (&self->steps);
  g_strfreev (self->advice);
  g_free (self->output);

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
    case PROP_STEPS:
      g_value_set_object (value, self->steps);
      break;
    case PROP_OUTPUT:
      g_value_set_string (value, self->output);
      break;
    case PROP_ADVICE:
      g_value_set_boxed (value, self->advice);
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

  /**
   * GmcpServerReport:steps: (getter get_steps)
   *
   * The steps until the server can be used, a list of [class@Gmcp.ServerStep]; empty where it was not looked
   * at step by step.
   *
   * Since: 0.1
   */
  properties[PROP_STEPS] = g_param_spec_object ("steps", NULL, NULL, G_TYPE_LIST_MODEL, flags);

  /**
   * GmcpServerReport:output: (getter get_output)
   *
   * The last that the server printed to standard error before it failed; %NULL for nothing.
   *
   * Since: 0.1
   */
  properties[PROP_OUTPUT] = g_param_spec_string ("output", NULL, NULL, NULL, flags);

  /**
   * GmcpServerReport:advice: (getter get_advice)
   *
   * What may help: commands for a shell, and sentences.
   *
   * Since: 0.1
   */
  properties[PROP_ADVICE] = g_param_spec_boxed ("advice", NULL, NULL, G_TYPE_STRV, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_server_report_init (GmcpServerReport *self)
{
  self->steps = g_list_store_new (GMCP_TYPE_SERVER_STEP);
  self->advice = g_new0 (char *, 1);
}

GmcpServerReport *
gmcp_server_report_new (const char *server, GError *error)
{
  GmcpServerReport *self = g_object_new (GMCP_TYPE_SERVER_REPORT, NULL);

  self->server = g_strdup (server);
  self->error = error;
  return self;
}

/* Of what a server printed, as much as is worth being shown. */
#define OUTPUT_BYTES 2048

/* The last lines that are whole. */
static char *
dup_last_lines (const char *text)
{
  gsize length = strlen (text);
  const char *begin = length > OUTPUT_BYTES ? text + length - OUTPUT_BYTES : text;
  const char *line = begin > text ? strchr (begin, '\n') : NULL;

  return g_utf8_make_valid (line != NULL ? line + 1 : begin, -1);
}

GmcpServerReport *
gmcp_server_report_new_diagnosis (const char *server,
                                  GError *error,
                                  GListStore *steps,
                                  GStrv advice,
                                  const char *output)
{
  GmcpServerReport *self = gmcp_server_report_new (server, error);

  g_set_object (&self->steps, steps);
  g_object_unref (steps);
  if (advice != NULL)
    {
      g_strfreev (self->advice);
      self->advice = advice;
    }
  if (output != NULL && *output != '\0')
    self->output = dup_last_lines (output);
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
 * gmcp_server_report_get_steps: (get-property steps)
 * @self: a report
 *
 * Gives the steps until the server can be used, in order, up to the one that failed and with those that
 * it did not come to.
 *
 * Returns: (transfer none): a list of [class@Gmcp.ServerStep]; empty where it was not looked at step by step
 *
 * Since: 0.1
 */
GListModel *
gmcp_server_report_get_steps (GmcpServerReport *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), NULL);

  return G_LIST_MODEL (self->steps);
}

/**
 * gmcp_server_report_get_output: (get-property output)
 * @self: a report
 *
 * Gives the last lines that the server printed to standard error before it failed, without secrets that are
 * known.
 *
 * Returns: (nullable): lines; %NULL for nothing
 *
 * Since: 0.1
 */
const char *
gmcp_server_report_get_output (GmcpServerReport *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), NULL);

  return self->output;
}

/**
 * gmcp_server_report_get_advice: (get-property advice)
 * @self: a report
 *
 * Says what may help: commands for a shell, and sentences, the likeliest first.
 *
 * Returns: (transfer none) (array zero-terminated=1): lines; none where nothing failed
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_report_get_advice (GmcpServerReport *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_REPORT (self), NULL);

  return (const char *const *) self->advice;
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
