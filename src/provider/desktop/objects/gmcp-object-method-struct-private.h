/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-object-method-private.h"
#include "gmcp-object-value-private.h"

G_BEGIN_DECLS

/* Known to gmcp-object-method.c and gmcp-object-method-call.c. */

typedef struct
{
  char *name;
  gboolean is_given; /* by the method; otherwise to it */
  GmcpObjectValue value;
} GmcpObjectParameter;

struct _GmcpObjectMethod
{
  const GmcpGirepository *gi;
  GIFunctionInfo *info;
  char *name;
  char *class_name;   /* that has it, with its namespace */
  GArray *parameters; /* (element-type GmcpObjectParameter) */
  GmcpObjectValue result;
};

/* What the value that it returns is called. */
const char *gmcp_object_method_get_result_name (const GmcpObjectMethod *self);
/* What it gives back, with its result. */
guint gmcp_object_method_count_given (const GmcpObjectMethod *self);

G_END_DECLS
