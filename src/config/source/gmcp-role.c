/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-role-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/gmcp-server-config.h>

/**
 * GmcpRole:
 *
 * A named set of rules for what may be called, such as `review`, which may read, and
 * `implementation`, which may write. Immutable.
 *
 * A rule is `SERVER.TOOL`, where each part may hold `*` for any characters and `?` for one:
 * `filesystem.read_*`, `git.*`, `*.delete*`. The dot is the first one, so tools with dots in their
 * names need no care. Without a dot it is about tools of the host's own, such as `bash`. `*` alone
 * is about all tools. What is no id in the part before the dot becomes one, as
 * [func@Gmcp.ServerConfig.make_id] does it: `My F*.write` means the server `my-files`.
 *
 * Rules that deny, or want a question, also hold where they have the server's title in place of its
 * id, or a name that the tool is listed under, such as `my-files__write`. A rule that allows may be
 * the listed name as well, but no pattern of such.
 *
 * A role allows what [property@Gmcp.Role:allowed-tools] names and
 * [property@Gmcp.Role:denied-tools] does not. Where several roles hold at once, a tool has to be
 * allowed by each.
 *
 * Since: 0.1
 */
struct _GmcpRole
{
  GObject parent_instance;

  char *name;
  char *host;
  GStrv allowed_tools;
  GStrv denied_tools;
  GStrv ask_first;
  gboolean read_only;

  GPtrArray *allowed; /* of GmcpToolPattern */
  GPtrArray *denied;
  GPtrArray *asking;
  const char *invalid; /* one of the texts that is no pattern */
};

G_DEFINE_FINAL_TYPE (GmcpRole, gmcp_role, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpRole:name: (getter get_name)
   *
   * What the role is called.
   *
   * Since: 0.1
   */
  { "name", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpRole, name) },

  /**
   * GmcpRole:host: (getter get_host)
   *
   * The one program that the role holds for, as in [property@Gmcp.Manager:host]; %NULL for all.
   *
   * Since: 0.1
   */
  { "host", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRole, host) },

  /**
   * GmcpRole:allowed-tools: (getter get_allowed_tools)
   *
   * Rules for what may be called; nothing else may. An empty list allows nothing, `*` everything.
   *
   * Since: 0.1
   */
  { "allowed-tools", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRole, allowed_tools) },

  /**
   * GmcpRole:denied-tools: (getter get_denied_tools)
   *
   * Rules for what may not be called, whatever else allows it.
   *
   * Since: 0.1
   */
  { "denied-tools", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRole, denied_tools) },

  /**
   * GmcpRole:ask-first: (getter get_ask_first)
   *
   * Rules for what may be called only after somebody was asked.
   *
   * Since: 0.1
   */
  { "ask-first", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRole, ask_first) },

  /**
   * GmcpRole:read-only: (getter is_read_only)
   *
   * Whether only tools may be called whose servers say that they change nothing. What a server says
   * is believed where its configuration has `trusted`; a tool of any other server has to be named by
   * [property@Gmcp.Role:allowed-tools] in full, without `*` and `?`, too. Nothing is known about
   * tools of the host's own, so those have to be named in full as well.
   *
   * Since: 0.1
   */
  { "read-only", GMCP_FIELD_BOOLEAN, G_STRUCT_OFFSET (GmcpRole, read_only) },
  { NULL },
};

static void
gmcp_role_constructed (GObject *object)
{
  GmcpRole *self = GMCP_ROLE (object);

  G_OBJECT_CLASS (gmcp_role_parent_class)->constructed (object);

  self->allowed
    = gmcp_tool_patterns_new ((const char *const *) self->allowed_tools, &self->invalid);
  self->denied = gmcp_tool_patterns_new ((const char *const *) self->denied_tools, &self->invalid);
  self->asking = gmcp_tool_patterns_new ((const char *const *) self->ask_first, &self->invalid);
}

static void
gmcp_role_finalize (GObject *object)
{
  GmcpRole *self = GMCP_ROLE (object);

  g_ptr_array_unref (self->allowed);
  g_ptr_array_unref (self->denied);
  g_ptr_array_unref (self->asking);

  gmcp_fields_finalize (object);
}

static void
gmcp_role_class_init (GmcpRoleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, GMCP_FIELDS_CONSTRUCT_ONLY);
  object_class->constructed = gmcp_role_constructed;
  object_class->finalize = gmcp_role_finalize;
}

static void
gmcp_role_init (GmcpRole *self)
{
}

/**
 * gmcp_role_new:
 * @name: what the role is called
 * @allowed_tools: (nullable) (array zero-terminated=1): rules for what may be called; %NULL and an
 *   empty list allow nothing
 * @denied_tools: (nullable) (array zero-terminated=1): rules for what may not be called
 *
 * Makes a role. The other properties can be given when it is made with g_object_new().
 *
 * Returns: (transfer full): a role
 *
 * Since: 0.1
 */
