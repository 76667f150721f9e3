/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

G_BEGIN_DECLS

/* A method of objects of one class, as its introspection data have it. */
typedef struct _GmcpObjectMethod GmcpObjectMethod;

/* Makes the data of a namespace known, in a version or NULL for any. */
gboolean
gmcp_object_method_require (const char *namespace_name, const char *version, GError **error);

/* The method of the object's class, of one that it is made of, or of an interface. Fails with
 * GMCP_ERROR_UNKNOWN_TOOL where there is none, and NOT_SUPPORTED where it cannot be a tool. */
GmcpObjectMethod *gmcp_object_method_new (GObject *object, const char *name, GError **error);
GmcpObjectMethod *gmcp_object_method_ref (GmcpObjectMethod *self);
void gmcp_object_method_unref (GmcpObjectMethod *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpObjectMethod, gmcp_object_method_unref)

/* The definition of its tool, as JSON. */
char *gmcp_object_method_dup_definition (GmcpObjectMethod *self);
/* Whether calls of the tool, which may have another schema, can have the arguments of the method. */
gboolean gmcp_object_method_check_tool (GmcpObjectMethod *self, GmcpTool *tool, GError **error);

/* Calls it, and ends the call of the tool. */
void gmcp_object_method_call (GmcpObjectMethod *self, GObject *object, GmcpToolCall *call);

G_END_DECLS
