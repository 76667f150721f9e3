/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-search-index-private.h"

G_BEGIN_DECLS

/* Loads the module at the first call, for good. GMCP_ERROR_NOT_SUPPORTED where there is none. */
const GmcpSearchModule *gmcp_search_module_load (GError **error);

G_END_DECLS
