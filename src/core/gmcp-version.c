/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-version.h>

/**
 * GMCP_DEPRECATED_FOR: (skip)
 * @f: what to use instead
 *
 * Marks a function that is deprecated.
 */

/**
 * GMCP_DEPRECATED_IN_0_1_FOR: (skip)
 * @f: what to use instead
 *
 * Marks a function that is deprecated since 0.1.
 */

/**
 * GMCP_UNAVAILABLE: (skip)
 * @major: the major version that has the function
 * @minor: the minor version that has the function
 *
 * Marks a function that a program of an older version may not use.
 */

/**
 * gmcp_get_major_version:
 *
 * Gets the major version of the library that the program runs with.
 *
 * Returns: the major version
 *
 * Since: 0.1
 */
guint
gmcp_get_major_version (void)
{
  return GMCP_MAJOR_VERSION;
}

/**
 * gmcp_get_minor_version:
 *
 * Gets the minor version of the library that the program runs with.
 *
 * Returns: the minor version
 *
 * Since: 0.1
 */
guint
gmcp_get_minor_version (void)
{
  return GMCP_MINOR_VERSION;
}

/**
 * gmcp_get_micro_version:
 *
 * Gets the micro version of the library that the program runs with.
 *
 * Returns: the micro version
 *
 * Since: 0.1
 */
guint
gmcp_get_micro_version (void)
{
  return GMCP_MICRO_VERSION;
}

/**
 * gmcp_check_version:
 * @major: a major version, such as 0 for 0.1.2
 * @minor: a minor version, such as 1 for 0.1.2
 * @micro: a micro version, such as 2 for 0.1.2
 *
 * Checks whether the library that the program runs with is of this version or a newer one.
 *
 * [func@Gmcp.CHECK_VERSION] asks the same of the headers that the program was compiled with.
 *
 * Returns: %TRUE if it is
 *
 * Since: 0.1
 */
gboolean
gmcp_check_version (guint major, guint minor, guint micro)
{
  if (major != gmcp_get_major_version ())
    return major < gmcp_get_major_version ();
  if (minor != gmcp_get_minor_version ())
    return minor < gmcp_get_minor_version ();
  return micro <= gmcp_get_micro_version ();
}
