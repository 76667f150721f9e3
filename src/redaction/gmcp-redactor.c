/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-redactor-private.h"

#include <string.h>

#include "gmcp-credentials-private.h"
#include "gmcp-limits.h"

/* The search is that of Wu and Manber: a table says for each pair of bytes how far the next place can
 * be at which a secret begins, so that most of a text is never looked at. */
#define N_SHIFTS 4096u

struct _GmcpRedactor
{
  GPtrArray *secrets;    /* of char *, the longest first */
  GHashTable *known;     /* of the secrets, borrowed */
  GQueue recent;         /* of the secrets that are forgotten again, borrowed; the oldest first */
  GmcpRedactor *certain; /* NULL in itself */
  gsize window;          /* bytes of each secret that the table knows */
  guint8 shifts[N_SHIFTS];
};

static GmcpRedactor *
redactor_new (void)
{
  GmcpRedactor *self = g_new0 (GmcpRedactor, 1);

  self->secrets = g_ptr_array_new_with_free_func (g_free);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

GmcpRedactor *
gmcp_redactor_new (void)
{
  GmcpRedactor *self = redactor_new ();

  self->certain = redactor_new ();
  return self;
}

void
gmcp_redactor_free (GmcpRedactor *self)
{
  g_clear_pointer (&self->certain, gmcp_redactor_free);
  g_queue_clear (&self->recent);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->secrets);
  g_free (self);
}

static inline guint
hash_pair (const char *at)
{
  return (((guint8) at[0] << 4) ^ (guint8) at[1]) % N_SHIFTS;
}

static void
build_table (GmcpRedactor *self)
{
  self->window = 16;
  for (guint i = 0; i < self->secrets->len; i++)
    self->window = MIN (self->window, strlen (g_ptr_array_index (self->secrets, i)));

  memset (self->shifts, (int) self->window - 1, N_SHIFTS);
  for (guint i = 0; i < self->secrets->len; i++)
    {
      const char *secret = g_ptr_array_index (self->secrets, i);

      for (gsize end = 1; end < self->window; end++)
        {
          guint8 *shift = &self->shifts[hash_pair (secret + end - 1)];

          *shift = (guint8) MIN (*shift, self->window - 1 - end);
        }
    }
}

