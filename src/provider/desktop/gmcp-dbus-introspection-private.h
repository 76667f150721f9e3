/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What an object on D-Bus says of itself, perhaps one of a program that nobody trusts. */

/* GMCP_ERROR_LIMIT_EXCEEDED for what is too large or nested too deeply, or GMarkup's and GDBus' errors. */
GDBusNodeInfo *gmcp_dbus_introspection_parse (const char *xml, GError **error);

/* The annotation; NULL where there is none. Borrowed. */
const char *
gmcp_dbus_introspection_find_annotation (GDBusAnnotationInfo **annotations, const char *name);

/* The names of arguments in a schema: their own where these are good for that, else arg_0, arg_1 and so on. */
GStrv gmcp_dbus_introspection_name_arguments (GDBusArgInfo **arguments);

/* The type of all of them, as a tuple; NULL where D-Bus or JSON does not have it. */
GVariantType *
gmcp_dbus_introspection_join_types (GDBusArgInfo **arguments, const char *of, GError **error);

G_END_DECLS
