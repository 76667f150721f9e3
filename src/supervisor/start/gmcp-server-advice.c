/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-server-advice-private.h"

/* Programs that servers are run with, and what installs them. Shell's commands, which are not translated. */
static const char *const installers[][2] = {
  { "bunx", "npm install -g bun" },      { "deno", "npm install -g deno" },
  { "docker", "apt install docker.io" }, { "dotnet", "apt install dotnet-sdk-8.0" },
  { "go", "apt install golang" },        { "java", "apt install default-jre" },
  { "node", "apt install nodejs" },      { "nodejs", "apt install nodejs" },
  { "npm", "apt install npm" },          { "npx", "apt install nodejs npm" },
  { "pipx", "apt install pipx" },        { "podman", "apt install podman" },
  { "python", "apt install python3" },   { "python3", "apt install python3" },
  { "uv", "pipx install uv" },           { "uvx", "pipx install uv" },
};

static const char *
find_installer (const char *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (installers); i++)
    {
      if (g_str_equal (installers[i][0], program))
        return installers[i][1];
    }
  return NULL;
}

static void
advise_on_program (GPtrArray *advice, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);
  const char *installer = argv != NULL && argv[0] != NULL ? find_installer (argv[0]) : NULL;
  const char *package = gmcp_server_config_get_package (config);
  g_autofree char *hint
    = installer == NULL && package != NULL ? gmcp_preflight_dup_hint (config) : NULL;

  if (installer != NULL)
    g_ptr_array_add (advice, g_strdup (installer));
  if (hint != NULL)
    /* Without what says that it installs. */
    g_ptr_array_add (advice, g_strdup (strstr (hint, "npm")));
}

static void
add_command (GPtrArray *advice, const char *command, const char *words)
{
  g_ptr_array_add (advice, g_strdup_printf ("gmcp %s %s", command, words));
}

static void
advise_on_silence (GPtrArray *advice, GmcpServerConfig *config, const char *words)
{
  if (gmcp_server_config_get_url (config) == NULL)
    g_ptr_array_add (advice,
                     g_strdup (_ ("See whether the program wants an argument to be an MCP server: "
                                  "many want “--stdio”, “mcp” or “serve”")));
  add_command (advice, "show", words);
}

GStrv
gmcp_server_advice_find (GmcpServerConfig *config, GmcpServerStepKind step, const char *words)
{
  GPtrArray *advice = g_ptr_array_new ();

  switch (step)
    {
    case GMCP_SERVER_STEP_CONFIGURATION:
      add_command (advice, gmcp_server_config_is_enabled (config) ? "edit" : "enable", words);
      break;
    case GMCP_SERVER_STEP_PROGRAM:
      advise_on_program (advice, config);
      add_command (advice, "edit", words);
      break;
    case GMCP_SERVER_STEP_ERA:
    case GMCP_SERVER_STEP_HANDSHAKE:
      advise_on_silence (advice, config, words);
      break;
    case GMCP_SERVER_STEP_CONNECTION:
      add_command (advice, gmcp_server_config_get_url (config) != NULL ? "show" : "logs", words);
      break;
    case GMCP_SERVER_STEP_SIGN_IN:
      g_ptr_array_add (advice,
                       g_strdup (_ ("Set the header “Authorization” in its configuration, or "
                                    "“bearer_token_env_var” to the variable that has its token")));
      add_command (advice, "show", words);
      break;
    case GMCP_SERVER_STEP_LIST:
    case GMCP_SERVER_STEP_HEALTH:
    default:
      add_command (advice, "logs", words);
      break;
    }
  g_ptr_array_add (advice, NULL);
  return (GStrv) g_ptr_array_free (advice, FALSE);
}