GmcpRole *
gmcp_role_new (const char *name, const char *const *allowed_tools, const char *const *denied_tools)
{
  g_return_val_if_fail (name != NULL, NULL);

  return g_object_new (GMCP_TYPE_ROLE, "name", name, "allowed-tools", allowed_tools, "denied-tools",
                       denied_tools, NULL);
}

/**
 * gmcp_role_get_name: (get-property name)
 * @self: a role
 *
 * Says what the role is called.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_role_get_name (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), NULL);

  return self->name;
}

/**
 * gmcp_role_get_host: (get-property host)
 * @self: a role
 *
 * Says which program the role holds for.
 *
 * Returns: (nullable): its id; %NULL for all
 *
 * Since: 0.1
 */
const char *
gmcp_role_get_host (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), NULL);

  return self->host;
}

/**
 * gmcp_role_get_allowed_tools: (get-property allowed-tools)
 * @self: a role
 *
 * Gives the rules for what may be called.
 *
 * Returns: (transfer none) (array zero-terminated=1): rules
 *
 * Since: 0.1
 */
const char *const *
gmcp_role_get_allowed_tools (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), NULL);

  return (const char *const *) self->allowed_tools;
}

/**
 * gmcp_role_get_denied_tools: (get-property denied-tools)
 * @self: a role
 *
 * Gives the rules for what may not be called.
 *
 * Returns: (transfer none) (array zero-terminated=1): rules
 *
 * Since: 0.1
 */
const char *const *
gmcp_role_get_denied_tools (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), NULL);

  return (const char *const *) self->denied_tools;
}

/**
 * gmcp_role_get_ask_first: (get-property ask-first)
 * @self: a role
 *
 * Gives the rules for what may be called only after somebody was asked.
 *
 * Returns: (transfer none) (array zero-terminated=1): rules
 *
 * Since: 0.1
 */
const char *const *
gmcp_role_get_ask_first (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), NULL);

  return (const char *const *) self->ask_first;
}

/**
 * gmcp_role_is_read_only: (get-property read-only)
 * @self: a role
 *
 * Tells whether only tools may be called that change nothing.
 *
 * Returns: whether it is so
 *
 * Since: 0.1
 */
gboolean
gmcp_role_is_read_only (GmcpRole *self)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), FALSE);

  return self->read_only;
}

/**
 * gmcp_role_validate:
 * @self: a role
 * @error: return location for an error
 *
 * Tells whether all rules of the role can be understood. A role in which one cannot allows nothing,
 * since it may have been meant to deny something. Fails with %GMCP_ERROR_INVALID_CONFIG.
 *
 * Returns: whether they can
 *
 * Since: 0.1
 */
gboolean
gmcp_role_validate (GmcpRole *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_ROLE (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*self->name == '\0')
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("A role has no name"));
      return FALSE;
    }
  if (self->invalid != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("Role “%s”: “%s” is no rule; write SERVER.TOOL, or TOOL for a tool of the "
                      "host's own. Until then the role allows nothing"),
                   self->name, self->invalid);
      return FALSE;
    }

  return TRUE;
}

/**
 * gmcp_role_allows:
 * @self: a role
 * @name: `SERVER.TOOL`, or the name of a tool of the host's own, which has no dot
 *
 * Tells whether the rules of the role allow a tool. Whether
 * [property@Gmcp.Role:read-only] would, depends on what its server says of the tool: no tool is
 * taken for read-only here that is not named in full.
 *
 * Returns: whether it may be called, if need be after somebody was asked
 *
 * Since: 0.1
 */
