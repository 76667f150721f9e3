/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/features/gmcp-subscription-enums.h>

G_BEGIN_DECLS

/* What there is to be told of. */
typedef struct
{
  GmcpSubscriptionFlags lists;
  GStrv resource_uris; /* never NULL */
  GStrv task_ids;      /* never NULL */
} GmcpChangeFilter;

void gmcp_change_filter_init (GmcpChangeFilter *filter,
                              GmcpSubscriptionFlags lists,
                              const char *const *resource_uris,
                              const char *const *task_ids);
void gmcp_change_filter_clear (GmcpChangeFilter *filter);
gboolean gmcp_change_filter_is_empty (const GmcpChangeFilter *filter);
/* Leaves what is wanted as well, in the order in which that is wanted. */
void gmcp_change_filter_restrict (GmcpChangeFilter *filter, const GmcpChangeFilter *wanted);

G_END_DECLS
