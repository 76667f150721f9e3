/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-stack-private.h"

G_BEGIN_DECLS

/* The folder that is worked in, and the places that a desktop has: files of the user, settings, and files of
 * that folder. */
typedef struct _GmcpDefaultSources GmcpDefaultSources;

/* The stack has to outlive the object. */
GmcpDefaultSources *gmcp_default_sources_new (GmcpConfigStack *stack, GMainContext *context);
void gmcp_default_sources_free (GmcpDefaultSources *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpDefaultSources, gmcp_default_sources_free)

/* Adds the places to the stack. */
void gmcp_default_sources_add (GmcpDefaultSources *self);

/* FALSE where that folder is worked in already; else it is for the caller to tell of the change. */
gboolean gmcp_default_sources_set_workspace (GmcpDefaultSources *self, GFile *workspace);
GFile *gmcp_default_sources_get_workspace (GmcpDefaultSources *self);

G_END_DECLS