static gint
compare_lengths (gconstpointer a, gconstpointer b)
{
  gsize first = strlen (*(char *const *) a);
  gsize second = strlen (*(char *const *) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

static void
add_form (GmcpRedactor *self, const char *secret)
{
  char *copy;

  if (strlen (secret) < GMCP_LIMIT_SECRET_MIN_BYTES || g_hash_table_contains (self->known, secret)
      || self->secrets->len >= GMCP_LIMIT_SECRETS)
    return;

  copy = g_strdup (secret);
  g_ptr_array_add (self->secrets, copy);
  g_hash_table_add (self->known, copy);
  g_ptr_array_sort (self->secrets, compare_lengths);
  build_table (self);
}

GmcpRedactor *
gmcp_redactor_get_certain (GmcpRedactor *self)
{
  return self->certain;
}

void
gmcp_redactor_add_secret (GmcpRedactor *self, const char *secret)
{
  gmcp_redactor_add_doubtful (self->certain, secret);
  gmcp_redactor_add_doubtful (self, secret);
}

void
gmcp_redactor_add_doubtful (GmcpRedactor *self, const char *secret)
{
  g_autofree char *in_url = g_uri_escape_string (secret, NULL, FALSE);
  g_autofree char *in_base64 = g_base64_encode ((const guchar *) secret, strlen (secret));
  g_autoptr (GString) quoted = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (quoted);

  add_form (self, secret);
  if (g_hash_table_contains (self->known, secret))
    {
      add_form (self, in_url);
      in_base64[strcspn (in_base64, "=")] = '\0';
      add_form (self, in_base64);
    }
  if (!g_utf8_validate (secret, -1, NULL))
    return;

  gmcp_json_writer_string (&writer, secret);
  g_string_truncate (quoted, quoted->len - 1);
  if (g_hash_table_contains (self->known, secret))
    add_form (self, quoted->str + 1);
}

static const char *
match_here (GmcpRedactor *self, const char *at, gsize left)
{
  for (guint i = 0; i < self->secrets->len; i++)
    {
      const char *secret = g_ptr_array_index (self->secrets, i);
      gsize length = strlen (secret);

      if (length <= left && memcmp (at, secret, length) == 0)
        return secret;
    }

  return NULL;
}

/* The first secret in the text, and where; NULL for none. */
static const char *
find_secret (GmcpRedactor *self, const char *text, gsize length, gsize *position)
{
  gsize last; /* of the window */

  if (self->secrets->len == 0)
    return NULL;

  last = self->window - 1;
  while (last < length)
    {
      guint shift = self->shifts[hash_pair (text + last - 1)];

      if (shift == 0)
        {
          gsize at = last + 1 - self->window;
          const char *secret = match_here (self, text + at, length - at);

          if (secret != NULL)
            {
              *position = at;
              return secret;
            }
          shift = 1;
        }
      last += shift;
    }

  return NULL;
}

gboolean
gmcp_redactor_finds_text (GmcpRedactor *self, const char *text, gsize length)
{
  gsize position;

  return find_secret (self, text, length, &position) != NULL;
}

/* The longest end of the text that a secret begins with. */
static gsize
measure_begun (GmcpRedactor *self, const char *text, gsize length)
{
  const char *end = text + length;
  gsize longest = 0;

  for (guint i = 0; i < self->secrets->len; i++)
    {
      const char *secret = g_ptr_array_index (self->secrets, i);

      for (gsize n = MIN (strlen (secret) - 1, length); n > longest; n--)
        if (*(end - n) == *secret && memcmp (end - n, secret, n) == 0)
          longest = n;
    }

  return longest;
}

gsize
gmcp_redactor_measure_whole (GmcpRedactor *self, const char *text, gsize length)
{
  gsize whole = length - measure_begun (self, text, length);
  gsize from = 0;
  gsize position;
  const char *secret;

  /* A secret that begins before that is not cut in two either. */
  while ((secret = find_secret (self, text + from, length - from, &position)) != NULL
         && from + position < whole)
    {
      gsize end = from + position + strlen (secret);

      if (end > whole)
        return from + position;
      from = end;
    }

  return whole;
}

void
gmcp_redactor_append_text (GmcpRedactor *self, GString *out, const char *text, gsize length)
{
  const char *secret;
  gsize position;

  while ((secret = find_secret (self, text, length, &position)) != NULL)
    {
      gsize end = position + strlen (secret);

      g_string_append_len (out, text, (gssize) position);
      g_string_append (out, GMCP_REDACTED);
      text += end;
      length -= end;
    }
  g_string_append_len (out, text, (gssize) length);
}

char *
gmcp_redactor_redact (GmcpRedactor *self, const char *text)
{
  gsize length = strlen (text);
  GString *out;

  if (!gmcp_redactor_finds_text (self, text, length))
    return NULL;

  out = g_string_new (NULL);
  gmcp_redactor_append_text (self, out, text, length);
  return g_string_free (out, FALSE);
}

static gboolean
starts_word (const char *at, const char *end, const char *word)
{
  for (; *word != '\0'; word++)
    {
      while (at < end && (*at == '-' || *at == '_' || *at == ' '))
        at++;
      /* Of all characters, none but letters become the letters that the words are of. */
      if (at == end || (*at | 0x20) != *word)
        return FALSE;
      at++;
    }

  return TRUE;
}

static const char *
find_secret_word (const char *name, gsize length)
{
  /* By their first letters, so that nearly every place in a name is one look. */
  static const char *const words[26][4] = {
    ['a' - 'a'] = { "apikey", "authorization", "accesskey", "authtoken" },
    ['b' - 'a'] = { "bearer" },
    ['c' - 'a'] = { "cookie", "credential" },
    ['p' - 'a'] = { "passw", "passphrase", "privatekey" },
    ['s' - 'a'] = { "secret", "signingkey", "sessionkey" },
    ['t' - 'a'] = { "token" },
  };
  const char *end = name + length;

  /* A shorter name has no room for any of them. */
  if (length < strlen ("passw"))
    return length == 3 && g_ascii_strncasecmp (name, "pwd", 3) == 0 ? "pwd" : NULL;

  for (const char *at = name; at < end; at++)
    {
      guint letter = (guint8) (*at | 0x20) - 'a';

      if (letter >= G_N_ELEMENTS (words))
        continue;
      for (guint i = 0; i < 4 && words[letter][i] != NULL; i++)
        if (starts_word (at, end, words[letter][i]))
          return words[letter][i];
    }

  return NULL;
}

gboolean
gmcp_redactor_is_secret_name (const char *name, gsize length)
{
  return find_secret_word (name, length) != NULL;
}

static const char *
find_secret_word_in_key (GmcpJsonValue key)
{
  gsize length = 0;
  const char *plain = gmcp_json_value_peek_plain (key, &length);
  g_autofree char *decoded = NULL;

  if (plain != NULL)
    return find_secret_word (plain, length);

  decoded = gmcp_json_value_dup_string (key);
  return find_secret_word (decoded, strlen (decoded));
}

static gboolean
hides_member (GmcpJsonValue key, GmcpJsonValue value)
{
  const char *word = find_secret_word_in_key (key);

  if (word == NULL)
    return FALSE;

  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_STRING:
    case GMCP_JSON_ARRAY:
    case GMCP_JSON_OBJECT:
      return TRUE;
    case GMCP_JSON_NUMBER:
      /* How many tokens a model may use is no secret. */
      return !g_str_equal (word, "token");
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    case GMCP_JSON_FALSE:
    case GMCP_JSON_TRUE:
    default:
      return FALSE;
    }
}

static void
forget_oldest (GmcpRedactor *self)
{
  char *secret = g_queue_pop_head (&self->recent);

  g_hash_table_remove (self->known, secret);
  g_ptr_array_remove (self->secrets, secret);
}

static void
add_recent (const char *credential, gsize length, gpointer data)
{
  GmcpRedactor *self = data;
  g_autofree char *secret = g_strndup (credential, length);
  guint before;

  if (self->recent.length >= GMCP_LIMIT_RECENT_SECRETS)
    forget_oldest (self);
  before = self->secrets->len;
  add_form (self, secret);
  if (self->secrets->len > before)
    g_queue_push_tail (&self->recent, g_hash_table_lookup (self->known, secret));
}

static void
look_at_string (GmcpRedactor *self, GmcpJsonValue value, gboolean hidden)
{
  gsize length = 0;
  const char *text = gmcp_json_value_peek_plain (value, &length);
  g_autofree char *decoded = NULL;

  if (text == NULL)
    {
      text = decoded = gmcp_json_value_dup_string (value);
      length = strlen (decoded);
    }
  /* Short ones are words that stand in many lines. */
  if (!hidden)
    gmcp_credentials_find (text, length, GMCP_LIMIT_SECRET_SURE_BYTES, add_recent, self);
  else if (length >= GMCP_LIMIT_SECRET_SURE_BYTES)
    add_recent (text, length, self);
}

gboolean
gmcp_redactor_add_arguments (GmcpRedactor *self, GmcpJsonValue arguments)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (arguments);
  gboolean found = FALSE;
  GmcpJsonValue key, member;
  GmcpJsonIter iter;

  if (kind != GMCP_JSON_ARRAY && kind != GMCP_JSON_OBJECT)
    return FALSE;

  gmcp_json_iter_init (&iter, arguments);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      gboolean hidden = kind == GMCP_JSON_OBJECT && hides_member (key, member);

      found |= hidden;
      if (gmcp_json_value_get_kind (member) == GMCP_JSON_STRING)
        look_at_string (self, member, hidden);
      else
        found |= gmcp_redactor_add_arguments (self, member);
    }

  return found;
}

