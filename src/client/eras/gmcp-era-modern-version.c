/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-implementation-private.h"
#include "gmcp-input-private.h"
#include "gmcp-protocol-private.h"

/* What each request of the modern era says of its revision is the same for a whole connection, and
 * written once. */
void
gmcp_era_modern_set_version (GmcpSession *self, const char *version)
{
  g_autofree char *info = gmcp_implementation_dup_json (gmcp_session_get_client_info (self));
  g_autoptr (GString) members = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (members);

  gmcp_json_writer_member_string (&writer, GMCP_META_PROTOCOL_VERSION, version);
  gmcp_json_writer_key (&writer, GMCP_META_CLIENT_INFO);
  gmcp_json_writer_raw (&writer, info, -1);
  gmcp_json_writer_key (&writer, GMCP_META_CLIENT_CAPABILITIES);
  gmcp_json_writer_begin_object (&writer);
  gmcp_input_write_capabilities (self, version, &writer);
  gmcp_json_writer_key (&writer, "extensions");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, GMCP_EXTENSION_TASKS);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);

  gmcp_session_set_request_version (self, version,
                                    g_string_free (g_steal_pointer (&members), FALSE));
}
