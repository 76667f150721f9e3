/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/protocol/gmcp-prompt.h>
#include <gmcp/provider/gmcp-completion-request.h>
#include <gmcp/provider/gmcp-prompt-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_PROVIDER (gmcp_prompt_provider_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (GmcpPromptProvider, gmcp_prompt_provider, GMCP, PROMPT_PROVIDER, GObject)

/**
 * GmcpPromptProviderInterface:
 * @parent_iface: the parent
 * @get_prompts: gives the list of [class@Gmcp.Prompt], always the same object
 * @get_prompt: makes the messages of a prompt: completes the request, now or later
 * @complete_argument: (nullable): completes an argument of a prompt: completes the request, now or
 *   later. Without it nothing is completed.
 *
 * What a provider of prompts implements; the first two at the least.
 *
 * Since: 0.1
 */
struct _GmcpPromptProviderInterface
{
  GTypeInterface parent_iface;

  GListModel *(*get_prompts) (GmcpPromptProvider *self);
  void (*get_prompt) (GmcpPromptProvider *self, GmcpPromptRequest *request);
  void (*complete_argument) (GmcpPromptProvider *self, GmcpCompletionRequest *request);

  /*< private >*/
  GCallback offers;
  gpointer _reserved[9];
};

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_prompt_provider_get_prompts (GmcpPromptProvider *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_provider_get_prompt_async (GmcpPromptProvider *self,
                                            const char *name,
                                            GHashTable *arguments,
                                            GmcpCallOptions *options,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpPromptResult *gmcp_prompt_provider_get_prompt_finish (GmcpPromptProvider *self,
                                                          GAsyncResult *result,
                                                          GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_provider_complete_argument_async (GmcpPromptProvider *self,
                                                   const char *name,
                                                   const char *argument,
                                                   const char *value,
                                                   GHashTable *context,
                                                   GmcpCallOptions *options,
                                                   GCancellable *cancellable,
                                                   GAsyncReadyCallback callback,
                                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *gmcp_prompt_provider_complete_argument_finish (GmcpPromptProvider *self,
                                                                     GAsyncResult *result,
                                                                     GError **error);

G_END_DECLS
