/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-bounded-operation-private.h"
#include "gmcp-given-names-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-started-commands-private.h"
#include "gmcp-manager-naming-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-server-failures-private.h"
#include "gmcp-state-file-private.h"

/* What was decided in earlier runs, kept in files that are read with the configuration. */

typedef struct
{
  GmcpBoundedOperation *errand;
  GmcpManagerStateFunc func; /* NULL where a file was changed by somebody else */
  gpointer data;
} Reading;

char *
gmcp_manager_dup_state_path (GmcpManager *self, const char *name)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  if (policy->state_dir != NULL)
    return g_build_filename (policy->state_dir, name, NULL);

  return g_build_filename (g_get_user_state_dir (), "gmcp", name, NULL);
}

/* What does not hold meanwhile, and what helps: the sentence says both. */
static void
report (GmcpManager *self, const char *name, const GError *error, const char *outcome)
{
  g_autofree char *path = gmcp_manager_dup_state_path (self, name);
  g_autofree char *message = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    message = g_strdup_printf (_ ("%s could not be read within %u ms: %s"), path,
                               GMCP_DEFAULT_STATE_READ_MS, outcome);
  else
    message = g_strdup_printf (_ ("%s could not be read: %s; %s"), path, error->message, outcome);
  gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, message);
}

/* What is being kept here just now is not in what was read. */
static gboolean
is_outdated (Reading *reading, GmcpManager *self)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  if (reading->func != NULL || policy->n_keeping == 0)
    return FALSE;

  policy->stale = TRUE;
  return TRUE;
}

static void
take_answers (GmcpManager *self, GBytes *bytes, const GError *error)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  g_autoptr (GError) reason = error != NULL ? g_error_copy (error) : NULL;
  g_autoptr (GHashTable) answers = NULL;

  if (reason == NULL)
    answers = gmcp_approval_file_parse (bytes, &reason);
  if (answers == NULL)
    {
      report (
        self, GMCP_CALL_ANSWERS_FILE, reason,
        policy->are_answers_read
          ? _ ("what was allowed before holds on in this program, and nothing can be added: mend "
               "the file, or remove it and answer anew")
          : _ ("what was allowed for good is asked about again, and nothing can be added: mend the "
               "file, or remove it and answer anew"));
      return;
    }

  g_hash_table_unref (policy->answers);
  policy->answers = g_steal_pointer (&answers);
  policy->are_answers_read = TRUE;
  gmcp_manager_refresh_policy (self);
}

static void
take_pins (GmcpManager *self, GBytes *bytes, const GError *error)
{
  g_autoptr (GError) reason = error != NULL ? g_error_copy (error) : NULL;

  if (reason != NULL || !gmcp_manager_take_pins (self, bytes, &reason))
    report (
      self, GMCP_TOOL_PINS_FILE, reason,
      gmcp_manager_get_private (self)->policy->pins != NULL
        ? _ ("tools are compared with what was known before, and nothing can be approved: mend the "
             "file, or remove it, after which tools are taken as they are then")
        : _ ("no tool counts as approved, as none can be compared with what it was: mend the file, "
             "or remove it, after which tools are taken as they are then"));
}

static void
take_started (GmcpManager *self, GBytes *bytes, const GError *error)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  g_autoptr (GError) reason = error != NULL ? g_error_copy (error) : NULL;
  g_autoptr (GHashTable) started = NULL;

  if (reason == NULL)
    started = gmcp_started_commands_parse (bytes, &reason);
  if (started == NULL)
    {
      report (self, GMCP_STARTED_COMMANDS_FILE, reason,
              _ ("each program that is started is told of again: mend the file, or remove it"));
      return;
    }

  g_hash_table_unref (policy->started);
  policy->started = g_steal_pointer (&started);
}

static void
take_names (GmcpManager *self, GBytes *bytes, const GError *error)
{
  g_autoptr (GError) reason = error != NULL ? g_error_copy (error) : NULL;

  if (reason != NULL || !gmcp_manager_take_given_names (self, bytes, &reason))
    report (
      self, GMCP_GIVEN_NAMES_FILE, reason,
      _ ("no tool gets a name without its server’s that has none yet: mend the file, or remove "
         "it, after which such names are given anew"));
}

/* A memory that is lost is no loss to tell of. */
static void
take_failures (GmcpManager *self, GBytes *bytes, const GError *error)
{
  gmcp_manager_take_failures (self, bytes);
}

static const struct
{
  const char *name;
  void (*take) (GmcpManager *self, GBytes *bytes, const GError *error);
} files[] = {
  { GMCP_CALL_ANSWERS_FILE, take_answers },     { GMCP_TOOL_PINS_FILE, take_pins },
  { GMCP_STARTED_COMMANDS_FILE, take_started }, { GMCP_GIVEN_NAMES_FILE, take_names },
  { GMCP_SERVER_FAILURES_FILE, take_failures },
};

/* What holds the same as before, such as what was kept here, changes nothing. */
static void
take_file (GmcpManager *self, gsize i, const GmcpStateFileContent *content, gboolean again)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  const char *known = g_hash_table_lookup (policy->known, files[i].name);

  if (again && content->error == NULL && g_strcmp0 (known, content->digest) == 0)
    return;

  policy->n_taken += again;
  if (content->digest != NULL)
    g_hash_table_replace (policy->known, (gpointer) files[i].name, g_strdup (content->digest));
  else
    g_hash_table_remove (policy->known, files[i].name);
  files[i].take (self, content->bytes, content->error);
}

