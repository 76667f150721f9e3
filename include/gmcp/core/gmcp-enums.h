/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ERA                    (gmcp_era_get_type ())
#define GMCP_TYPE_TOOL_NAME_STYLE        (gmcp_tool_name_style_get_type ())
#define GMCP_TYPE_TOOLS_FORMAT           (gmcp_tools_format_get_type ())
#define GMCP_TYPE_TOOL_DETAIL            (gmcp_tool_detail_get_type ())
#define GMCP_TYPE_CONTENT_KIND           (gmcp_content_kind_get_type ())
#define GMCP_TYPE_MESSAGE_ROLE           (gmcp_message_role_get_type ())
#define GMCP_TYPE_COMPLETION_KIND        (gmcp_completion_kind_get_type ())
#define GMCP_TYPE_LOG_LEVEL              (gmcp_log_level_get_type ())
#define GMCP_TYPE_CACHE_MODE             (gmcp_cache_mode_get_type ())
#define GMCP_TYPE_CACHE_SCOPE            (gmcp_cache_scope_get_type ())
#define GMCP_TYPE_ELICITATION_MODE       (gmcp_elicitation_mode_get_type ())
#define GMCP_TYPE_ELICITATION_FIELD_KIND (gmcp_elicitation_field_kind_get_type ())
#define GMCP_TYPE_NOTICE_LEVEL           (gmcp_notice_level_get_type ())

