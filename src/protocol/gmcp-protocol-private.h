/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What both ends and both eras share. A method of one era only is named in that era's files. */

#define GMCP_PROTOCOL_VERSION_2024_11_05    "2024-11-05"
#define GMCP_PROTOCOL_VERSION_2025_03_26    "2025-03-26"
#define GMCP_PROTOCOL_VERSION_2025_06_18    "2025-06-18"
#define GMCP_PROTOCOL_VERSION_2025_11_25    "2025-11-25"
#define GMCP_PROTOCOL_VERSION_2026_07_28    "2026-07-28"
#define GMCP_PROTOCOL_VERSION_NEWEST_LEGACY GMCP_PROTOCOL_VERSION_2025_11_25
#define GMCP_PROTOCOL_VERSION_NEWEST_MODERN GMCP_PROTOCOL_VERSION_2026_07_28

/* 2025-11-25, client/elicitation: an address has to be visited before the request is sent again. */
#define GMCP_CODE_URL_ELICITATION_REQUIRED (-32042)

#define GMCP_METHOD_TOOLS_LIST             "tools/list"
#define GMCP_METHOD_TOOLS_CALL             "tools/call"
#define GMCP_METHOD_TASKS_GET              "tasks/get"
#define GMCP_METHOD_TASKS_UPDATE           "tasks/update"
#define GMCP_METHOD_TASKS_CANCEL           "tasks/cancel"
#define GMCP_METHOD_RESOURCES_LIST         "resources/list"
#define GMCP_METHOD_RESOURCES_READ         "resources/read"
#define GMCP_METHOD_TEMPLATES_LIST         "resources/templates/list"
#define GMCP_METHOD_PROMPTS_LIST           "prompts/list"
#define GMCP_METHOD_PROMPTS_GET            "prompts/get"
#define GMCP_METHOD_COMPLETE               "completion/complete"
/* Requests of the legacy era, and what the modern one puts into results. */
#define GMCP_METHOD_ELICITATION_CREATE           "elicitation/create"
#define GMCP_METHOD_ROOTS_LIST                   "roots/list"
#define GMCP_METHOD_SAMPLING_CREATE_MESSAGE      "sampling/createMessage"
#define GMCP_NOTIFICATION_CANCELLED              "notifications/cancelled"
#define GMCP_NOTIFICATION_PROGRESS               "notifications/progress"
#define GMCP_NOTIFICATION_MESSAGE                "notifications/message"
#define GMCP_NOTIFICATION_TOOLS_LIST_CHANGED     "notifications/tools/list_changed"
#define GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED   "notifications/prompts/list_changed"
#define GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED "notifications/resources/list_changed"
#define GMCP_NOTIFICATION_RESOURCES_UPDATED      "notifications/resources/updated"

#define GMCP_MEMBER_META                         "_meta"
#define GMCP_MEMBER_NEXT_CURSOR                  "nextCursor"
#define GMCP_MEMBER_RESULT_TYPE                  "resultType"

#define GMCP_RESULT_TYPE_COMPLETE                "complete"
#define GMCP_RESULT_TYPE_INPUT_REQUIRED          "input_required"
#define GMCP_RESULT_TYPE_TASK                    "task"

#define GMCP_EXTENSION_TASKS                     "io.modelcontextprotocol/tasks"

/* Keys of _meta. */
#define GMCP_META_PREFIX              "io.modelcontextprotocol/"
#define GMCP_META_PROGRESS_TOKEN      "progressToken"
#define GMCP_META_PROTOCOL_VERSION    "io.modelcontextprotocol/protocolVersion"
#define GMCP_META_CLIENT_INFO         "io.modelcontextprotocol/clientInfo"
#define GMCP_META_CLIENT_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define GMCP_META_SERVER_INFO         "io.modelcontextprotocol/serverInfo"
#define GMCP_META_LOG_LEVEL           "io.modelcontextprotocol/logLevel"
#define GMCP_META_SUBSCRIPTION_ID     "io.modelcontextprotocol/subscriptionId"
#define GMCP_META_RELATED_TASK        "io.modelcontextprotocol/related-task"
#define GMCP_META_TRACE_PARENT        "traceparent"
#define GMCP_META_TRACE_STATE         "tracestate"
#define GMCP_META_BAGGAGE             "baggage"

/* The revisions this library speaks, oldest first. */
const char *const *gmcp_protocol_get_versions (void);
/* The static string of a revision that this library speaks, else NULL. version may be NULL. */
const char *gmcp_protocol_lookup_version (const char *version);
gboolean gmcp_protocol_is_known_version (const char *version);
/* The era of a revision, of an unknown one by its date; AUTO for what is no date. */
GmcpEra gmcp_protocol_get_era (const char *version);
/* The newest revision of that era (AUTO: of any) that the peer names and this library speaks, a
 * static string; NULL for none. The peer's order says nothing. */
const char *gmcp_protocol_get_newest_common (GmcpJsonValue versions, GmcpEra era);

/* What is decoded when first asked for, by any thread, and kept: the first to finish wins. NULL
 * where the value is not there or of another kind. */
const char *gmcp_protocol_cache_string (char **cache, GmcpJsonValue value);
JsonNode *gmcp_protocol_cache_node (JsonNode **cache, GmcpJsonValue value);

/* The role of a message; the user's where it is unknown. */
GmcpMessageRole gmcp_protocol_read_role (GmcpJsonValue role);

/* A name from outside as it may stand in a message: cut where it is very long. */
char *gmcp_protocol_shorten (const char *name);
/* Takes a text (nullable), and gives no more of it than that, with a mark where it was cut. */
char *gmcp_protocol_cut_text (char *text, gsize max_bytes);

/* What a writer has written, one whole object; takes the text. */
GmcpJsonDoc *gmcp_protocol_take_written (GString *written);

/* Text whose root has to be an object; the error names what it should have been. */
GmcpJsonDoc *gmcp_protocol_parse_object (const char *json, const char *what, GError **error);

G_END_DECLS
