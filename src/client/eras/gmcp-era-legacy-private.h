/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-era-private.h"

G_BEGIN_DECLS

/* The parts of the legacy era: gmcp-era-legacy-subscribe.c */

void gmcp_client_legacy_open_stream (GmcpClient *self, GmcpChangeStream *stream);
void gmcp_client_legacy_close_stream (GmcpClient *self, GmcpChangeStream *stream);
void gmcp_client_legacy_forget_streams (GmcpClient *self);
gboolean
gmcp_client_legacy_find_stream (GmcpClient *self, GmcpJsonValue params, GmcpChangeStream **stream);

G_END_DECLS
