/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-share-key-private.h"

#include <stdlib.h>
#include <string.h>

#include "gmcp-config-filling-private.h"
#include "gmcp-flatpak-host-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-stdio-environment-private.h"

#define KEY_LENGTH 32

/* Variables of this program that servers get, and that say from which terminal or login it was started. To a
 * server, which has no terminal, they say nothing. */
static const char *const of_the_login[] = {
  "TERM",           "XDG_ACTIVATION_TOKEN", "XDG_SEAT", "XDG_SEAT_PATH", "XDG_SESSION_CLASS",
  "XDG_SESSION_ID", "XDG_SESSION_PATH",     "XDG_VTNR",
};

/* With its length, so that no two lists of texts give equal bytes. */
static void
append_text (GString *out, const char *text)
{
  if (text != NULL)
    g_string_append_printf (out, "%" G_GSIZE_FORMAT ":%s,", strlen (text), text);
  else
    g_string_append (out, "-,");
}

static void
append_number (GString *out, guint number)
{
  g_string_append_printf (out, "%u,", number);
}

static void
append_texts (GString *out, const char *const *texts)
{
  append_number (out, texts != NULL ? g_strv_length ((GStrv) texts) : 0);
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    append_text (out, texts[i]);
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* A bus adds its guid to the address that it gives to the programs it starts: the daemon is to have the key of those
 * that were given the address without. */
static GStrv
remove_bus_guids (GStrv environment)
{
  const char *address = g_environ_getenv (environment, "DBUS_SESSION_BUS_ADDRESS");
  g_autoptr (GString) bare = NULL;

  if (address == NULL || strstr (address, ",guid=") == NULL)
    return environment;

  bare = g_string_sized_new (strlen (address));
  while (*address != '\0')
    {
      if (g_str_has_prefix (address, ",guid="))
        address += 1 + strcspn (address + 1, ",;");
      else
        g_string_append_c (bare, *address++);
    }
  return g_environ_setenv (environment, "DBUS_SESSION_BUS_ADDRESS", bare->str, TRUE);
}

/* FALSE where the environment is none. A program below a gateway shares nothing with what is above it, which could be
 * what its servers come back to; whoever offers servers is marked itself, and means programs that are below nobody. */
static gboolean
append_environment (GString *out, GmcpServerConfig *filled, gboolean is_offered)
{
  g_auto (GStrv) host = g_get_environ ();
  g_auto (GStrv) environment = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (of_the_login); i++)
    host = g_environ_unsetenv (host, of_the_login[i]);
  host = remove_bus_guids (host);
  if (is_offered)
    host = g_environ_unsetenv (host, "GMCP_GATEWAYS");
  environment = gmcp_stdio_environment_build (
    (const char *const *) host, gmcp_server_config_get_environment (filled), FALSE, NULL);
  if (environment == NULL)
    return FALSE;

  qsort (environment, g_strv_length (environment), sizeof *environment, compare_texts);
  append_texts (out, (const char *const *) environment);
  return TRUE;
}

static void
append_confinement (GString *out, GmcpServerConfig *filled)
{
  append_number (out, (guint) gmcp_server_config_get_sandbox (filled));
  append_texts (out, gmcp_server_config_get_writable_paths (filled));
  append_number (out, (guint) gmcp_server_config_get_no_network (filled));
  append_number (out, (guint) gmcp_server_config_get_unix_sockets (filled));
  append_number (out, gmcp_server_config_get_max_cpu_ms (filled));
  append_number (out, gmcp_server_config_get_max_memory_mib (filled));
  append_number (out, gmcp_server_config_get_max_processes (filled));
}

/* Which secret a name means depends on the server, and on the file that the server is configured in. */
static void
append_keyring (GString *out, GmcpServerConfig *config)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  append_text (out, gmcp_server_config_get_id (config));
  append_text (out, origin != NULL ? origin->file : NULL);
}

static const char *
find_folder (GmcpServerConfig *config, GmcpServerConfig *filled, const char *own_folder)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  if (gmcp_server_config_get_cwd (filled) != NULL)
    return gmcp_server_config_get_cwd (filled);
  return origin != NULL && origin->folder != NULL ? origin->folder : own_folder;
}

/* Secrets stand by their names. NULL where somebody would have to be asked, or something is missing. */
static GmcpServerConfig *
fill_names (GmcpServerConfig *config, const GmcpConfigExpandContext *context, gboolean *has_secrets)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  g_auto (GStrv) environment = g_get_environ ();
  GStrv overrides
    = gmcp_server_config_is_environment_locked (config)
        ? g_new0 (char *, 1)
        : gmcp_config_find_overrides (gmcp_server_config_get_id (config), context->ids,
                                      (const char *const *) environment);
  g_autoptr (GmcpConfigFilling) filling = gmcp_config_filling_new (
    config, origin != NULL && origin->workspace != NULL ? origin->workspace : context->workspace,
    overrides);
  g_autoptr (GmcpServerConfig) draft = gmcp_config_filling_make (filling, NULL);
  const char *key;

  if (draft == NULL)
    return NULL;

  while ((key = gmcp_config_filling_get_wanted (filling)) != NULL)
    {
      g_autofree char *name = g_strdup (key);
      g_autofree char *written = g_strconcat ("${", name, "}", NULL);

      /* Whether a fallback holds cannot be told without the secret. */
      if (!g_str_has_prefix (name, "secret:") || gmcp_config_filling_has_fallback (filling, name))
        return NULL;
      gmcp_config_filling_give (filling, name, written);
      *has_secrets = TRUE;
    }
  return gmcp_config_filling_make (filling, NULL);
}

char *
gmcp_share_key_make (GmcpServerConfig *config,
                     const GmcpConfigExpandContext *context,
                     const char *own_folder,
                     gboolean is_offered)
{
  g_autoptr (GString) text = g_string_new (GMCP_SHARE_SCHEME ",");
  g_autoptr (GmcpServerConfig) filled = NULL;
  gboolean has_secrets = FALSE;
  char *key;

  if (gmcp_server_config_get_transport (config) != GMCP_SERVER_TRANSPORT_STDIO
      || gmcp_server_config_get_inherit_environment (config) || gmcp_flatpak_is_inside ())
    return NULL;

  filled = gmcp_server_config_is_expanded (config) ? g_object_ref (config)
                                                   : fill_names (config, context, &has_secrets);
  if (filled == NULL)
    return NULL;

  append_texts (text, gmcp_server_config_get_argv (filled));
  append_text (text, find_folder (config, filled, own_folder));
  append_number (text, (guint) gmcp_server_config_get_era (filled));
  append_confinement (text, filled);
  if (has_secrets)
    append_keyring (text, config);
  if (!append_environment (text, filled, is_offered))
    return NULL;

  key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
  key[KEY_LENGTH] = '\0';
  return key;
}
