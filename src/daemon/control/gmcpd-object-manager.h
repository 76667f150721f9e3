/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-callers.h"

G_BEGIN_DECLS

/* org.freedesktop.DBus.ObjectManager for objects of one interface each, on any number of connections. GLib's own is
 * for one connection, and lists its objects to everybody. */
typedef struct _GmcpdObjectManager GmcpdObjectManager;

GmcpdObjectManager *gmcpd_object_manager_new (const char *path, GmcpdCallers *callers);
void gmcpd_object_manager_free (GmcpdObjectManager *self);

/* An object is on all connections, those that come later too. */
void gmcpd_object_manager_add (GmcpdObjectManager *self,
                               const char *path,
                               GDBusInterfaceSkeleton *skeleton);
void gmcpd_object_manager_remove (GmcpdObjectManager *self, const char *path);

gboolean
gmcpd_object_manager_export (GmcpdObjectManager *self, GDBusConnection *connection, GError **error);
void gmcpd_object_manager_unexport (GmcpdObjectManager *self, GDBusConnection *connection);

G_END_DECLS
