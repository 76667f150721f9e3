/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-server-step-private.h"

G_DEFINE_ENUM_TYPE (GmcpServerStepKind,
                    gmcp_server_step_kind,
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_CONFIGURATION, "configuration"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_PROGRAM, "program"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_CONNECTION, "connection"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_ERA, "era"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_HANDSHAKE, "handshake"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_LIST, "list"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_HEALTH, "health"),
                    G_DEFINE_ENUM_VALUE (GMCP_SERVER_STEP_SIGN_IN, "sign-in"))

G_DEFINE_ENUM_TYPE (GmcpStepOutcome,
                    gmcp_step_outcome,
                    G_DEFINE_ENUM_VALUE (GMCP_STEP_OUTCOME_PASSED, "passed"),
                    G_DEFINE_ENUM_VALUE (GMCP_STEP_OUTCOME_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (GMCP_STEP_OUTCOME_SKIPPED, "skipped"))

/**
 * GmcpServerStep:
 *
 * One of the steps until a server can be used, and what became of it. A [class@Gmcp.ServerReport] of
 * [method@Gmcp.Manager.diagnose_server_async] has them in order. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpServerStep
{
  GObject parent_instance;

  GmcpServerStepKind kind;
  gboolean is_remote; /* an address is connected to, and no program started */
  GmcpStepOutcome outcome;
  gint64 duration_us;
  char *detail;
};

G_DEFINE_FINAL_TYPE (GmcpServerStep, gmcp_server_step, G_TYPE_OBJECT)

typedef enum
{
  PROP_KIND = 1,
  PROP_TITLE,
  PROP_OUTCOME,
  PROP_DURATION_US,
  PROP_DETAIL,
} GmcpServerStepProperty;

static GParamSpec *properties[PROP_DETAIL + 1];

static void
gmcp_server_step_finalize (GObject *object)
{
  g_free (GMCP_SERVER_STEP (object)->detail);

  G_OBJECT_CLASS (gmcp_server_step_parent_class)->finalize (object);
}

static void
gmcp_server_step_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServerStep *self = GMCP_SERVER_STEP (object);

  switch ((GmcpServerStepProperty) prop_id)
    {
    case PROP_KIND:
      g_value_set_enum (value, (int) self->kind);
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_server_step_get_title (self));
      break;
    case PROP_OUTCOME:
      g_value_set_enum (value, (int) self->outcome);
      break;
    case PROP_DURATION_US:
      g_value_set_int64 (value, self->duration_us);
      break;
    case PROP_DETAIL:
      g_value_set_string (value, self->detail);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_server_step_class_init (GmcpServerStepClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_server_step_finalize;
  object_class->get_property = gmcp_server_step_get_property;

  /**
   * GmcpServerStep:kind: (getter get_kind)
   *
   * Which step it is.
   *
   * Since: 0.1
   */
  properties[PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, GMCP_TYPE_SERVER_STEP_KIND,
                                             GMCP_SERVER_STEP_CONFIGURATION, flags);

  /**
   * GmcpServerStep:title: (getter get_title)
   *
   * The step's name for people.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpServerStep:outcome: (getter get_outcome)
   *
   * What became of the step.
   *
   * Since: 0.1
   */
  properties[PROP_OUTCOME] = g_param_spec_enum ("outcome", NULL, NULL, GMCP_TYPE_STEP_OUTCOME,
                                                GMCP_STEP_OUTCOME_PASSED, flags);

  /**
   * GmcpServerStep:duration-us: (getter get_duration_us)
   *
   * How long the step took, in microseconds.
   *
   * Since: 0.1
   */
  properties[PROP_DURATION_US]
    = g_param_spec_int64 ("duration-us", NULL, NULL, 0, G_MAXINT64, 0, flags);

  /**
   * GmcpServerStep:detail: (getter get_detail)
   *
   * What was found, in a few words, or, where the step failed, what was looked for, run or asked; %NULL for
   * nothing.
   *
   * Since: 0.1
   */
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_server_step_init (GmcpServerStep *self)
{
}

GmcpServerStep *
gmcp_server_step_new (GmcpServerStepKind kind,
                      gboolean is_remote,
                      GmcpStepOutcome outcome,
                      gint64 duration_us,
                      char *detail)
{
  GmcpServerStep *self = g_object_new (GMCP_TYPE_SERVER_STEP, NULL);

  self->kind = kind;
  self->is_remote = is_remote;
  self->outcome = outcome;
  self->duration_us = duration_us;
  self->detail = detail;
  return self;
}

/**
 * gmcp_server_step_get_kind: (get-property kind)
 * @self: a step
 *
 * Says which step it is.
 *
 * Returns: the kind of step
 *
 * Since: 0.1
 */
GmcpServerStepKind
gmcp_server_step_get_kind (GmcpServerStep *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_STEP (self), GMCP_SERVER_STEP_CONFIGURATION);

  return self->kind;
}

/**
 * gmcp_server_step_get_title: (get-property title)
 * @self: a step
 *
 * Gives the step's name for people, such as “Handshake”, translated.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_server_step_get_title (GmcpServerStep *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_STEP (self), NULL);

  switch (self->kind)
    {
    case GMCP_SERVER_STEP_CONFIGURATION:
      return _ ("Configuration");
    case GMCP_SERVER_STEP_PROGRAM:
      return _ ("Program");
    case GMCP_SERVER_STEP_CONNECTION:
      /* TRANSLATORS: that of a program, as a step */
      return self->is_remote ? _ ("Connection") : _ ("Start");
    case GMCP_SERVER_STEP_ERA:
      return _ ("Era");
    case GMCP_SERVER_STEP_HANDSHAKE:
      return _ ("Handshake");
    case GMCP_SERVER_STEP_LIST:
      return _ ("Tools");
    case GMCP_SERVER_STEP_HEALTH:
      return _ ("Health check");
    case GMCP_SERVER_STEP_SIGN_IN:
    default:
      return _ ("Sign-in");
    }
}

/**
 * gmcp_server_step_get_outcome: (get-property outcome)
 * @self: a step
 *
 * Says what became of the step.
 *
 * Returns: the outcome
 *
 * Since: 0.1
 */
GmcpStepOutcome
gmcp_server_step_get_outcome (GmcpServerStep *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_STEP (self), GMCP_STEP_OUTCOME_SKIPPED);

  return self->outcome;
}

/**
 * gmcp_server_step_get_duration_us: (get-property duration-us)
 * @self: a step
 *
 * Says how long the step took.
 *
 * Returns: microseconds; 0 where it did not come to it
 *
 * Since: 0.1
 */
gint64
gmcp_server_step_get_duration_us (GmcpServerStep *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_STEP (self), 0);

  return self->duration_us;
}

/**
 * gmcp_server_step_get_detail: (get-property detail)
 * @self: a step
 *
 * Says what was found: the command, the program's file, the revision of the protocol, how many tools. Some
 * of it comes from the server.
 *
 * Returns: (nullable): a text in one line; %NULL for nothing
 *
 * Since: 0.1
 */
const char *
gmcp_server_step_get_detail (GmcpServerStep *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_STEP (self), NULL);

  return self->detail;
}
