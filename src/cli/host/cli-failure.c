/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-failure.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>

/* There is one standard error, and one command at a time that ends by it. */
static struct
{
  gboolean is_held;
  GString *messages; /* with line feeds between; NULL before the first */
  int rpc_code;      /* 0 for none */
  JsonNode *data;
} failure;

void
cli_failure_hold (void)
{
  failure.is_held = TRUE;
}

void
cli_failure_tell (const char *message)
{
  if (!failure.is_held)
    g_printerr ("gmcp: %s\n", message);
  else if (failure.messages == NULL)
    failure.messages = g_string_new (message);
  else
    g_string_append_printf (failure.messages, "\n%s", message);
}

void
cli_failure_tell_details (int rpc_code, const char *data_json)
{
  if (!failure.is_held)
    {
      if (data_json != NULL)
        /* Translators: what a server sent with its error, in JSON */
        g_printerr (_ ("The server's details: %s\n"), data_json);
      return;
    }

  failure.rpc_code = rpc_code;
  g_clear_pointer (&failure.data, json_node_unref);
  if (data_json != NULL)
    failure.data = gmcp_json_parse (data_json, -1, NULL);
}

static char *
make_text (CliExit status)
{
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), json_object_new ());
  JsonObject *error = json_object_new ();

  json_object_unref (json_node_get_object (root));
  json_object_set_string_member (error, "code", cli_exit_get_code (status));
  json_object_set_int_member (error, "status", status);
  json_object_set_string_member (error, "message", failure.messages->str);
  if (failure.rpc_code != 0)
    json_object_set_int_member (error, "rpcCode", failure.rpc_code);
  if (failure.data != NULL)
    json_object_set_member (error, "data", g_steal_pointer (&failure.data));
  json_object_set_object_member (json_node_get_object (root), "error", error);
  return gmcp_json_print (root, NULL);
}

void
cli_failure_release (CliExit status)
{
  g_autofree char *text = NULL;

  /* The reason may have been told in lines of its own; that a tool failed is in its result. */
  if (failure.is_held && failure.messages == NULL && status > CLI_EXIT_TOOL_ERROR)
    cli_failure_tell (_ (cli_exit_get_summary (status)));
  if (failure.messages != NULL && status != CLI_EXIT_OK)
    {
      text = make_text (status);
      g_printerr ("%s\n", text);
    }
  else if (failure.messages != NULL)
    g_printerr ("gmcp: %s\n", failure.messages->str);

  failure.is_held = FALSE;
  failure.rpc_code = 0;
  g_clear_pointer (&failure.data, json_node_unref);
  if (failure.messages != NULL)
    g_string_free (g_steal_pointer (&failure.messages), TRUE);
}
