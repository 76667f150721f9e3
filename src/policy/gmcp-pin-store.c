/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pin-store-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-tool-pin-private.h"

#define NAMED_AT_MOST 3u

struct _GmcpPinStore
{
  GmcpStateStore *state; /* not owned */
  GmcpPinPolicy policy;
  GmcpToolPins *pins; /* NULL until they are read */
};

GmcpPinStore *
gmcp_pin_store_new (GmcpStateStore *state)
{
  GmcpPinStore *self = g_new0 (GmcpPinStore, 1);

  self->state = state;
  self->policy = GMCP_PIN_POLICY_NOTICE;
  return self;
}

void
gmcp_pin_store_free (GmcpPinStore *self)
{
  g_clear_pointer (&self->pins, gmcp_tool_pins_free);
  g_free (self);
}

gboolean
gmcp_pin_store_set_policy (GmcpPinStore *self, GmcpPinPolicy policy)
{
  if (self->policy == policy)
    return FALSE;

  self->policy = policy;
  return TRUE;
}

GmcpPinPolicy
gmcp_pin_store_get_policy (GmcpPinStore *self)
{
  return self->policy;
}

gboolean
gmcp_pin_store_take (GmcpPinStore *self, GBytes *bytes, GError **error)
{
  GmcpToolPins *pins = gmcp_tool_pins_parse (bytes, error);

  if (pins == NULL)
    return FALSE;

  g_clear_pointer (&self->pins, gmcp_tool_pins_free);
  self->pins = pins;
  return TRUE;
}

const char *
gmcp_pin_store_describe_loss (GmcpPinStore *self)
{
  if (self->pins != NULL)
    return _ (
      "tools are compared with what was known before, and nothing can be approved: mend the "
      "file, or remove it, after which tools are taken as they are then");

  return _ ("no tool counts as approved, as none can be compared with what it was: mend the file, "
            "or remove it, after which tools are taken as they are then");
}

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
sighting_new (const GmcpPinnedServer *server)
{
  Sighting *sighting = g_new0 (Sighting, 1);

  sighting->server = g_strdup (server->id);
  sighting->identity = gmcp_tool_pins_dup_identity (server->config);
  sighting->abilities = g_strdup (server->abilities);
  sighting->sights = g_array_new (FALSE, FALSE, sizeof (GmcpToolSight));
  g_array_set_clear_func (sighting->sights, (GDestroyNotify) gmcp_tool_sight_clear);
  for (guint i = 0; i < server->n_tools; i++)
    {
      GmcpToolSight sight;

      gmcp_tool_sight_init (&sight, server->tools[i], server->redactor);
      g_array_append_val (sighting->sights, sight);
    }

  return sighting;
}

static GmcpToolPinsSighting
make_sighting (Sighting *sighting)
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
  const GmcpToolPinsSighting sighting = make_sighting (data);
  GmcpToolPinsNews news = { NULL };

  if (pins == NULL || !gmcp_tool_pins_see (pins, &sighting, &news))
    return NULL;

  return gmcp_tool_pins_write (pins);
}

static char *
describe_tool (const char *server, const char *tool, GmcpPinStatus status)
{
  if (status == GMCP_PIN_STATUS_CHANGED)
    return g_strdup_printf (_ ("The tool %s.%s has changed since it was approved: see “gmcp "
                               "pins”, and approve it with: gmcp approve %s.%s"),
                            server, tool, server, tool);

  return g_strdup_printf (_ ("The tool %s.%s is new: see “gmcp pins”, and approve it with: "
                             "gmcp approve %s.%s"),
                          server, tool, server, tool);
}

static void
describe_flagged (GPtrArray *messages,
                  const GmcpPinnedServer *server,
                  const GmcpPinStatus *statuses,
                  GArray *flagged)
{
  if (flagged->len > NAMED_AT_MOST)
    {
      g_ptr_array_add (
        messages,
        g_strdup_printf (_ ("%u tools of the server %s are new or have changed: see “gmcp "
                            "pins”, and approve them with: gmcp approve %s"),
                         flagged->len, server->id, server->id));
      return;
    }

  for (guint i = 0; i < flagged->len; i++)
    {
      guint position = g_array_index (flagged, guint, i);

      g_ptr_array_add (messages,
                       describe_tool (server->id,
                                      gmcp_tool_get_server_tool_name (server->tools[position]),
                                      statuses[position]));
    }
}

