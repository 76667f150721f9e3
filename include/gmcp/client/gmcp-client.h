/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/cache/gmcp-response-cache.h>
#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-capabilities.h>
#include <gmcp/protocol/gmcp-completion-result.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/protocol/gmcp-prompt-result.h>
#include <gmcp/protocol/gmcp-prompt.h>
#include <gmcp/protocol/gmcp-resource-result.h>
#include <gmcp/protocol/gmcp-resource-template.h>
#include <gmcp/protocol/gmcp-resource.h>
#include <gmcp/protocol/questions/gmcp-root.h>
#include <gmcp/protocol/questions/gmcp-sampling.h>
#include <gmcp/protocol/tasks/gmcp-task-handle.h>
#include <gmcp/protocol/gmcp-tool-result.h>
#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CLIENT (gmcp_client_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpClient, gmcp_client, GMCP, CLIENT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpClient *gmcp_client_new (GmcpTransport *transport);

GMCP_AVAILABLE_IN_0_1
GmcpTransport *gmcp_client_get_transport (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_client_get_name (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_name (GmcpClient *self, const char *name);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_client_get_client_info (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_client_info (GmcpClient *self, GmcpImplementation *client_info);

GMCP_AVAILABLE_IN_0_1
GmcpEra gmcp_client_get_era (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_era (GmcpClient *self, GmcpEra era);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_call_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_call_timeout_ms (GmcpClient *self, guint call_timeout_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_max_call_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_max_call_timeout_ms (GmcpClient *self, guint max_call_timeout_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_max_task_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_max_task_timeout_ms (GmcpClient *self, guint max_task_timeout_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_startup_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_startup_timeout_ms (GmcpClient *self, guint startup_timeout_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_probe_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_probe_timeout_ms (GmcpClient *self, guint probe_timeout_ms);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_client_get_cache_key (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_cache_key (GmcpClient *self, const char *cache_key);

GMCP_AVAILABLE_IN_0_1
GmcpResponseCache *gmcp_client_get_response_cache (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_response_cache (GmcpClient *self, GmcpResponseCache *response_cache);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_client_get_sign_in (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_sign_in (GmcpClient *self, const char *sign_in);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_get_strict_output (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_strict_output (GmcpClient *self, gboolean strict_output);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_is_open (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_client_get_protocol_version (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_client_get_server_info (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
GmcpCapabilities *gmcp_client_get_server_capabilities (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_client_get_instructions (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_get_tools (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_open_async (GmcpClient *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_open_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
guint gmcp_client_get_input_timeout_ms (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_input_timeout_ms (GmcpClient *self, guint input_timeout_ms);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_get_allow_sampling (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_allow_sampling (GmcpClient *self, gboolean allow_sampling);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_get_roots (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_roots (GmcpClient *self, GListModel *roots);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_close_async (GmcpClient *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_close_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_tools_async (GmcpClient *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_list_tools_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_tools_page_async (GmcpClient *self,
                                        const char *cursor,
                                        GmcpCallOptions *options,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_client_list_tools_page_finish (GmcpClient *self,
                                               GAsyncResult *result,
                                               char **next_cursor,
                                               GError **error);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_get_resources (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_resources_async (GmcpClient *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GListModel *
gmcp_client_list_resources_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_resources_page_async (GmcpClient *self,
                                            const char *cursor,
                                            GmcpCallOptions *options,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_client_list_resources_page_finish (GmcpClient *self,
                                                   GAsyncResult *result,
                                                   char **next_cursor,
                                                   GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_read_resource_async (GmcpClient *self,
                                      const char *uri,
                                      GmcpCallOptions *options,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *
gmcp_client_read_resource_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_get_resource_templates (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_resource_templates_async (GmcpClient *self,
                                                GCancellable *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GListModel *
gmcp_client_list_resource_templates_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_resource_templates_page_async (GmcpClient *self,
                                                     const char *cursor,
                                                     GmcpCallOptions *options,
                                                     GCancellable *cancellable,
                                                     GAsyncReadyCallback callback,
                                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_client_list_resource_templates_page_finish (GmcpClient *self,
                                                            GAsyncResult *result,
                                                            char **next_cursor,
                                                            GError **error);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_client_get_prompts (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_prompts_async (GmcpClient *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GListModel *
gmcp_client_list_prompts_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_prompts_page_async (GmcpClient *self,
                                          const char *cursor,
                                          GmcpCallOptions *options,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_client_list_prompts_page_finish (GmcpClient *self,
                                                 GAsyncResult *result,
                                                 char **next_cursor,
                                                 GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_get_prompt_async (GmcpClient *self,
                                   const char *name,
                                   GHashTable *arguments,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpPromptResult *
gmcp_client_get_prompt_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_complete_async (GmcpClient *self,
                                 GmcpCompletionKind kind,
                                 const char *reference,
                                 const char *argument,
                                 const char *value,
                                 GHashTable *context,
                                 GmcpCallOptions *options,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *
gmcp_client_complete_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_call_tool_async (GmcpClient *self,
                                  const char *name,
                                  JsonNode *arguments,
                                  GmcpCallOptions *options,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_call_tool_json_async (GmcpClient *self,
                                       const char *name,
                                       const char *arguments_json,
                                       GmcpCallOptions *options,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_client_call_tool_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_client_call_tool_json_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpLogLevel gmcp_client_get_log_level (GmcpClient *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_set_log_level_async (GmcpClient *self,
                                      GmcpLogLevel log_level,
                                      GmcpCallOptions *options,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_set_log_level_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_ping_async (GmcpClient *self,
                             GmcpCallOptions *options,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_ping_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_resume_task_async (GmcpClient *self,
                                    GmcpTaskHandle *handle,
                                    GmcpCallOptions *options,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_client_resume_task_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_cancel_task_async (GmcpClient *self,
                                    GmcpTaskHandle *handle,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_cancel_task_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_list_tasks_async (GmcpClient *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_client_list_tasks_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_send_request_async (GmcpClient *self,
                                     const char *method,
                                     JsonNode *params,
                                     GmcpCallOptions *options,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
void gmcp_client_send_request_json_async (GmcpClient *self,
                                          const char *method,
                                          const char *params_json,
                                          GmcpCallOptions *options,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_client_send_request_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_client_send_request_json_finish (GmcpClient *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_send_notification (GmcpClient *self,
                                        const char *method,
                                        JsonNode *params,
                                        GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_client_send_notification_json (GmcpClient *self,
                                             const char *method,
                                             const char *params_json,
                                             GError **error);

G_END_DECLS
