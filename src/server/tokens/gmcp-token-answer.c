/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-answer-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "gmcp-token-request-private.h"

void
gmcp_token_answer_free (GmcpTokenAnswer *self)
{
  g_free (self->user);
  g_strfreev (self->scopes);
  g_strfreev (self->audience);
  g_free (self);
}

static gboolean
fail_not_understood (GError **error, const char *why)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, why);
  return FALSE;
}

/* A member that has to be what it is said to be where it is there: TRUE, too, where there is none. */
static gboolean
is_one_of (GmcpJsonValue object, const char *name, const char *expected, const char *other)
{
  GmcpJsonValue member = gmcp_json_value_get_member (object, name);
  g_autofree char *text = NULL;

  if (!gmcp_json_value_is_present (member))
    return TRUE;
  text = gmcp_json_value_dup_string (member);
  return text != NULL
         && (g_ascii_strcasecmp (text, expected) == 0
             || (other != NULL && g_ascii_strcasecmp (text, other) == 0));
}

/* Whether who has the token is who may use it, and it is one to call with. */
static gboolean
is_bearer_token (GmcpJsonValue object)
{
  return is_one_of (object, "token_type", "Bearer", "access_token")
         && is_one_of (object, "token_use", "access_token", "access")
         && !gmcp_json_value_is_present (gmcp_json_value_get_member (object, "cnf"));
}

static gboolean
is_of_issuer (GmcpJsonValue object, const char *issuer)
{
  GmcpJsonValue member = gmcp_json_value_get_member (object, "iss");

  return issuer == NULL || !gmcp_json_value_is_present (member)
         || gmcp_json_value_equals_string (member, issuer);
}

static char **
list_scopes (GmcpJsonValue object)
{
  g_autofree char *text = gmcp_json_value_dup_string (gmcp_json_value_get_member (object, "scope"));
  g_auto (GStrv) words = text != NULL ? g_strsplit (text, " ", -1) : NULL;
  g_autoptr (GStrvBuilder) scopes = g_strv_builder_new ();

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    if (gmcp_token_is_scope (words[i]))
      g_strv_builder_add (scopes, words[i]);
  return g_strv_builder_end (scopes);
}

/* One text, or an array of them. */
static char **
list_audience (GmcpJsonValue object)
{
  GmcpJsonValue member = gmcp_json_value_get_member (object, "aud");
  g_autoptr (GStrvBuilder) audience = g_strv_builder_new ();

  if (gmcp_json_value_is_string (member))
    {
      g_autofree char *one = gmcp_json_value_dup_string (member);

      g_strv_builder_add (audience, one);
    }
  else if (gmcp_json_value_is_array (member))
    {
      for (guint i = 0; i < gmcp_json_value_get_length (member); i++)
        {
          g_autofree char *one
            = gmcp_json_value_dup_string (gmcp_json_value_get_element (member, i));

          if (one != NULL)
            g_strv_builder_add (audience, one);
        }
    }
  return g_strv_builder_end (audience);
}

/* A time that is no number, or none that there is, is one that is over. */
static gint64
read_expires_s (GmcpJsonValue object)
{
  GmcpJsonValue member = gmcp_json_value_get_member (object, "exp");
  double seconds;

  if (!gmcp_json_value_is_present (member))
    return 0;
  if (!gmcp_json_value_get_double (member, &seconds) || !(seconds >= 1))
    return 1;
  return seconds < G_MAXINT32 * 100.0 ? (gint64) seconds : 0;
}

static GmcpTokenAnswer *
read_good (GmcpJsonValue object)
{
  g_autoptr (GmcpTokenAnswer) self = g_new0 (GmcpTokenAnswer, 1);

  self->user = gmcp_json_value_dup_string (gmcp_json_value_get_member (object, "sub"));
  if (!gmcp_token_is_user (self->user))
    return NULL;

  self->scopes = list_scopes (object);
  self->audience = list_audience (object);
  self->expires_s = read_expires_s (object);
  return g_steal_pointer (&self);
}

GmcpTokenAnswer *
gmcp_token_answer_parse (const char *text, gsize length, const char *issuer, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, error);
  GmcpJsonValue object;
  gboolean is_active;

  if (doc == NULL)
    return NULL;
  object = gmcp_json_doc_get_root (doc);
  if (!gmcp_json_value_is_object (object)
      || !gmcp_json_value_get_boolean (gmcp_json_value_get_member (object, "active"), &is_active))
    {
      fail_not_understood (error, _ ("the answer does not say whether the token is active"));
      return NULL;
    }
  return is_active && is_bearer_token (object) && is_of_issuer (object, issuer) ? read_good (object)
                                                                                : NULL;
}
