/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-dbus-member-private.h"

G_BEGIN_DECLS

/* What the value of a property is called in the arguments and the result of its tools. */
#define GMCP_DBUS_VALUE_NAME "value"

struct _GmcpDBusMember
{
  GmcpDBusMemberUse use;
  char *interface_name;
  char *name;
  GDBusMethodInfo *method;     /* one of the two */
  GDBusPropertyInfo *property; /* is NULL */
  GStrv in_names;
  GStrv out_names;
  GVariantType *in_type; /* tuples */
  GVariantType *out_type;
};

G_END_DECLS
