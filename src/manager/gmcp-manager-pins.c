/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-naming-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-state-file-private.h"
#include "gmcp-tool-pin-private.h"

/* What servers list is compared with what they listed before. */

#define NAMED_AT_MOST 3u

/* What is seen, for the thread that changes the file. */
typedef struct
{
  char *server;
  char *identity;
  char *abilities;
  GArray *sights; /* of GmcpToolSight */
} Sighting;

static void
sighting_free (gpointer data)
{
  Sighting *sighting = data;

  g_free (sighting->server);
  g_free (sighting->identity);
  g_free (sighting->abilities);
  g_array_unref (sighting->sights);
  g_free (sighting);
}

static Sighting *
sighting_new (GmcpManagerSection *section)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (section->manager);
  GmcpRedactor *redactor = gmcp_redactor_get_certain (priv->book->redactor);
  Sighting *sighting = g_new0 (Sighting, 1);

  sighting->server = g_strdup (gmcp_managed_server_get_id (section->server));
  sighting->identity
    = gmcp_tool_pins_dup_identity (gmcp_managed_server_get_tools_config (section->server));
  sighting->abilities = g_strdup (
    gmcp_client_abilities_to_string (gmcp_managed_server_get_tools_abilities (section->server)));
  sighting->sights = g_array_new (FALSE, FALSE, sizeof (GmcpToolSight));
  g_array_set_clear_func (sighting->sights, (GDestroyNotify) gmcp_tool_sight_clear);
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpManagerEntry *entry = g_ptr_array_index (section->entries, i);
      GmcpToolSight sight;

      gmcp_tool_sight_init (&sight, entry->tool, redactor);
      g_array_append_val (sighting->sights, sight);
    }

  return sighting;
}

static GmcpToolPinsSighting
look_at (Sighting *sighting)
{
  return (GmcpToolPinsSighting){
    .server = sighting->server,
    .identity = sighting->identity,
    .abilities = sighting->abilities,
    .tools = (GmcpToolSight *) (gpointer) sighting->sights->data,
    .n_tools = sighting->sights->len,
  };
}

/* In a thread: the sights are settled. */
static GBytes *
write_sighting (GBytes *present, gpointer data, GError **error)
{
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_parse (present, error);
  const GmcpToolPinsSighting sighting = look_at (data);
  GmcpToolPinsNews news = { NULL };

  if (pins == NULL || !gmcp_tool_pins_see (pins, &sighting, &news))
    return NULL;

  return gmcp_tool_pins_write (pins);
}

static void
tell_of_tool (GmcpManagerSection *section, GmcpManagerEntry *entry)
{
  const char *server = gmcp_managed_server_get_id (section->server);
  const char *tool = gmcp_tool_get_server_tool_name (entry->tool);
  g_autofree char *message = NULL;

  if (entry->pin_status == GMCP_PIN_STATUS_CHANGED)
    message = g_strdup_printf (_ ("The tool %s.%s has changed since it was approved: see “gmcp "
                                  "pins”, and approve it with: gmcp approve %s.%s"),
                               server, tool, server, tool);
  else
    message = g_strdup_printf (_ ("The tool %s.%s is new: see “gmcp pins”, and approve it with: "
                                  "gmcp approve %s.%s"),
                               server, tool, server, tool);
  gmcp_manager_notice (section->manager, server, GMCP_NOTICE_LEVEL_WARNING, message);
}

static void
tell_of_flagged (GmcpManagerSection *section, GArray *flagged)
{
  const char *server = gmcp_managed_server_get_id (section->server);
  g_autofree char *message = NULL;

  if (flagged->len > NAMED_AT_MOST)
    {
      message = g_strdup_printf (_ ("%u tools of the server %s are new or have changed: see “gmcp "
                                    "pins”, and approve them with: gmcp approve %s"),
                                 flagged->len, server, server);
      gmcp_manager_notice (section->manager, server, GMCP_NOTICE_LEVEL_WARNING, message);
      return;
    }

  for (guint i = 0; i < flagged->len; i++)
    tell_of_tool (section, g_ptr_array_index (section->entries, g_array_index (flagged, guint, i)));
}