/**
 * GmcpEra:
 * @GMCP_ERA_AUTO: not known yet; find out by asking the server
 * @GMCP_ERA_MODERN: revision 2026-07-28 and later: stateless, metadata on each request
 * @GMCP_ERA_LEGACY: revisions 2024-11-05 to 2025-11-25: a session opened by `initialize`
 *
 * The two ways of speaking MCP.
 *
 * Spec: MCP 2026-07-28, basic/versioning, "Terminology".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_ERA_AUTO,
  GMCP_ERA_MODERN,
  GMCP_ERA_LEGACY,
} GmcpEra;

/**
 * GmcpToolNameStyle:
 * @GMCP_TOOL_NAME_STYLE_SERVER_TOOL: `SERVER__TOOL`
 * @GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL: `mcp__SERVER__TOOL`
 * @GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE: `SERVER_TOOL`
 * @GMCP_TOOL_NAME_STYLE_BARE: the server's own name where it is unique, else `SERVER__TOOL`
 *
 * How tools are named to a host.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TOOL_NAME_STYLE_SERVER_TOOL,
  GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL,
  GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE,
  GMCP_TOOL_NAME_STYLE_BARE,
} GmcpToolNameStyle;

/**
 * GmcpToolsFormat:
 * @GMCP_TOOLS_FORMAT_MCP: `{name, title, description, inputSchema, outputSchema, annotations}`
 * @GMCP_TOOLS_FORMAT_ANTHROPIC: `{name, description, input_schema}`
 * @GMCP_TOOLS_FORMAT_OPENAI: `{type: "function", function: {name, description, parameters}}`
 *
 * The JSON forms in which a list of tools can be given to a model.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TOOLS_FORMAT_MCP,
  GMCP_TOOLS_FORMAT_ANTHROPIC,
  GMCP_TOOLS_FORMAT_OPENAI,
} GmcpToolsFormat;

/**
 * GmcpToolDetail:
 * @GMCP_TOOL_DETAIL_NAME: `{name}`
 * @GMCP_TOOL_DETAIL_BRIEF: `{name, title, description, arguments}`, with the beginning of the
 *   description and the names of the arguments
 * @GMCP_TOOL_DETAIL_FULL: `{name, title, description, inputSchema, outputSchema, annotations}`
 *
 * How much a model is told of a tool that a search found.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TOOL_DETAIL_NAME,
  GMCP_TOOL_DETAIL_BRIEF,
  GMCP_TOOL_DETAIL_FULL,
} GmcpToolDetail;

/**
 * GmcpContentKind:
 * @GMCP_CONTENT_KIND_UNKNOWN: a kind that this library does not know; the raw JSON is kept
 * @GMCP_CONTENT_KIND_TEXT: text
 * @GMCP_CONTENT_KIND_IMAGE: an image
 * @GMCP_CONTENT_KIND_AUDIO: a sound
 * @GMCP_CONTENT_KIND_RESOURCE: a resource, embedded
 * @GMCP_CONTENT_KIND_RESOURCE_LINK: a link to a resource
 *
 * The kinds of content block.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_CONTENT_KIND_UNKNOWN,
  GMCP_CONTENT_KIND_TEXT,
  GMCP_CONTENT_KIND_IMAGE,
  GMCP_CONTENT_KIND_AUDIO,
  GMCP_CONTENT_KIND_RESOURCE,
  GMCP_CONTENT_KIND_RESOURCE_LINK,
} GmcpContentKind;

/**
 * GmcpMessageRole:
 * @GMCP_MESSAGE_ROLE_USER: the user
 * @GMCP_MESSAGE_ROLE_ASSISTANT: the model
 *
 * The two sides of a conversation.
 *
 * Spec: MCP 2026-07-28, schema, `Role`.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_MESSAGE_ROLE_USER,
  GMCP_MESSAGE_ROLE_ASSISTANT,
} GmcpMessageRole;

/**
 * GmcpCompletionKind:
 * @GMCP_COMPLETION_KIND_PROMPT: an argument of a prompt
 * @GMCP_COMPLETION_KIND_RESOURCE: a place in the URI template of resources
 *
 * What can be completed.
 *
 * Spec: MCP 2026-07-28, server/utilities/completion, "Reference Types".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_COMPLETION_KIND_PROMPT,
  GMCP_COMPLETION_KIND_RESOURCE,
} GmcpCompletionKind;

/**
 * GmcpLogLevel:
 * @GMCP_LOG_LEVEL_UNSET: not said
 * @GMCP_LOG_LEVEL_DEBUG: details for who looks for a fault
 * @GMCP_LOG_LEVEL_INFO: what goes on
 * @GMCP_LOG_LEVEL_NOTICE: normal, but worth to be known
 * @GMCP_LOG_LEVEL_WARNING: something that may go wrong
 * @GMCP_LOG_LEVEL_ERROR: something that went wrong
 * @GMCP_LOG_LEVEL_CRITICAL: a part of the server has failed
 * @GMCP_LOG_LEVEL_ALERT: something has to be done at once
 * @GMCP_LOG_LEVEL_EMERGENCY: the server cannot be used
 *
 * How much a log message of a server matters, as syslog has it; the least first.
 *
 * Spec: MCP 2026-07-28, server/utilities/logging, "Log Levels".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_LOG_LEVEL_UNSET,
  GMCP_LOG_LEVEL_DEBUG,
  GMCP_LOG_LEVEL_INFO,
  GMCP_LOG_LEVEL_NOTICE,
  GMCP_LOG_LEVEL_WARNING,
  GMCP_LOG_LEVEL_ERROR,
  GMCP_LOG_LEVEL_CRITICAL,
  GMCP_LOG_LEVEL_ALERT,
  GMCP_LOG_LEVEL_EMERGENCY,
} GmcpLogLevel;

/**
 * GmcpCacheMode:
 * @GMCP_CACHE_MODE_DEFAULT: a fresh answer is taken from the cache; what the server answers is kept
 * @GMCP_CACHE_MODE_BYPASS: the server is asked, and its answer is not kept
 * @GMCP_CACHE_MODE_REFRESH: the server is asked, and its answer is kept
 *
 * What a request may have of a [class@Gmcp.ResponseCache].
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_CACHE_MODE_DEFAULT,
  GMCP_CACHE_MODE_BYPASS,
  GMCP_CACHE_MODE_REFRESH,
} GmcpCacheMode;

/**
 * GmcpCacheScope:
 * @GMCP_CACHE_SCOPE_PRIVATE: only for whom the answer was made
 * @GMCP_CACHE_SCOPE_PUBLIC: for every user: the answer would be the same
 *
 * Whom an answer may be given to that was kept in a cache, also in one between a server and several
 * clients.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Cache Scope Field".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_CACHE_SCOPE_PRIVATE,
  GMCP_CACHE_SCOPE_PUBLIC,
} GmcpCacheScope;

/**
 * GmcpElicitationMode:
 * @GMCP_ELICITATION_MODE_FORM: the user fills in fields, which the server gets
 * @GMCP_ELICITATION_MODE_URL: the user does something at an address, which this side sees nothing of
 *
 * How a server asks the user.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_ELICITATION_MODE_FORM,
  GMCP_ELICITATION_MODE_URL,
} GmcpElicitationMode;

/**
 * GmcpElicitationFieldKind:
 * @GMCP_ELICITATION_FIELD_KIND_UNKNOWN: a kind that the protocol does not have; what is entered is
 *   not checked
 * @GMCP_ELICITATION_FIELD_KIND_STRING: a text
 * @GMCP_ELICITATION_FIELD_KIND_NUMBER: a number
 * @GMCP_ELICITATION_FIELD_KIND_INTEGER: a whole number
 * @GMCP_ELICITATION_FIELD_KIND_BOOLEAN: yes or no
 * @GMCP_ELICITATION_FIELD_KIND_CHOICE: one of several options
 * @GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE: any number of several options
 *
 * What can be entered in a field of a form.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_ELICITATION_FIELD_KIND_UNKNOWN,
  GMCP_ELICITATION_FIELD_KIND_STRING,
  GMCP_ELICITATION_FIELD_KIND_NUMBER,
  GMCP_ELICITATION_FIELD_KIND_INTEGER,
  GMCP_ELICITATION_FIELD_KIND_BOOLEAN,
  GMCP_ELICITATION_FIELD_KIND_CHOICE,
  GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE,
} GmcpElicitationFieldKind;

/**
 * GmcpNoticeLevel:
 * @GMCP_NOTICE_LEVEL_INFO: what happens as it should
 * @GMCP_NOTICE_LEVEL_WARNING: something is missing or slow, and the work goes on
 * @GMCP_NOTICE_LEVEL_ERROR: something failed
 *
 * How much a notice matters to the user.
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_NOTICE_LEVEL_INFO,
  GMCP_NOTICE_LEVEL_WARNING,
  GMCP_NOTICE_LEVEL_ERROR,
} GmcpNoticeLevel;

GMCP_AVAILABLE_IN_0_1
GType gmcp_era_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tool_name_style_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tools_format_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tool_detail_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_content_kind_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_message_role_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_completion_kind_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_log_level_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_cache_mode_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_cache_scope_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_elicitation_mode_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_elicitation_field_kind_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_notice_level_get_type (void) G_GNUC_CONST;

G_END_DECLS
