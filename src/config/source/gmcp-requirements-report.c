/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-requirements-report-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpRequirementsReport:
 *
 * What [method@Gmcp.Manager.check_requirements_async] found out: for each server that is needed whether it is
 * there, and if not why, and what to do.
 *
 * Since: 0.1
 */
struct _GmcpRequirementsReport
{
  GObject parent_instance;

  GPtrArray *requirements; /* of GmcpRequirement, the required ones first */
};

G_DEFINE_FINAL_TYPE (GmcpRequirementsReport, gmcp_requirements_report, G_TYPE_OBJECT)

typedef enum
{
  PROP_READINESS = 1,
} GmcpRequirementsReportProperty;

static GParamSpec *properties[PROP_READINESS + 1];

static void
gmcp_requirements_report_finalize (GObject *object)
{
  g_ptr_array_unref (GMCP_REQUIREMENTS_REPORT (object)->requirements);

  G_OBJECT_CLASS (gmcp_requirements_report_parent_class)->finalize (object);
}

static void
gmcp_requirements_report_get_property (GObject *object,
                                       guint prop_id,
                                       GValue *value,
                                       GParamSpec *pspec)
{
  GmcpRequirementsReport *self = GMCP_REQUIREMENTS_REPORT (object);

  switch ((GmcpRequirementsReportProperty) prop_id)
    {
    case PROP_READINESS:
      g_value_set_enum (value, gmcp_requirements_report_get_readiness (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_requirements_report_class_init (GmcpRequirementsReportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_requirements_report_finalize;
  object_class->get_property = gmcp_requirements_report_get_property;

  /**
   * GmcpRequirementsReport:readiness: (getter get_readiness)
   *
   * Whether the work can be done.
   *
   * Since: 0.1
   */
  properties[PROP_READINESS]
    = g_param_spec_enum ("readiness", NULL, NULL, GMCP_TYPE_READINESS, GMCP_READINESS_READY,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_requirements_report_init (GmcpRequirementsReport *self)
{
  self->requirements = g_ptr_array_new_with_free_func (g_object_unref);
}

GmcpRequirementsReport *
gmcp_requirements_report_new (void)
{
  return g_object_new (GMCP_TYPE_REQUIREMENTS_REPORT, NULL);
}

void
gmcp_requirements_report_add (GmcpRequirementsReport *self, GmcpRequirement *requirement)
{
  g_ptr_array_add (self->requirements, requirement);
}

static gboolean
is_missing (GmcpRequirementsReport *self, GmcpTier tier)
{
  for (guint i = 0; i < self->requirements->len; i++)
    {
      GmcpRequirement *requirement = g_ptr_array_index (self->requirements, i);

      if (gmcp_requirement_get_tier (requirement) == tier && !gmcp_requirement_is_met (requirement))
        return TRUE;
    }

  return FALSE;
}

/**
 * gmcp_requirements_report_get_readiness: (get-property readiness)
 * @self: a report
 *
 * Says whether the work can be done.
 *
 * Returns: whether it can
 *
 * Since: 0.1
 */
GmcpReadiness
gmcp_requirements_report_get_readiness (GmcpRequirementsReport *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS_REPORT (self), GMCP_READINESS_BLOCKED);

  if (is_missing (self, GMCP_TIER_REQUIRED))
    return GMCP_READINESS_BLOCKED;

  return is_missing (self, GMCP_TIER_RECOMMENDED) ? GMCP_READINESS_DEGRADED : GMCP_READINESS_READY;
}

/**
 * gmcp_requirements_report_list_requirements:
 * @self: a report
 *
 * Gives each server that is needed, those that are needed most first.
 *
 * Returns: (transfer container) (element-type GmcpRequirement): the requirements
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_requirements_report_list_requirements (GmcpRequirementsReport *self)
{
  GPtrArray *list;

  g_return_val_if_fail (GMCP_IS_REQUIREMENTS_REPORT (self), NULL);

  list = g_ptr_array_copy (self->requirements, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (list, g_object_unref);
  return list;
}

static void
append_missing (GmcpRequirementsReport *self, GmcpTier tier, GString *text)
{
  for (guint i = 0; i < self->requirements->len; i++)
    {
      GmcpRequirement *requirement = g_ptr_array_index (self->requirements, i);
      const char *hint = gmcp_requirement_get_hint (requirement);

      if (gmcp_requirement_get_tier (requirement) != tier || gmcp_requirement_is_met (requirement))
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      if (tier == GMCP_TIER_REQUIRED)
        g_string_append_printf (text, _ ("Required server missing: %s: %s"),
                                gmcp_requirement_get_server_id (requirement),
                                gmcp_requirement_get_reason (requirement));
      else
        g_string_append_printf (text, _ ("Recommended server missing: %s: %s"),
                                gmcp_requirement_get_server_id (requirement),
                                gmcp_requirement_get_reason (requirement));
      /* What a start failed with may say it already. */
      if (hint != NULL && strstr (gmcp_requirement_get_reason (requirement), hint) == NULL)
        g_string_append_printf (text, " (%s)", hint);
    }
}

/**
 * gmcp_requirements_report_dup_text:
 * @self: a report
 *
 * Says what is missing, for people: a line for each required and recommended server that is not
 * there. Nothing is said about optional ones.
 *
 * Returns: (transfer full): the lines; an empty text where nothing is missing
 *
 * Since: 0.1
 */
char *
gmcp_requirements_report_dup_text (GmcpRequirementsReport *self)
{
  GString *text;

  g_return_val_if_fail (GMCP_IS_REQUIREMENTS_REPORT (self), NULL);

  text = g_string_new (NULL);
  append_missing (self, GMCP_TIER_REQUIRED, text);
  append_missing (self, GMCP_TIER_RECOMMENDED, text);
  return g_string_free (text, FALSE);
}

/**
 * gmcp_requirements_report_may_work:
 * @self: a report
 * @error: return location for an error
 *
 * Tells whether the work may begin: no required server is missing. Fails with
 * %GMCP_ERROR_REQUIREMENT_MISSING, which says for each what is missing and what to do.
 *
 * Returns: whether it may begin
 *
 * Since: 0.1
 */
gboolean
gmcp_requirements_report_may_work (GmcpRequirementsReport *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (GMCP_IS_REQUIREMENTS_REPORT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  append_missing (self, GMCP_TIER_REQUIRED, text);
  if (text->len == 0)
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING, text->str);
  return FALSE;
}
