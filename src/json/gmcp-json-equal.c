/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"

static void
get_decimal (GmcpJsonValue number, GmcpJsonDecimal *decimal)
{
  const GmcpJsonCell *cell = gmcp_json_value_cell (number);

  gmcp_json_decimal_init (decimal, number.doc->data + cell->offset, cell->length);
}

static gboolean
numbers_equal (GmcpJsonValue a, GmcpJsonValue b)
{
  GmcpJsonDecimal decimal_a;
  GmcpJsonDecimal decimal_b;

  get_decimal (a, &decimal_a);
  get_decimal (b, &decimal_b);
  return gmcp_json_decimal_equal (&decimal_a, &decimal_b);
}

static gboolean
strings_equal (GmcpJsonValue a, GmcpJsonValue b)
{
  g_autofree char *to_free_a = NULL;
  g_autofree char *to_free_b = NULL;
  gsize length_a;
  gsize length_b;
  const char *text_a = gmcp_json_value_view_string (a, &length_a, &to_free_a);
  const char *text_b = gmcp_json_value_view_string (b, &length_b, &to_free_b);

  return length_a == length_b && memcmp (text_a, text_b, length_a) == 0;
}

static gboolean
arrays_equal (GmcpJsonValue a, GmcpJsonValue b)
{
  GmcpJsonIter iter_a;
  GmcpJsonIter iter_b;
  GmcpJsonValue value_a;
  GmcpJsonValue value_b;

  if (gmcp_json_value_get_length (a) != gmcp_json_value_get_length (b))
    return FALSE;

  gmcp_json_iter_init (&iter_a, a);
  gmcp_json_iter_init (&iter_b, b);
  while (gmcp_json_iter_next (&iter_a, NULL, &value_a)
         && gmcp_json_iter_next (&iter_b, NULL, &value_b))
    if (!gmcp_json_value_equal (value_a, value_b))
      return FALSE;
  return TRUE;
}

static gboolean
objects_equal (GmcpJsonValue a, GmcpJsonValue b)
{
  g_autoptr (GArray) members_a = gmcp_json_value_list_members (a);
  g_autoptr (GArray) members_b = gmcp_json_value_list_members (b);

  if (members_a->len != members_b->len)
    return FALSE;

  for (guint i = 0; i < members_a->len; i++)
    {
      const GmcpJsonMember *member_a = &g_array_index (members_a, GmcpJsonMember, i);
      const GmcpJsonMember *member_b = &g_array_index (members_b, GmcpJsonMember, i);

      if (member_a->name_length != member_b->name_length
          || memcmp (member_a->name, member_b->name, member_a->name_length) != 0
          || !gmcp_json_value_equal (member_a->value, member_b->value))
        return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_json_value_equal (GmcpJsonValue a, GmcpJsonValue b)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (a);
  gsize length_a;
  gsize length_b;
  const char *raw_a = gmcp_json_value_peek_raw (a, &length_a);
  const char *raw_b = gmcp_json_value_peek_raw (b, &length_b);

  if (kind != gmcp_json_value_get_kind (b))
    return FALSE;
  if (raw_a == raw_b || (length_a == length_b && memcmp (raw_a, raw_b, length_a) == 0))
    return TRUE;

  switch (kind)
    {
    case GMCP_JSON_NUMBER:
      return numbers_equal (a, b);
    case GMCP_JSON_STRING:
      return strings_equal (a, b);
    case GMCP_JSON_ARRAY:
      return arrays_equal (a, b);
    case GMCP_JSON_OBJECT:
      return objects_equal (a, b);
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    case GMCP_JSON_FALSE:
    case GMCP_JSON_TRUE:
    default:
      return TRUE;
    }
}

gboolean
gmcp_json_value_same_raw (GmcpJsonValue a, GmcpJsonValue b)
{
  gsize a_length, b_length;
  const char *a_text = gmcp_json_value_peek_raw (a, &a_length);
  const char *b_text = gmcp_json_value_peek_raw (b, &b_length);

  return a_length == b_length && (a_text == b_text || memcmp (a_text, b_text, a_length) == 0);
}

/* SipHash-1-3 with a key drawn once a process, so that a peer cannot make values collide. */
typedef struct
{
  guint64 v[4];
  guint64 word;
  guint64 n_bytes;
} Hash;

static inline guint64
rotate_left (guint64 x, guint bits)
{
  return x << bits | x >> (64 - bits);
}

static inline void
hash_round (Hash *hash)
{
  guint64 *v = hash->v;

  v[0] += v[1];
  v[1] = rotate_left (v[1], 13) ^ v[0];
  v[0] = rotate_left (v[0], 32);
  v[2] += v[3];
  v[3] = rotate_left (v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = rotate_left (v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = rotate_left (v[1], 17) ^ v[2];
  v[2] = rotate_left (v[2], 32);
}

static void
hash_init (Hash *hash, GmcpJsonKind kind)
{
  static guint64 key[2];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < G_N_ELEMENTS (key); i++)
        key[i] = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&ready, 1);
    }

  hash->v[0] = key[0] ^ G_GUINT64_CONSTANT (0x736f6d6570736575);
  hash->v[1] = key[1] ^ G_GUINT64_CONSTANT (0x646f72616e646f6d);
  hash->v[2] = key[0] ^ G_GUINT64_CONSTANT (0x6c7967656e657261);
  hash->v[3] = key[1] ^ G_GUINT64_CONSTANT (0x7465646279746573);
  hash->word = kind;
  hash->n_bytes = 1;
}