static void
on_files_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Reading *reading = data;
  g_autoptr (GmcpManager) self = gmcp_bounded_operation_end (reading->errand);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = gmcp_state_file_read_all_finish (result, &error);
  gboolean again = reading->func == NULL;

  for (guint i = 0; self != NULL && i < G_N_ELEMENTS (files) && !is_outdated (reading, self); i++)
    {
      GmcpStateFileContent none = { NULL, error, NULL };

      take_file (self, i, contents != NULL ? g_ptr_array_index (contents, i) : &none, again);
    }
  if (self == NULL)
    return;

  if (again)
    gmcp_manager_get_private (self)->policy->n_looks++;
  if (reading->func != NULL)
    reading->func (self, reading->data);
}

static void
read_files (GmcpManager *self, GmcpManagerStateFunc func, gpointer data)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  Reading *reading = g_new0 (Reading, 1);
  char *paths[G_N_ELEMENTS (files) + 1] = { NULL };

  reading->errand = gmcp_bounded_operation_new (self, priv->context);
  reading->func = func;
  reading->data = data;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    paths[i] = gmcp_manager_dup_state_path (self, files[i].name);
  gmcp_state_file_read_all_async ((const char *const *) paths,
                                  gmcp_bounded_operation_get_cancellable (reading->errand),
                                  on_files_read, reading);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_free (paths[i]);
}

static void
on_files_changed (gpointer data)
{
  GmcpManager *self = data;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  priv->policy->stale = priv->policy->n_keeping > 0;
  if (priv->policy->stale || priv->closed)
    return;

  g_main_context_push_thread_default (priv->context);
  read_files (self, NULL, NULL);
  g_main_context_pop_thread_default (priv->context);
}

static GmcpFileWatch *
watch_file (GmcpManager *self, const char *name)
{
  g_autofree char *path = gmcp_manager_dup_state_path (self, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return gmcp_file_watch_new (file, GMCP_DEFAULT_STATE_DELAY_MS, on_files_changed, self);
}

static gboolean
on_watch_due (gpointer data)
{
  GmcpManager *self = data;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->closed)
    return G_SOURCE_REMOVE;

  g_main_context_push_thread_default (priv->context);
  priv->policy->answers_watch = watch_file (self, GMCP_CALL_ANSWERS_FILE);
  priv->policy->pins_watch = watch_file (self, GMCP_TOOL_PINS_FILE);
  priv->policy->names_watch = watch_file (self, GMCP_GIVEN_NAMES_FILE);
  g_main_context_pop_thread_default (priv->context);
  /* What changed before they were watched. */
  on_files_changed (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_manager_load_state (GmcpManager *self, GmcpManagerStateFunc func, gpointer data)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerPolicy *policy = priv->policy;

  /* A program that makes one call and ends is quicker without. */
  if (policy->watch_due == NULL)
    {
      policy->watch_due = g_timeout_source_new (GMCP_DEFAULT_STATE_DELAY_MS);
      g_source_set_static_name (policy->watch_due, "[gmcp] state watch");
      g_source_set_callback (policy->watch_due, on_watch_due, self, NULL);
      g_source_attach (policy->watch_due, priv->context);
    }
  read_files (self, func, data);
}

/* A change of a file that is under way; who closes the manager waits for it. */
typedef struct
{
  GmcpBoundedOperation *errand;
  char *path;
  const char *name; /* of the file, one of those above */
} Keeping;

/* What stands there now is what is known here, unless somebody else had changed it before. */
static void
learn_kept (GmcpManager *self, const char *name, GAsyncResult *result)
{
  GHashTable *known = gmcp_manager_get_private (self)->policy->known;
  const char *before;
  const char *after;

  gmcp_state_file_change_get_digests (result, &before, &after);
  if (g_strcmp0 (g_hash_table_lookup (known, name), before) == 0)
    g_hash_table_replace (known, (gpointer) name, g_strdup (after));
}

static void
on_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Keeping *keeping = data;
  g_autofree char *path = keeping->path;
  g_autoptr (GmcpManager) self = gmcp_bounded_operation_end (keeping->errand);
  g_autoptr (GError) error = NULL;
  gboolean kept = gmcp_state_file_change_finish (result, &error);
  GmcpManagerPolicy *policy;

  if (self == NULL)
    return;

  if (kept)
    {
      learn_kept (self, keeping->name, result);
    }
  else if (g_str_equal (keeping->name, GMCP_SERVER_FAILURES_FILE)
           || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      /* A close does not wait for a slow disk; what is being written then may well get there. */
      g_debug ("%s: %s", path, error->message);
    }
  else
    {
      g_autofree char *message = g_strdup_printf (
        _ ("What was decided could not be kept in %s: %s"), path, error->message);

      gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, message);
    }

  policy = gmcp_manager_get_private (self)->policy;
  if (--policy->n_keeping == 0 && policy->stale)
    on_files_changed (self);
  gmcp_manager_settle_closers (self);
}

void
gmcp_manager_keep_state (GmcpManager *self,
                         const char *name,
                         GmcpStateFileFunc func,
                         gpointer data,
                         GDestroyNotify destroy)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  Keeping *keeping = g_new0 (Keeping, 1);

  keeping->errand = gmcp_bounded_operation_new (self, priv->context);
  keeping->path = gmcp_manager_dup_state_path (self, name);
  keeping->name = name;
  priv->policy->n_keeping++;
  g_main_context_push_thread_default (priv->context);
  gmcp_state_file_change_async (keeping->path, func, data, destroy,
                                gmcp_bounded_operation_get_cancellable (keeping->errand), on_kept,
                                keeping);
  g_main_context_pop_thread_default (priv->context);
}
