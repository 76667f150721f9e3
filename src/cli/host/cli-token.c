/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/filling/gmcp-keyring-secret.h>
#include <gmcp/core/gmcp-error.h>

#include "cli-token.h"

char *
cli_token_dup (CliHost *host, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "gmcp", name, NULL);
  g_autoptr (GmcpKeyringSecret) secret = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) reason = NULL;
  char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, &reason))
    return g_strstrip (text);
  if (!g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }
  g_clear_error (&reason);

  secret = gmcp_keyring_secret_new_for_daemon (name);
  gmcp_keyring_secret_lookup_async (secret, host->cancellable, cli_store_result, &result);
  text = gmcp_keyring_secret_lookup_finish (secret, cli_wait (&result), &reason);
  if (reason != NULL && !g_error_matches (reason, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    g_propagate_error (error, g_steal_pointer (&reason));
  return text;
}
