/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* What is said of servers at more than one door, in words for programs. */

/* The word for a value of an enumeration. */
const char *gmcpd_facts_get_nick (GType type, int value);

/* stdio, http or sse. */
const char *gmcpd_facts_get_transport (GmcpServerConfig *config);

G_END_DECLS
