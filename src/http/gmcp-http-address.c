/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-address-private.h"

#include <string.h>

typedef struct
{
  guint8 bytes[16];
  guint n_bits;
} Block;

/* RFC 6890 and IANA's registry of special-purpose addresses. */
static const Block blocks_v4[] = {
  { { 0 }, 8 },             /* this network */
  { { 10 }, 8 },            /* private */
  { { 100, 64 }, 10 },      /* behind a provider's router */
  { { 127 }, 8 },           /* loopback */
  { { 169, 254 }, 16 },     /* link-local, and where clouds keep credentials */
  { { 172, 16 }, 12 },      /* private */
  { { 192, 0, 0 }, 24 },    /* protocol assignments */
  { { 192, 0, 2 }, 24 },    /* documentation */
  { { 192, 88, 99 }, 24 },  /* relays of 6to4 */
  { { 192, 168 }, 16 },     /* private */
  { { 198, 18 }, 15 },      /* benchmarks */
  { { 198, 51, 100 }, 24 }, /* documentation */
  { { 203, 0, 113 }, 24 },  /* documentation */
  { { 224 }, 3 },           /* multicast, reserved, broadcast */
};

static const Block blocks_v6[] = {
  { { 0 }, 96 },                            /* unspecified, loopback, IPv4-compatible */
  { { 0x00, 0x64, 0xff, 0x9b, 0, 1 }, 48 }, /* a network's own translation to IPv4 */
  { { 0x01, 0x00 }, 64 },                   /* discarded */
  { { 0x20, 0x01, 0, 0 }, 23 },             /* protocol assignments, Teredo among them */
  { { 0x20, 0x01, 0x0d, 0xb8 }, 32 },       /* documentation */
  { { 0x3f, 0xff, 0 }, 20 },                /* documentation */
  { { 0x5f, 0 }, 16 },                      /* segment routing */
  { { 0xfc }, 7 },                          /* unique local */
  { { 0xfe, 0x80 }, 10 },                   /* link-local */
  { { 0xfe, 0xc0 }, 10 },                   /* site-local */
  { { 0xff }, 8 },                          /* multicast */
};

/* Where an IPv6 address holds one of IPv4. */
static const struct
{
  Block block;
  guint at;
} embeddings[] = {
  { { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 96 }, 12 }, /* mapped */
  { { { 0x00, 0x64, 0xff, 0x9b }, 96 }, 12 },                   /* NAT64 */
  { { { 0x20, 0x02 }, 16 }, 2 },                                /* 6to4 */
};

static gboolean
is_in_block (const guint8 *bytes, const Block *block)
{
  guint n_bytes = block->n_bits / 8;
  guint rest = block->n_bits % 8;

  if (memcmp (bytes, block->bytes, n_bytes) != 0)
    return FALSE;
  return rest == 0 || (bytes[n_bytes] ^ block->bytes[n_bytes]) >> (8 - rest) == 0;
}

static gboolean
is_in_blocks (const guint8 *bytes, const Block *blocks, gsize n_blocks)
{
  for (gsize i = 0; i < n_blocks; i++)
    if (is_in_block (bytes, &blocks[i]))
      return TRUE;

  return FALSE;
}

gboolean
gmcp_http_address_is_internal (GInetAddress *address)
{
  const guint8 *bytes = g_inet_address_to_bytes (address);

  if (g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV4)
    return is_in_blocks (bytes, blocks_v4, G_N_ELEMENTS (blocks_v4));

  for (gsize i = 0; i < G_N_ELEMENTS (embeddings); i++)
    if (is_in_block (bytes, &embeddings[i].block))
      return is_in_blocks (bytes + embeddings[i].at, blocks_v4, G_N_ELEMENTS (blocks_v4));

  return is_in_blocks (bytes, blocks_v6, G_N_ELEMENTS (blocks_v6));
}

GInetAddress *
gmcp_http_address_from_host (const char *host)
{
  /* One of IPv6 may name the interface, which is no part of the address. */
  gsize length = strcspn (host, "%");
  g_autofree char *plain = NULL;

  if (*host == '[' && length > 2)
    {
      host++;
      length -= 1 + (host[length - 2] == ']');
    }
  plain = g_strndup (host, length);
  return g_inet_address_new_from_string (plain);
}
