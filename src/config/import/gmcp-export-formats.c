/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-export-formats-private.h"

/* The keys of a command, its variables, headers and address. */
#define KEYS(command, environment, headers, url)                                                   \
  .command_key = command, .environment_key = environment, .headers_key = headers, .url_key = url

/* clang-format off */
static const GmcpExportFormat formats[] = {
  { .program = "claude-desktop", KEYS ("command", "env", NULL, NULL) },
  { .program = "claude-code", KEYS ("command", "env", "headers", "url"),
    .reference = "${%s}", .default_reference = "${%s:-%s}", .http_type = "http", .sse_type = "sse" },
  { .program = "cursor", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .editor_variables = TRUE },
  { .program = "vscode", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .asks = TRUE, .editor_variables = TRUE,
    .stdio_type = "stdio", .http_type = "http", .sse_type = "sse" },
  { .program = "zed", KEYS ("command", "env", "headers", "url"), .source = "custom" },
  { .program = "gemini", KEYS ("command", "env", "headers", "httpUrl"),
    .sse_url_key = "url", .reference = "${%s}" },
  { .program = "codex", KEYS ("command", "env", "http_headers", "url"),
    .variables_key = "env_vars", .header_variables_key = "env_http_headers" },
  { .program = "goose", KEYS ("cmd", "envs", "headers", "uri"),
    .variables_key = "env_keys", .name_key = "name", .enabled = TRUE,
    .stdio_type = "stdio", .http_type = "streamable_http", .sse_type = "sse" },
  { .program = "cline", KEYS ("command", "env", "headers", "url"),
    .http_type = "streamableHttp", .sse_type = "sse" },
  { .program = "roo-code", KEYS ("command", "env", "headers", "url"),
    .reference = "${env:%s}", .http_type = "streamable-http", .sse_type = "sse" },
  { .program = "windsurf", KEYS ("command", "env", "headers", "serverUrl"),
    .reference = "${env:%s}" },
  { .program = "opencode", KEYS ("command", "environment", "headers", "url"),
    .reference = "{env:%s}", .command_list = TRUE, .enabled = TRUE,
    .stdio_type = "local", .http_type = "remote", .sse_type = "remote" },
};
/* clang-format on */

const GmcpExportFormat *
gmcp_export_format_look_up (const char *program)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      if (g_str_equal (formats[i].program, program))
        return &formats[i];
    }
  return NULL;
}
