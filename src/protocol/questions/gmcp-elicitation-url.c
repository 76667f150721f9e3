/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-url-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>

/* GLib takes some bytes that no address may have. A backslash is a slash to browsers, so that the host
 * ends there. */
static gboolean
is_clean (const char *url)
{
  for (; *url != '\0'; url++)
    if ((guchar) *url <= ' ' || *url == 0x7f || *url == '\\')
      return FALSE;
  return TRUE;
}

char *
gmcp_elicitation_url_check (const char *url, GError **error)
{
  g_autoptr (GUri) uri
    = url != NULL && is_clean (url) ? g_uri_parse (url, G_URI_FLAGS_NONE, NULL) : NULL;
  g_autofree char *shown = NULL;

  if (uri != NULL
      && (g_str_equal (g_uri_get_scheme (uri), "https")
          || g_str_equal (g_uri_get_scheme (uri), "http"))
      && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0')
    return g_strdup (g_uri_get_host (uri));

  shown = gmcp_protocol_shorten (url != NULL ? url : "");
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("“%s” is not an address of the web that could be opened"), shown);
  return NULL;
}

/* A label that stands for letters outside ASCII, or such letters themselves. */
static gboolean
has_foreign_letters (const char *host)
{
  g_auto (GStrv) labels = g_strsplit (host, ".", -1);

  for (guint i = 0; labels[i] != NULL; i++)
    if (g_ascii_strncasecmp (labels[i], "xn--", 4) == 0 || !g_str_is_ascii (labels[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_local (const char *host)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  if (address != NULL)
    return g_inet_address_get_is_loopback (address);
  return g_ascii_strcasecmp (host, "localhost") == 0;
}

const char *
gmcp_elicitation_url_get_warning (const char *url, const char *host)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  if (uri == NULL)
    return NULL;
  if (g_uri_get_userinfo (uri) != NULL)
    return _ ("The address has a name before its host, which is often done to deceive.");
  if (has_foreign_letters (host))
    return _ (
      "The host has letters that may look like others; make sure that it is the right one.");
  if (g_str_equal (g_uri_get_scheme (uri), "http") && !is_local (host))
    return _ ("The connection to this address is not encrypted.");
  return NULL;
}

static void
on_url_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_app_info_launch_default_for_uri_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * gmcp_elicitation_open_url_async:
 * @self: a question that is an address
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Opens the address in the user's browser, without a shell. To be called once the user has agreed,
 * and beside [method@Gmcp.Elicitation.accept], which it does not call. Fails with an error of GIO's
 * where there is no browser, and with [error@Gmcp.Error] `INVALID_ARGUMENT` where the question is none.
 *
 * Spec: MCP 2026-07-28, client/elicitation, "Safe URL Handling".
 *
 * Since: 0.1
 */
void
gmcp_elicitation_open_url_async (GmcpElicitation *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  const char *url;

  g_return_if_fail (GMCP_IS_ELICITATION (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_elicitation_open_url_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  url = gmcp_elicitation_get_url (self);
  if (url == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                               _ ("The question is no address that could be opened"));
      return;
    }

  g_app_info_launch_default_for_uri_async (url, NULL, cancellable, on_url_opened,
                                           g_steal_pointer (&task));
}

/**
 * gmcp_elicitation_open_url_finish:
 * @self: a question that is an address
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Elicitation.open_url_async].
 *
 * Returns: whether a browser was started
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_open_url_finish (GmcpElicitation *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_elicitation_open_url_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