gboolean
gmcp_role_allows (GmcpRole *self, const char *name)
{
  g_autofree char *server = NULL;
  const char *tool;

  g_return_val_if_fail (GMCP_IS_ROLE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  gmcp_tool_pattern_split_name (name, &server, &tool);
  return gmcp_role_allows_tool (self, server, tool);
}

/**
 * gmcp_role_allows_tool:
 * @self: a role
 * @server_id: (nullable): the id of a server, or the name that an id is made of; %NULL for the host's
 *   own tools
 * @tool: the server's, or the host's, own name of a tool
 *
 * Does the same as [method@Gmcp.Role.allows] for a name in its parts.
 *
 * Returns: whether it may be called, if need be after somebody was asked
 *
 * Since: 0.1
 */
gboolean
gmcp_role_allows_tool (GmcpRole *self, const char *server_id, const char *tool)
{
  GmcpPolicySubject subject = { .server = server_id, .tool = tool, .title = server_id };
  g_autofree char *id = NULL;
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  g_return_val_if_fail (GMCP_IS_ROLE (self), FALSE);
  g_return_val_if_fail (tool != NULL, FALSE);

  if (server_id != NULL && *server_id != '\0' && !gmcp_server_config_is_valid_id (server_id))
    subject.server = id = gmcp_server_config_make_id (server_id);
  gmcp_role_judge (self, &subject, &decision);
  return decision.allowed;
}

gboolean
gmcp_role_is_for_host (GmcpRole *self, const char *host)
{
  return self->host == NULL || g_strcmp0 (self->host, host) == 0;
}

static gboolean
may_as_read_only (GmcpRole *self, const GmcpPolicySubject *subject, gboolean exact)
{
  if (!self->read_only || gmcp_policy_subject_is_read_only (subject))
    return TRUE;

  /* The user's word, which a server can only weaken. */
  return exact && (subject->definition == NULL || gmcp_tool_is_read_only (subject->definition));
}

/* The rule that allows the tool; one that names it in full before others. */
static const GmcpToolPattern *
find_allowed (GmcpRole *self, const GmcpPolicySubject *subject)
{
  const GmcpToolPattern *found = NULL;

  for (guint i = 0; i < self->allowed->len && (found == NULL || !found->exact); i++)
    {
      const GmcpToolPattern *pattern = g_ptr_array_index (self->allowed, i);

      if (!gmcp_tool_pattern_matches (pattern, subject->server, subject->tool)
          && !gmcp_tool_pattern_names_listed (pattern, subject))
        continue;
      if (found == NULL || pattern->exact)
        found = pattern;
    }

  return found;
}

char *
gmcp_role_dup_grant (GmcpRole *self, const GmcpPolicySubject *subject)
{
  const GmcpToolPattern *allowed = find_allowed (self, subject);

  return allowed != NULL ? g_strdup_printf ("role %s, allowed-tools: %s", self->name, allowed->text)
                         : NULL;
}

gboolean
gmcp_role_may_reach (GmcpRole *self, const char *server)
{
  if (self->invalid != NULL)
    return FALSE;

  for (guint i = 0; i < self->denied->len; i++)
    {
      const GmcpToolPattern *pattern = g_ptr_array_index (self->denied, i);

      if (g_strcmp0 (pattern->tool, "*") == 0 && gmcp_tool_pattern_matches_server (pattern, server))
        return FALSE;
    }
  for (guint i = 0; i < self->allowed->len; i++)
    {
      if (gmcp_tool_pattern_matches_server (g_ptr_array_index (self->allowed, i), server))
        return TRUE;
    }
  return FALSE;
}

void
gmcp_role_judge (GmcpRole *self, const GmcpPolicySubject *subject, GmcpPolicyDecision *decision)
{
  const GmcpToolPattern *denied = gmcp_tool_patterns_find (self->denied, subject);
  const GmcpToolPattern *asking = gmcp_tool_patterns_find (self->asking, subject);
  const GmcpToolPattern *allowed = find_allowed (self, subject);

  if (self->invalid != NULL)
    gmcp_policy_decision_refuse (
      decision, g_strdup_printf ("role %s: invalid rule “%s”", self->name, self->invalid));
  else if (denied != NULL)
    gmcp_policy_decision_refuse (
      decision, g_strdup_printf ("role %s, denied-tools: %s", self->name, denied->text));
  else if (allowed == NULL)
    gmcp_policy_decision_refuse (decision,
                                 g_strdup_printf ("role %s: not in allowed-tools", self->name));
  else if (!may_as_read_only (self, subject, allowed->exact))
    gmcp_policy_decision_refuse (decision, g_strdup_printf ("role %s: read-only", self->name));
  else if (asking != NULL)
    gmcp_policy_decision_ask (decision,
                              g_strdup_printf ("role %s, ask-first: %s", self->name, asking->text));
}

void
gmcp_policy_decision_clear (GmcpPolicyDecision *self)
{
  g_clear_pointer (&self->rule, g_free);
}

void
gmcp_policy_decision_refuse (GmcpPolicyDecision *self, char *rule)
{
  if (!self->allowed)
    {
      g_free (rule);
      return;
    }

  g_free (self->rule);
  *self = (GmcpPolicyDecision){ .rule = rule };
}

void
gmcp_policy_decision_ask (GmcpPolicyDecision *self, char *rule)
{
  if (!self->allowed || self->asks)
    {
      g_free (rule);
      return;
    }

  self->asks = TRUE;
  self->rule = rule;
}

gboolean
gmcp_policy_subject_is_read_only (const GmcpPolicySubject *subject)
{
  return subject->trusted && subject->definition != NULL
         && gmcp_tool_is_read_only (subject->definition);
}

gboolean
gmcp_policy_subject_is_harmless (const GmcpPolicySubject *subject)
{
  return gmcp_policy_subject_is_read_only (subject)
         || (subject->trusted && subject->definition != NULL
             && !gmcp_tool_is_destructive (subject->definition));
}
