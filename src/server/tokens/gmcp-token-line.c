/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-line-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-random-private.h"
#include "gmcp-token-request-private.h"

#define PREFIX         "gmcp_"
#define ID_BYTES       8u
#define SALT_BYTES     16u
#define HASH_BYTES     32u
#define SECRET_BYTES   32u
#define WORD_EXPIRES   "expires="
#define WORD_SCOPE     "scope="
#define TOKEN_ID_START (sizeof PREFIX - 1)
#define TOKEN_SECRET   (TOKEN_ID_START + 2 * ID_BYTES + 1)

void
gmcp_token_line_free (GmcpTokenLine *self)
{
  g_free (self->id);
  g_free (self->salt);
  g_free (self->hash);
  g_free (self->user);
  g_strfreev (self->scopes);
  g_free (self);
}

/* Reading */

static gboolean
is_hex (const char *text, gsize n_bytes)
{
  gsize n_digits = strspn (text, "0123456789abcdef");

  return n_digits == 2 * n_bytes && text[n_digits] == '\0';
}

static gboolean
read_hash (GmcpTokenLine *self, const char *word, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (word, "$", 4);

  if (g_strv_length (parts) != 3 || !is_hex (parts[0], ID_BYTES) || !is_hex (parts[1], SALT_BYTES)
      || !is_hex (parts[2], HASH_BYTES))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("The first word is not the hash of a token; make a new token in "
                              "place of it"));
      return FALSE;
    }
  self->id = g_strdup (parts[0]);
  self->salt = g_strdup (parts[1]);
  self->hash = g_strdup (parts[2]);
  return TRUE;
}

static gboolean
read_option (GmcpTokenLine *self, GPtrArray *scopes, const char *word, GError **error)
{
  g_autoptr (GDateTime) time = NULL;

  if (g_str_has_prefix (word, WORD_EXPIRES) && self->expires_s == 0)
    {
      time = g_date_time_new_from_iso8601 (word + strlen (WORD_EXPIRES), NULL);
      if (time != NULL && g_date_time_to_unix (time) > 0)
        {
          self->expires_s = g_date_time_to_unix (time);
          return TRUE;
        }
    }
  else if (g_str_has_prefix (word, WORD_SCOPE) && gmcp_token_is_scope (word + strlen (WORD_SCOPE)))
    {
      g_ptr_array_add (scopes, g_strdup (word + strlen (WORD_SCOPE)));
      return TRUE;
    }

  /* The word is not shown: it may be a token that somebody put there. */
  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
    /* Translators: the examples are not translated */
    _ ("Behind the user may stand expires=TIME, once, as in expires=2030-01-31T12:00:00Z, and "
       "scope=SCOPE, nothing else"));
  return FALSE;
}

static gboolean
read_words (GmcpTokenLine *self, char **words, GError **error)
{
  g_autoptr (GPtrArray) scopes = g_ptr_array_new_with_free_func (g_free);

  if (!read_hash (self, words[0], error))
    return FALSE;
  if (words[1] == NULL || !gmcp_token_is_user (words[1]))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("The hash of a token is followed by its user: one word"));
      return FALSE;
    }
  self->user = g_strdup (words[1]);
  for (guint i = 2; words[i] != NULL; i++)
    if (!read_option (self, scopes, words[i], error))
      return FALSE;
  g_ptr_array_add (scopes, NULL);
  self->scopes = (GStrv) g_ptr_array_free (g_steal_pointer (&scopes), FALSE);
  return TRUE;
}

/* Runs of blanks count as one. */
static char **
split_words (const char *line)
{
  g_auto (GStrv) parts = g_strsplit_set (line, " \t", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

GmcpTokenLine *
gmcp_token_line_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GmcpTokenLine) self = NULL;
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;

  if (length > GMCP_LIMIT_TOKEN_LINE_BYTES || memchr (text, '\0', length) != NULL
      || !g_utf8_validate_len (text, length, NULL))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("The line is too long, or not text in UTF-8"));
      return NULL;
    }
  line = g_strndup (text, length);
  g_strchomp (line);
  words = split_words (line);
  if (words[0] == NULL || words[0][0] == '#')
    return NULL;

  self = g_new0 (GmcpTokenLine, 1);
  return read_words (self, words, error) ? g_steal_pointer (&self) : NULL;
}

/* Writing */

static char *
make_random_hex (gsize n_bytes)
{
  g_autoptr (GBytes) bytes = gmcp_random_new_bytes (n_bytes);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  GString *text = g_string_sized_new (2 * n_bytes);

  for (gsize i = 0; i < n_bytes; i++)
    g_string_append_printf (text, "%02x", data[i]);
  return g_string_free (text, FALSE);
}

static char *
make_hash (const char *salt, const char *token)
{
  return g_compute_hmac_for_string (G_CHECKSUM_SHA256, (const guchar *) salt, strlen (salt), token,
                                    -1);
}

/* A scope with characters that none has is no scope. */
static GStrv
copy_scopes (const char *const *scopes)
{
  GPtrArray *copied = g_ptr_array_new ();

  for (guint i = 0; scopes != NULL && scopes[i] != NULL; i++)
    if (gmcp_token_is_scope (scopes[i]))
      g_ptr_array_add (copied, g_strdup (scopes[i]));
  g_ptr_array_add (copied, NULL);
  return (GStrv) g_ptr_array_free (copied, FALSE);
}

GmcpTokenLine *
gmcp_token_line_new (const char *user, const char *const *scopes, gint64 expires_s, char **token)
{
  GmcpTokenLine *self = g_new0 (GmcpTokenLine, 1);
  g_autofree char *secret = make_random_hex (SECRET_BYTES);

  self->id = make_random_hex (ID_BYTES);
  self->salt = make_random_hex (SALT_BYTES);
  self->user = g_strdup (user);
  self->scopes = copy_scopes (scopes);
  self->expires_s = expires_s;
  *token = g_strconcat (PREFIX, self->id, "_", secret, NULL);
  self->hash = make_hash (self->salt, *token);
  explicit_bzero (secret, strlen (secret));
  return self;
}

char *
gmcp_token_line_to_text (const GmcpTokenLine *self)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s$%s$%s %s", self->id, self->salt, self->hash, self->user);
  if (self->expires_s != 0)
    {
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (self->expires_s);
      g_autofree char *written = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

      if (written != NULL)
        g_string_append_printf (text, " " WORD_EXPIRES "%s", written);
    }
  for (guint i = 0; self->scopes[i] != NULL; i++)
    g_string_append_printf (text, " " WORD_SCOPE "%s", self->scopes[i]);
  return g_string_free (text, FALSE);
}

/* Tokens */

char *
gmcp_token_line_dup_id (const char *token)
{
  g_autofree char *id = NULL;

  if (!g_str_has_prefix (token, PREFIX) || strlen (token) != TOKEN_SECRET + 2 * SECRET_BYTES
      || token[TOKEN_SECRET - 1] != '_' || !is_hex (token + TOKEN_SECRET, SECRET_BYTES))
    return NULL;

  id = g_strndup (token + TOKEN_ID_START, 2 * ID_BYTES);
  return is_hex (id, ID_BYTES) ? g_steal_pointer (&id) : NULL;
}

gboolean
gmcp_token_line_is_of (const GmcpTokenLine *self, const char *token)
{
  g_autofree char *hash = make_hash (self->salt, token);
  guint different = 0;

  for (guint i = 0; i < 2 * HASH_BYTES; i++)
    different |= (guint) hash[i] ^ (guint) self->hash[i];
  return different == 0;
}
