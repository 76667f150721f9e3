/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-late-names-private.h"
#include "gmcp-tool-registry-private.h"

#include <string.h>

/* Names that no provider lists yet, but one may before long. */

typedef struct
{
  guint n_asked;
  GError *error; /* the first one */
} Looking;

static void
looking_free (gpointer data)
{
  Looking *looking = data;

  g_clear_error (&looking->error);
  g_free (looking);
}

/* Takes the task. */
static void
one_answered (GTask *task)
{
  g_autoptr (GTask) owned G_GNUC_UNUSED = task;
  Looking *looking = g_task_get_task_data (task);

  if (--looking->n_asked > 0)
    return;

  if (looking->error != NULL)
    g_task_return_error (task, g_steal_pointer (&looking->error));
  else
    g_task_return_pointer (task, NULL, NULL);
}

static void
on_looked_for (GObject *object, GAsyncResult *result, gpointer data)
{
  Looking *looking = g_task_get_task_data (data);

  gmcp_tool_provider_look_for_finish (result, NULL,
                                      looking->error == NULL ? &looking->error : NULL);
  one_answered (data);
}

/* The name that the provider itself gives to what the registry would list as ID__NAME; NULL for another name. */
static const char *
get_own_name (GmcpRegistrySection *section, GmcpLateKind kind, const char *name)
{
  gsize length = strlen (section->id);

  if (kind == GMCP_LATE_RESOURCE || !g_str_has_prefix (name, section->id)
      || !g_str_has_prefix (name + length, "__"))
    return NULL;
  return name + length + strlen ("__");
}

static void
list_names (GmcpToolRegistry *self,
            GmcpLateKind kind,
            const char *name,
            GPtrArray *providers,
            GPtrArray *names)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);
      const char *own_name;

      if (section->provider == NULL || !gmcp_tool_provider_can_look_for (section->provider))
        continue;
      g_ptr_array_add (providers, g_object_ref (section->provider));
      g_ptr_array_add (names, g_strdup (name));
      own_name = get_own_name (section, kind, name);
      if (own_name == NULL)
        continue;
      g_ptr_array_add (providers, g_object_ref (section->provider));
      g_ptr_array_add (names, g_strdup (own_name));
    }
}

void
gmcp_tool_registry_look_for (GmcpToolProvider *provider,
                             GmcpLateKind kind,
                             const char *name,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GPtrArray) providers = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Looking *looking;

  g_task_set_source_tag (task, gmcp_tool_registry_look_for);
  if (g_task_return_error_if_cancelled (task))
    return;

  looking = g_new0 (Looking, 1);
  g_task_set_task_data (task, looking, looking_free);
  list_names (self, kind, name, providers, names);
  /* One more, for this function. */
  looking->n_asked = providers->len + 1;
  for (guint i = 0; i < providers->len; i++)
    gmcp_tool_provider_look_for_async (g_ptr_array_index (providers, i), kind,
                                       g_ptr_array_index (names, i), cancellable, on_looked_for,
                                       g_object_ref (task));
  one_answered (g_steal_pointer (&task));
}
