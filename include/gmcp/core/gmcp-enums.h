/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ERA             (gmcp_era_get_type ())
#define GMCP_TYPE_TOOL_NAME_STYLE (gmcp_tool_name_style_get_type ())
#define GMCP_TYPE_TOOLS_FORMAT    (gmcp_tools_format_get_type ())
#define GMCP_TYPE_CONTENT_KIND    (gmcp_content_kind_get_type ())
#define GMCP_TYPE_CACHE_MODE      (gmcp_cache_mode_get_type ())

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

GMCP_AVAILABLE_IN_0_1
GType gmcp_era_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tool_name_style_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tools_format_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_content_kind_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GType gmcp_cache_mode_get_type (void) G_GNUC_CONST;

G_END_DECLS