/* Not each tool by itself: a person is told what is to be done, once. */
static void
describe_rest (GmcpPinStore *self,
               GPtrArray *messages,
               const char *server,
               const GmcpToolPinsNews *news)
{
  if (news->n_adopted > 0)
    {
      g_autofree char *message = g_strdup_printf (
        _ (
          "All that the server %s says of its tools is compared from now on, also titles and whether "
          "they only read; what it says of that now is taken as it is, see: gmcp tools %s --json"),
        server, server);

      g_ptr_array_add (messages, g_steal_pointer (&message));
    }
  if (news->n_unpinned > 0)
    {
      g_autofree char *path = gmcp_state_store_dup_path (self->state, GMCP_TOOL_PINS_FILE);
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

      g_ptr_array_add (messages, g_steal_pointer (&message));
    }
}

static void
compare_tools (GmcpPinStore *self,
               const GmcpPinnedServer *server,
               GmcpPinStatus *statuses,
               GPtrArray *messages)
{
  g_autoptr (GArray) flagged = g_array_new (FALSE, FALSE, sizeof (guint));
  GmcpToolPinsNews news = { .flagged = flagged };
  Sighting *sighting = sighting_new (server);
  const GmcpToolPinsSighting seen = make_sighting (sighting);
  gboolean changed = gmcp_tool_pins_see (self->pins, &seen, &news);

  gmcp_tool_pins_get_statuses (self->pins, &seen, statuses);
  for (guint i = 0; i < seen.n_tools; i++)
    gmcp_tool_sight_settle (&seen.tools[i]);

  if (changed)
    gmcp_state_store_keep (self->state, GMCP_TOOL_PINS_FILE, write_sighting, sighting,
                           sighting_free);
  else
    sighting_free (sighting);
  describe_rest (self, messages, server->id, &news);
  describe_flagged (messages, server, statuses, flagged);
}

GPtrArray *
gmcp_pin_store_see (GmcpPinStore *self, const GmcpPinnedServer *server, GmcpPinStatus *statuses)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_free);

  if (self->policy == GMCP_PIN_POLICY_OFF || self->pins == NULL)
    {
      /* What cannot be compared is not known to be the same. */
      for (guint i = 0; i < server->n_tools; i++)
        statuses[i]
          = self->policy == GMCP_PIN_POLICY_OFF ? GMCP_PIN_STATUS_APPROVED : GMCP_PIN_STATUS_NEW;
    }
  else if (server->n_tools > 0)
    {
      compare_tools (self, server, statuses, messages);
    }

  return messages;
}

void
gmcp_pin_store_foreach (GmcpPinStore *self, GmcpToolPinsFunc func, gpointer data)
{
  if (self->pins != NULL)
    gmcp_tool_pins_foreach (self->pins, func, data);
}

void
gmcp_pin_store_judge (GmcpPinStore *self,
                      const GmcpPolicySubject *subject,
                      GmcpPolicyDecision *decision)
{
  gboolean is_first = decision->allowed;

  if (self->policy != GMCP_PIN_POLICY_WITHHOLD || subject->server == NULL
      || subject->pin_status == GMCP_PIN_STATUS_APPROVED)
    return;

  gmcp_policy_decision_refuse (
    decision, g_strdup_printf ("pin: %s; approve with: gmcp approve %s.%s",
                               subject->pin_status == GMCP_PIN_STATUS_CHANGED ? "changed" : "new",
                               subject->server, subject->tool));
  decision->held = is_first;
}

struct _GmcpPinApproval
{
  char *server; /* NULL for all */
  char *tool;
  GStrv digests; /* of what is approved; NULL for whatever was seen last */
  guint n_approved;
  gboolean has_server; /* whether tools of it were seen */
  gboolean has_tool;
  gboolean is_approved; /* what the digests are of, by now */
};

typedef struct
{
  const char *server;
  const char *tool;
  GString *change;
  GPtrArray *digests;
} ChangeSearch;

static void
add_change (const GmcpToolPinView *view, gpointer data)
{
  ChangeSearch *search = data;
  g_autoptr (GmcpToolPin) pin = NULL;
  g_autofree char *lines = NULL;

  if (view->status == GMCP_PIN_STATUS_APPROVED || view->present_digest == NULL
      || g_strcmp0 (view->server, search->server) != 0 || g_strcmp0 (view->tool, search->tool) != 0)
    return;

  pin = gmcp_tool_pin_new (view);
  lines = gmcp_tool_pin_dup_diff (pin);
  g_string_append (search->change, lines);
  g_ptr_array_add (search->digests, g_strdup (view->present_digest));
}