/* Not each tool by itself: a person is told what is to be done, once. */
static void
tell_of_rest (GmcpManagerSection *section, const GmcpToolPinsNews *news)
{
  const char *server = gmcp_managed_server_get_id (section->server);

  if (news->n_adopted > 0)
    {
      g_autofree char *message = g_strdup_printf (
        _ (
          "All that the server %s says of its tools is compared from now on, also titles and whether "
          "they only read; what it says of that now is taken as it is, see: gmcp tools %s --json"),
        server, server);

      gmcp_manager_notice (section->manager, server, GMCP_NOTICE_LEVEL_WARNING, message);
    }
  if (news->n_unpinned > 0)
    {
      g_autofree char *path = gmcp_state_store_dup_path (
        gmcp_manager_get_state_store (section->manager), GMCP_TOOL_PINS_FILE);
      g_autofree char *message = g_strdup_printf (
        g_dngettext (
          GETTEXT_PACKAGE,
          "%u tool of the server %s is compared with nothing, and counts as never approved: at most "
          "%u tools of a server and %u servers are kept in %s; remove from there what is not needed, "
          "or the file",
          "%u tools of the server %s are compared with nothing, and count as never approved: at most "
          "%u tools of a server and %u servers are kept in %s; remove from there what is not needed, "
          "or the file",
          news->n_unpinned),
        news->n_unpinned, server, GMCP_LIMIT_PINNED_TOOLS, GMCP_LIMIT_PINNED_SERVERS, path);

      gmcp_manager_notice (section->manager, server, GMCP_NOTICE_LEVEL_WARNING, message);
    }
}

static void
set_statuses (GmcpManagerSection *section, const GmcpToolPinsSighting *sighting)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (section->manager)->policy;
  g_autofree GmcpPinStatus *statuses = g_new (GmcpPinStatus, sighting->n_tools);

  gmcp_tool_pins_get_statuses (policy->pins, sighting, statuses);
  for (guint i = 0; i < section->entries->len; i++)
    ((GmcpManagerEntry *) g_ptr_array_index (section->entries, i))->pin_status = statuses[i];
}

void
gmcp_manager_see_section (GmcpManagerSection *section)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (section->manager)->policy;
  GmcpToolPinsNews news = { NULL };
  g_autoptr (GArray) flagged = NULL;
  GmcpToolPinsSighting seen;
  Sighting *sighting;
  gboolean changed;

  if (policy->pin_policy == GMCP_PIN_POLICY_OFF || policy->pins == NULL)
    {
      /* What cannot be compared is not known to be the same. */
      for (guint i = 0; i < section->entries->len; i++)
        ((GmcpManagerEntry *) g_ptr_array_index (section->entries, i))->pin_status
          = policy->pin_policy == GMCP_PIN_POLICY_OFF ? GMCP_PIN_STATUS_APPROVED
                                                      : GMCP_PIN_STATUS_NEW;
      return;
    }
  if (section->entries->len == 0)
    return;

  news.flagged = flagged = g_array_new (FALSE, FALSE, sizeof (guint));
  sighting = sighting_new (section);
  seen = look_at (sighting);
  changed = gmcp_tool_pins_see (policy->pins, &seen, &news);
  set_statuses (section, &seen);
  for (guint i = 0; i < seen.n_tools; i++)
    gmcp_tool_sight_settle (&seen.tools[i]);

  if (changed)
    gmcp_state_store_keep (gmcp_manager_get_state_store (section->manager), GMCP_TOOL_PINS_FILE,
                           write_sighting, sighting, sighting_free);
  else
    sighting_free (sighting);
  tell_of_rest (section, &news);
  tell_of_flagged (section, flagged);
}

void
gmcp_manager_see_all (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  for (guint i = 0; i < priv->sections->len; i++)
    gmcp_manager_see_section (g_ptr_array_index (priv->sections, i));
  gmcp_manager_refresh_policy (self);
}

gboolean
gmcp_manager_take_pins (GmcpManager *self, GBytes *bytes, GError **error)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  GmcpToolPins *pins = gmcp_tool_pins_parse (bytes, error);

  if (pins == NULL)
    return FALSE;

  g_clear_pointer (&policy->pins, gmcp_tool_pins_free);
  policy->pins = pins;
  gmcp_manager_forget_rivals (self);
  gmcp_manager_see_all (self);
  return TRUE;
}