gboolean
gmcp_redactor_is_empty (GmcpRedactor *self)
{
  return self->secrets->len == 0;
}

static gboolean
finds_string (GmcpRedactor *self, GmcpJsonValue value)
{
  gsize length = 0;
  const char *plain = gmcp_json_value_peek_plain (value, &length);
  g_autofree char *decoded = NULL;

  if (plain != NULL)
    return gmcp_redactor_finds_text (self, plain, length);

  decoded = gmcp_json_value_dup_string (value);
  return gmcp_redactor_finds_text (self, decoded, strlen (decoded));
}

gboolean
gmcp_redactor_finds_value (GmcpRedactor *self, GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);
  gboolean has_secrets = self->secrets->len > 0;
  GmcpJsonValue key, member;
  GmcpJsonIter iter;

  if (kind == GMCP_JSON_STRING)
    return has_secrets && finds_string (self, value);
  if (kind != GMCP_JSON_ARRAY && kind != GMCP_JSON_OBJECT)
    return FALSE;

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    if ((kind == GMCP_JSON_OBJECT
         && (hides_member (key, member) || (has_secrets && finds_string (self, key))))
        || gmcp_redactor_finds_value (self, member))
      return TRUE;

  return FALSE;
}

static char *
redact_string (GmcpRedactor *self, GmcpJsonValue value)
{
  g_autofree char *decoded = gmcp_json_value_dup_string (value);
  GString *out = g_string_new (NULL);

  gmcp_redactor_append_text (self, out, decoded, strlen (decoded));
  return g_string_free (out, FALSE);
}

void
gmcp_redactor_write_value (GmcpRedactor *self, GmcpJsonWriter *writer, GmcpJsonValue value)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (value);
  GmcpJsonValue key, member;
  GmcpJsonIter iter;

  if (kind == GMCP_JSON_STRING)
    {
      g_autofree char *text = redact_string (self, value);

      gmcp_json_writer_string (writer, text);
      return;
    }
  if (kind != GMCP_JSON_ARRAY && kind != GMCP_JSON_OBJECT)
    {
      gmcp_json_writer_value (writer, value);
      return;
    }

  if (kind == GMCP_JSON_OBJECT)
    gmcp_json_writer_begin_object (writer);
  else
    gmcp_json_writer_begin_array (writer);
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      if (kind == GMCP_JSON_OBJECT)
        {
          g_autofree char *name = redact_string (self, key);

          gmcp_json_writer_key (writer, name);
        }
      if (kind == GMCP_JSON_OBJECT && hides_member (key, member))
        gmcp_json_writer_string (writer, GMCP_REDACTED);
      else
        gmcp_redactor_write_value (self, writer, member);
    }
  if (kind == GMCP_JSON_OBJECT)
    gmcp_json_writer_end_object (writer);
  else
    gmcp_json_writer_end_array (writer);
}