GmcpPinApproval *
gmcp_pin_store_dup_approval (GmcpPinStore *self,
                             const char *server,
                             const char *tool,
                             char **change)
{
  g_autofree char *key = gmcp_tool_sight_dup_key (tool);
  ChangeSearch search = { server, key, g_string_new (NULL), g_ptr_array_new () };
  GmcpPinApproval *approval = gmcp_pin_approval_new (server, key);

  gmcp_pin_store_foreach (self, add_change, &search);
  g_ptr_array_add (search.digests, NULL);
  approval->digests = (GStrv) g_ptr_array_free (search.digests, FALSE);
  *change = g_string_free (search.change, FALSE);
  return approval;
}

static void
approval_clear (gpointer data)
{
  GmcpPinApproval *approval = data;

  g_free (approval->server);
  g_free (approval->tool);
  g_strfreev (approval->digests);
}

GmcpPinApproval *
gmcp_pin_approval_new (const char *server, const char *tool)
{
  GmcpPinApproval *approval = g_atomic_rc_box_new0 (GmcpPinApproval);

  approval->server = g_strdup (server);
  approval->tool = g_strdup (tool);
  return approval;
}

GmcpPinApproval *
gmcp_pin_approval_new_shown (const char *server, const char *tool, const char *digest)
{
  const char *const digests[] = { digest, NULL };
  GmcpPinApproval *approval = gmcp_pin_approval_new (server, tool);

  approval->digests = g_strdupv ((GStrv) digests);
  return approval;
}

GmcpPinApproval *
gmcp_pin_approval_ref (GmcpPinApproval *approval)
{
  return g_atomic_rc_box_acquire (approval);
}

void
gmcp_pin_approval_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, approval_clear);
}

static gboolean
has_all_digests (GmcpPinApproval *approval, GmcpPinApproval *other)
{
  if (approval->digests == NULL || other->digests == NULL)
    return approval->digests == NULL;

  for (guint i = 0; other->digests[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) approval->digests, other->digests[i]))
      return FALSE;
  return TRUE;
}

gboolean
gmcp_pin_approval_covers (GmcpPinApproval *approval, GmcpPinApproval *other)
{
  return (approval->server == NULL || g_strcmp0 (approval->server, other->server) == 0)
         && (approval->tool == NULL || g_strcmp0 (approval->tool, other->tool) == 0)
         && has_all_digests (approval, other);
}

const char *
gmcp_pin_approval_get_server (GmcpPinApproval *approval)
{
  return approval->server;
}

GError *
gmcp_pin_approval_make_error (GmcpPinApproval *approval, gboolean configured)
{
  if (approval->server != NULL && !approval->has_server && !configured)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED, _ ("Server “%s” is not configured"),
                        approval->server);
  if (approval->has_tool && approval->digests != NULL && !approval->is_approved)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED,
                        _ ("The tool %s.%s is not what was shown any more: look at it again"),
                        approval->server, approval->tool);
  if (approval->tool == NULL || approval->has_tool)
    return NULL;

  if (approval->server == NULL)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("No tool “%s” was seen"),
                        approval->tool);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
                      _ ("No tool “%s” of the server “%s” was seen"), approval->tool,
                      approval->server);
}

static guint
approve_pins (GmcpToolPins *pins, GmcpPinApproval *approval)
{
  return gmcp_tool_pins_approve (pins, approval->server, approval->tool,
                                 (const char *const *) approval->digests);
}

static GBytes *
write_approval (GBytes *present, gpointer data, GError **error)
{
  GmcpPinApproval *approval = data;
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_parse (present, error);

  if (pins == NULL)
    return NULL;

  approval->has_server = gmcp_tool_pins_have (pins, approval->server, NULL);
  approval->has_tool = gmcp_tool_pins_have (pins, approval->server, approval->tool);
  approval->n_approved = approve_pins (pins, approval);
  approval->is_approved = approval->digests != NULL
                          && gmcp_tool_pins_have_approved (pins, approval->server, approval->tool,
                                                           (const char *const *) approval->digests);
  return approval->n_approved > 0 ? gmcp_tool_pins_write (pins) : NULL;
}

void
gmcp_pin_store_approve_async (GmcpPinStore *self,
                              GmcpPinApproval *approval,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  gmcp_state_store_change_async (self->state, GMCP_TOOL_PINS_FILE, write_approval,
                                 gmcp_pin_approval_ref (approval), gmcp_pin_approval_release,
                                 callback, user_data);
}

int
gmcp_pin_store_approve_finish (GmcpPinStore *self,
                               GmcpPinApproval *approval,
                               GAsyncResult *result,
                               GError **error)
{
  if (!gmcp_state_store_change_finish (result, error))
    return -1;

  if (self->pins != NULL)
    approve_pins (self->pins, approval);
  return (int) approval->n_approved;
}
