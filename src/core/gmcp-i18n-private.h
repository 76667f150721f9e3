/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* Include after config.h, which defines GETTEXT_PACKAGE: g_dgettext() finds the catalogue of the
 * library whatever the host's own text domain is. */
#include <glib/gi18n-lib.h>
