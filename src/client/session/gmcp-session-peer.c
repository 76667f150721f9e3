/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-capabilities-private.h"
#include "gmcp-implementation-private.h"

/* What the server said of itself. */
struct _GmcpSessionPeer
{
  char *protocol_version;
  GmcpImplementation *info;
  GmcpCapabilities *capabilities;
  char *instructions;
};

GmcpSessionPeer *
gmcp_session_peer_new (void)
{
  return g_new0 (GmcpSessionPeer, 1);
}

void
gmcp_session_peer_free (GmcpSessionPeer *peer)
{
  g_clear_pointer (&peer->info, gmcp_implementation_unref);
  g_clear_pointer (&peer->capabilities, gmcp_capabilities_unref);
  g_free (peer->protocol_version);
  g_free (peer->instructions);
  g_free (peer);
}

void
gmcp_session_set_server (GmcpSession *self,
                         const GmcpEraFuncs *era,
                         const char *version,
                         GmcpJsonValue info,
                         GmcpJsonValue capabilities,
                         GmcpJsonValue instructions)
{
  GmcpSessionPeer *peer = gmcp_session_get_peer (self);

  gmcp_session_set_tried_era (self, era);
  g_free (peer->protocol_version);
  peer->protocol_version = g_strdup (version);
  g_clear_pointer (&peer->info, gmcp_implementation_unref);
  if (gmcp_json_value_is_object (info))
    peer->info = gmcp_implementation_new_from_value (info);
  g_clear_pointer (&peer->capabilities, gmcp_capabilities_unref);
  peer->capabilities = gmcp_capabilities_new_from_value (capabilities);
  g_free (peer->instructions);
  peer->instructions = gmcp_json_value_dup_string (instructions);
  gmcp_session_set_keeps_requests (
    self, era->keeps_requests (self)
            || gmcp_transport_has_request_streams (gmcp_session_get_transport (self)));
  gmcp_session_get_hooks (self)->introduced (self);
}

void
gmcp_session_change_protocol_version (GmcpSession *self, const char *version)
{
  GmcpSessionPeer *peer = gmcp_session_get_peer (self);

  g_free (peer->protocol_version);
  peer->protocol_version = g_strdup (version);
  gmcp_session_get_events (self)->server_changed (gmcp_session_get_owner (self));
}

const char *
gmcp_session_get_protocol_version (GmcpSession *self)
{
  return gmcp_session_get_peer (self)->protocol_version;
}

GmcpImplementation *
gmcp_session_get_server_info (GmcpSession *self)
{
  return gmcp_session_get_peer (self)->info;
}

GmcpCapabilities *
gmcp_session_get_capabilities (GmcpSession *self)
{
  return gmcp_session_get_peer (self)->capabilities;
}

const char *
gmcp_session_get_instructions (GmcpSession *self)
{
  return gmcp_session_get_peer (self)->instructions;
}
