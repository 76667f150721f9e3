/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

G_BEGIN_DECLS

/* One method or property of an object on D-Bus, as a tool. */

/* Where the object is. */
typedef struct
{
  GDBusConnection *connection;
  char *bus_name; /* NULL for a connection of two */
  char *object_path;
} GmcpDBusPlace;

/* What the tool does with it. */
typedef enum
{
  GMCP_DBUS_CALL_METHOD,
  GMCP_DBUS_READ_PROPERTY,
  GMCP_DBUS_WRITE_PROPERTY,
} GmcpDBusMemberUse;

typedef struct _GmcpDBusMember GmcpDBusMember;

/* What the object says of the member; NULL, with an error, where it is not there or cannot be used so. */
GmcpDBusMember *gmcp_dbus_member_new (GDBusNodeInfo *node,
                                      GmcpDBusMemberUse use,
                                      const char *interface_name,
                                      const char *name,
                                      GError **error);
GmcpDBusMember *gmcp_dbus_member_ref (GmcpDBusMember *self);
void gmcp_dbus_member_unref (GmcpDBusMember *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpDBusMember, gmcp_dbus_member_unref)

/* The name of the tool where none is given. */
char *gmcp_dbus_member_dup_tool_name (GmcpDBusMemberUse use, const char *name);

/* The definition of the tool, as JSON. */
char *gmcp_dbus_member_dup_definition (GmcpDBusMember *self);

/* Calls it, and ends the tool's call with what comes back, later. */
void gmcp_dbus_member_call (GmcpDBusMember *self, const GmcpDBusPlace *place, GmcpToolCall *call);

G_END_DECLS
