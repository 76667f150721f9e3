/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-content.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SAMPLING_MESSAGE (gmcp_sampling_message_get_type ())

typedef struct _GmcpSamplingMessage GmcpSamplingMessage;

GMCP_AVAILABLE_IN_0_1
GType gmcp_sampling_message_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpSamplingMessage *gmcp_sampling_message_ref (GmcpSamplingMessage *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_sampling_message_unref (GmcpSamplingMessage *self);

GMCP_AVAILABLE_IN_0_1
GmcpMessageRole gmcp_sampling_message_get_role (GmcpSamplingMessage *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_sampling_message_get_contents (GmcpSamplingMessage *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_sampling_message_dup_json (GmcpSamplingMessage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSamplingMessage, gmcp_sampling_message_unref)

G_END_DECLS