static inline void
hash_byte (Hash *hash, guint8 byte)
{
  hash->word |= (guint64) byte << (hash->n_bytes & 7) * 8;
  if ((++hash->n_bytes & 7) != 0)
    return;

  hash->v[3] ^= hash->word;
  hash_round (hash);
  hash->v[0] ^= hash->word;
  hash->word = 0;
}

static void
hash_bytes (Hash *hash, const char *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    hash_byte (hash, (guint8) bytes[i]);
}

static void
hash_number (Hash *hash, guint64 number)
{
  for (guint i = 0; i < 64; i += 8)
    hash_byte (hash, (guint8) (number >> i));
}

static guint64
hash_finish (Hash *hash)
{
  guint64 last = hash->word | hash->n_bytes << 56;

  hash->v[3] ^= last;
  hash_round (hash);
  hash->v[0] ^= last;
  hash->v[2] ^= 0xff;
  for (guint i = 0; i < 3; i++)
    hash_round (hash);
  return hash->v[0] ^ hash->v[1] ^ hash->v[2] ^ hash->v[3];
}

static void
hash_decimal (Hash *hash, GmcpJsonValue value)
{
  GmcpJsonDecimal decimal;

  get_decimal (value, &decimal);
  hash_number (hash, (guint64) decimal.exponent);
  hash_byte (hash, decimal.negative);
  for (gsize i = 0; i < decimal.length; i++)
    if (decimal.text[i] != '.')
      hash_byte (hash, (guint8) decimal.text[i]);
}

static void
hash_string (Hash *hash, GmcpJsonValue value)
{
  g_autofree char *to_free = NULL;
  gsize length;
  const char *text = gmcp_json_value_view_string (value, &length, &to_free);

  hash_bytes (hash, text, length);
}

static guint64
hash_value (GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);
  GmcpJsonIter iter;
  GmcpJsonValue element;
  Hash hash;

  hash_init (&hash, kind);
  if (kind == GMCP_JSON_NUMBER)
    hash_decimal (&hash, value);
  else if (kind == GMCP_JSON_STRING)
    hash_string (&hash, value);
  else if (kind == GMCP_JSON_ARRAY)
    {
      gmcp_json_iter_init (&iter, value);
      while (gmcp_json_iter_next (&iter, NULL, &element))
        hash_number (&hash, hash_value (element));
    }
  else if (kind == GMCP_JSON_OBJECT)
    {
      g_autoptr (GArray) members = gmcp_json_value_list_members (value);

      for (guint i = 0; i < members->len; i++)
        {
          const GmcpJsonMember *member = &g_array_index (members, GmcpJsonMember, i);

          hash_bytes (&hash, member->name, member->name_length);
          hash_byte (&hash, 0);
          hash_number (&hash, hash_value (member->value));
        }
    }
  return hash_finish (&hash);
}

guint
gmcp_json_value_hash (GmcpJsonValue value)
{
  guint64 hash = hash_value (value);

  return (guint) (hash ^ hash >> 32);
}
