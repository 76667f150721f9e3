/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-enums.h>

G_DEFINE_ENUM_TYPE (GmcpEra,
                    gmcp_era,
                    G_DEFINE_ENUM_VALUE (GMCP_ERA_AUTO, "auto"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERA_MODERN, "modern"),
                    G_DEFINE_ENUM_VALUE (GMCP_ERA_LEGACY, "legacy"))

G_DEFINE_ENUM_TYPE (GmcpToolNameStyle,
                    gmcp_tool_name_style,
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_NAME_STYLE_SERVER_TOOL, "server-tool"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL, "mcp-server-tool"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE,
                                         "single-underscore"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_NAME_STYLE_BARE, "bare"))

G_DEFINE_ENUM_TYPE (GmcpToolsFormat,
                    gmcp_tools_format,
                    G_DEFINE_ENUM_VALUE (GMCP_TOOLS_FORMAT_MCP, "mcp"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOLS_FORMAT_ANTHROPIC, "anthropic"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOLS_FORMAT_OPENAI, "openai"))

G_DEFINE_ENUM_TYPE (GmcpToolDetail,
                    gmcp_tool_detail,
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_DETAIL_NAME, "name"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_DETAIL_BRIEF, "brief"),
                    G_DEFINE_ENUM_VALUE (GMCP_TOOL_DETAIL_FULL, "full"))

G_DEFINE_ENUM_TYPE (GmcpContentKind,
                    gmcp_content_kind,
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_UNKNOWN, "unknown"),
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_TEXT, "text"),
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_IMAGE, "image"),
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_AUDIO, "audio"),
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_RESOURCE, "resource"),
                    G_DEFINE_ENUM_VALUE (GMCP_CONTENT_KIND_RESOURCE_LINK, "resource-link"))

G_DEFINE_ENUM_TYPE (GmcpCacheMode,
                    gmcp_cache_mode,
                    G_DEFINE_ENUM_VALUE (GMCP_CACHE_MODE_DEFAULT, "default"),
                    G_DEFINE_ENUM_VALUE (GMCP_CACHE_MODE_BYPASS, "bypass"),
                    G_DEFINE_ENUM_VALUE (GMCP_CACHE_MODE_REFRESH, "refresh"))

G_DEFINE_ENUM_TYPE (GmcpCacheScope,
                    gmcp_cache_scope,
                    G_DEFINE_ENUM_VALUE (GMCP_CACHE_SCOPE_PRIVATE, "private"),
                    G_DEFINE_ENUM_VALUE (GMCP_CACHE_SCOPE_PUBLIC, "public"))

G_DEFINE_ENUM_TYPE (GmcpMessageRole,
                    gmcp_message_role,
                    G_DEFINE_ENUM_VALUE (GMCP_MESSAGE_ROLE_USER, "user"),
                    G_DEFINE_ENUM_VALUE (GMCP_MESSAGE_ROLE_ASSISTANT, "assistant"))

G_DEFINE_ENUM_TYPE (GmcpCompletionKind,
                    gmcp_completion_kind,
                    G_DEFINE_ENUM_VALUE (GMCP_COMPLETION_KIND_PROMPT, "prompt"),
                    G_DEFINE_ENUM_VALUE (GMCP_COMPLETION_KIND_RESOURCE, "resource"))

G_DEFINE_ENUM_TYPE (GmcpLogLevel,
                    gmcp_log_level,
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_UNSET, "unset"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_DEBUG, "debug"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_INFO, "info"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_NOTICE, "notice"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_WARNING, "warning"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_ERROR, "error"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_CRITICAL, "critical"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_ALERT, "alert"),
                    G_DEFINE_ENUM_VALUE (GMCP_LOG_LEVEL_EMERGENCY, "emergency"))

G_DEFINE_ENUM_TYPE (GmcpElicitationMode,
                    gmcp_elicitation_mode,
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_MODE_FORM, "form"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_MODE_URL, "url"))

G_DEFINE_ENUM_TYPE (GmcpElicitationFieldKind,
                    gmcp_elicitation_field_kind,
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_UNKNOWN, "unknown"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_STRING, "string"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_NUMBER, "number"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_INTEGER, "integer"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_BOOLEAN, "boolean"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_CHOICE, "choice"),
                    G_DEFINE_ENUM_VALUE (GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE, "multi-choice"))

G_DEFINE_ENUM_TYPE (GmcpNoticeLevel,
                    gmcp_notice_level,
                    G_DEFINE_ENUM_VALUE (GMCP_NOTICE_LEVEL_INFO, "info"),
                    G_DEFINE_ENUM_VALUE (GMCP_NOTICE_LEVEL_WARNING, "warning"),
                    G_DEFINE_ENUM_VALUE (GMCP_NOTICE_LEVEL_ERROR, "error"))