void
gmcp_manager_use_pin_policy (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  priv->policy->pin_policy
    = gmcp_effective_settings_get_enum (priv->settings, GMCP_SETTING_PIN_POLICY);
  gmcp_manager_see_all (self);
}

/**
 * gmcp_manager_get_pin_policy:
 * @self: a manager
 *
 * Says what is done about tools that are new or have changed.
 *
 * Returns: the policy
 *
 * Since: 0.1
 */
GmcpPinPolicy
gmcp_manager_get_pin_policy (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), GMCP_PIN_POLICY_NOTICE);

  return gmcp_manager_get_private (self)->policy->pin_policy;
}

/**
 * gmcp_manager_set_pin_policy:
 * @self: a manager
 * @pin_policy: a policy
 *
 * Sets what is done about tools that are new, or have changed, since their server was first seen.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_pin_policy (GmcpManager *self, GmcpPinPolicy pin_policy)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));

  gmcp_effective_settings_set_enum (gmcp_manager_get_private (self)->settings,
                                    GMCP_SETTING_PIN_POLICY, (int) pin_policy);
}

static void
add_pin (const GmcpToolPinView *view, gpointer data)
{
  g_ptr_array_add (data, gmcp_tool_pin_new (view));
}

/**
 * gmcp_manager_list_pins:
 * @self: a manager
 *
 * Gives what is known of the tools of all servers that were ever seen. Empty before the
 * configuration is read, see [method@Gmcp.Manager.load_config_async].
 *
 * Returns: (transfer container) (element-type GmcpToolPin): the pins
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_pins (GmcpManager *self)
{
  GPtrArray *list;
  GmcpToolPins *pins;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  pins = gmcp_manager_get_private (self)->policy->pins;
  if (pins != NULL)
    gmcp_tool_pins_foreach (pins, add_pin, list);
  return list;
}

typedef struct
{
  char *server;
  char *tool;
  guint n_approved;
} Approval;

static void
approval_clear (gpointer data)
{
  Approval *approval = data;

  g_free (approval->server);
  g_free (approval->tool);
}

static void
approval_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, approval_clear);
}

static GBytes *
write_approval (GBytes *present, gpointer data, GError **error)
{
  Approval *approval = data;
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_parse (present, error);

  if (pins == NULL)
    return NULL;

  approval->n_approved = gmcp_tool_pins_approve (pins, approval->server, approval->tool);
  return approval->n_approved > 0 ? gmcp_tool_pins_write (pins) : NULL;
}

static void
on_approval_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = g_task_get_source_object (task);
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  Approval *approval = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_state_file_change_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  if (policy->pins != NULL)
    gmcp_tool_pins_approve (policy->pins, approval->server, approval->tool);
  gmcp_manager_see_all (self);
  g_task_return_int (task, approval->n_approved);
}

/**
 * gmcp_manager_approve_tools_async:
 * @self: a manager
 * @server: (nullable): the id of a server; %NULL for all
 * @tool: (nullable): the server's own name of a tool; %NULL for all
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Approves tools as they were last seen. Another program that runs learns of it when it loads its
 * tools the next time.
 *
 * Since: 0.1
 */
void
gmcp_manager_approve_tools_async (GmcpManager *self,
                                  const char *server,
                                  const char *tool,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *path = NULL;
  Approval *approval;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_approve_tools_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  approval = g_atomic_rc_box_new0 (Approval);
  approval->server = g_strdup (server);
  approval->tool = g_strdup (tool);
  g_task_set_task_data (task, approval, approval_release);
  path = gmcp_state_store_dup_path (gmcp_manager_get_state_store (self), GMCP_TOOL_PINS_FILE);
  gmcp_state_file_change_async (path, write_approval, g_atomic_rc_box_acquire (approval),
                                approval_release, NULL, on_approval_kept, g_steal_pointer (&task));
}

/**
 * gmcp_manager_approve_tools_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.approve_tools_async].
 *
 * Returns: how many tools were approved that were not before; -1 where it failed
 *
 * Since: 0.1
 */
int
gmcp_manager_approve_tools_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), -1);
  g_return_val_if_fail (g_task_is_valid (result, self), -1);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_approve_tools_async), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}
