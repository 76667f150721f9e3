/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-json-doc-private.h"

/* json-glib keeps members in a GHashTable of 2^k slots, which starts its search for a name at the
 * name's hash modulo the greatest prime below 2^k. The hash has no secret in it, so a peer can make
 * names that all start at one place: 20,000 of them, in 800 KB, take 12 seconds. */
#define SAME_PLACE_MAX 64u

/* For 2^6 slots to 2^24, which are more than GMCP_LIMIT_JSON_VALUES may fill. */
static const guint32 moduli[]
  = { 61,    127,    251,    509,    1021,    2039,    4093,    8191,    16381,   32749,
      65521, 131071, 262139, 524287, 1048573, 2097143, 4194301, 8388593, 16777213 };

/* What g_str_hash() gives for the name, times what GHashTable multiplies it by. */
static guint32
hash_name (const GmcpJsonMember *member)
{
  guint32 hash = 5381;

  for (gsize i = 0; i < member->name_length; i++)
    hash = hash * 33 + (guint32) (signed char) member->name[i];
  return hash * 11;
}

/* A table of this size never has more than its first modulus members in it. */
static guint
mark_for_table (GArray *members, const guint32 *hashes, guint32 modulus)
{
  g_autofree guint8 *counts = g_new0 (guint8, modulus);
  guint n_marked = 0;

  for (guint i = 0; i < MIN (members->len, modulus); i++)
    {
      guint8 *count = &counts[hashes[i] % modulus];

      if (*count < SAME_PLACE_MAX)
        {
          (*count)++;
          continue;
        }
      g_array_index (members, GmcpJsonMember, i).crowded = TRUE;
      n_marked++;
    }
  return n_marked;
}

void
gmcp_json_members_mark_crowded (GArray *members)
{
  g_autofree guint32 *hashes = NULL;
  guint n_marked = 0;

  if (members->len <= SAME_PLACE_MAX)
    return;

  hashes = g_new (guint32, members->len);
  for (guint i = 0; i < members->len; i++)
    hashes[i] = hash_name (&g_array_index (members, GmcpJsonMember, i));

  for (guint i = 0; i < G_N_ELEMENTS (moduli) && moduli[i] / 4 < members->len; i++)
    n_marked += mark_for_table (members, hashes, moduli[i]);
  if (n_marked > 0)
    g_info ("A JSON object of %u members has names made to collide; not all go into its JsonNode",
            members->len);
}
