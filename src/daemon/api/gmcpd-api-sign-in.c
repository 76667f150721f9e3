/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "gmcpd-api-peer.h"
#include "gmcpd-api-problem.h"
#include "gmcpd-api-sign-in.h"
#include "gmcpd-token.h"

/* A browser may have to be started first. */
#define LINK_SECONDS 120

/* The oldest give way. */
#define MAX_LINKS    16
#define MAX_SESSIONS 64

#define COOKIE       "gmcp-dashboard-"
#define PAGE_HEADER  "X-Gmcp-Dashboard"

typedef struct
{
  char *code;
  gint64 until_us;
} Link;

struct _GmcpdApiSignIn
{
  char *port;
  char *cookie;     /* its name: cookies do not tell ports apart */
  GQueue *links;    /* of Link, the oldest first */
  GQueue *sessions; /* of text, the oldest first */
};

static void
link_free (gpointer data)
{
  Link *link = data;

  g_free (link->code);
  g_free (link);
}

GmcpdApiSignIn *
gmcpd_api_sign_in_new (const char *port)
{
  GmcpdApiSignIn *self = g_new0 (GmcpdApiSignIn, 1);

  self->port = g_strdup (port);
  self->cookie = g_strconcat (COOKIE, port, NULL);
  self->links = g_queue_new ();
  self->sessions = g_queue_new ();
  return self;
}

void
gmcpd_api_sign_in_free (GmcpdApiSignIn *self)
{
  g_queue_free_full (self->links, link_free);
  g_queue_free_full (self->sessions, g_free);
  g_free (self->cookie);
  g_free (self->port);
  g_free (self);
}

char *
gmcpd_api_sign_in_make_link (GmcpdApiSignIn *self, guint *seconds, GError **error)
{
  char *code = gmcpd_token_make ();
  Link *link;

  if (code == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  if (self->links->length >= MAX_LINKS)
    link_free (g_queue_pop_head (self->links));
  link = g_new0 (Link, 1);
  link->code = code;
  link->until_us = g_get_monotonic_time () + LINK_SECONDS * G_USEC_PER_SEC;
  g_queue_push_tail (self->links, link);
  *seconds = LINK_SECONDS;
  return g_strdup_printf ("http://127.0.0.1:%s%s%s", self->port, GMCPD_API_SIGN_IN_ROOT, code);
}

/* Signing in */

/* Whatever comes of it, the link is gone then. */
static gboolean
take_link (GmcpdApiSignIn *self, const char *code)
{
  for (GList *l = self->links->head; l != NULL; l = l->next)
    {
      Link *link = l->data;
      gboolean is_sound;

      if (!gmcpd_token_equals (link->code, code))
        continue;
      is_sound = g_get_monotonic_time () <= link->until_us;
      g_queue_delete_link (self->links, l);
      link_free (link);
      return is_sound;
    }
  return FALSE;
}

static const char *
begin_session (GmcpdApiSignIn *self)
{
  char *session = gmcpd_token_make ();

  if (session == NULL)
    return NULL;
  if (self->sessions->length >= MAX_SESSIONS)
    g_free (g_queue_pop_head (self->sessions));
  g_queue_push_tail (self->sessions, session);
  return session;
}

/* A browser that guesses where its user goes next would use up the link. */
static gboolean
is_prefetch (const GmcpdSoup *soup, SoupServerMessage *message)
{
  const char *purpose = gmcpd_soup_get_header (soup, message, "Sec-Purpose");

  return purpose != NULL && strstr (purpose, "prefetch") != NULL;
}

static void
redirect_to_page (const GmcpdSoup *soup,
                  SoupServerMessage *message,
                  const char *page,
                  const char *cookie)
{
  SoupMessageHeaders *headers = soup->server_message_get_response_headers (message);

  soup->server_message_set_status (message, SOUP_STATUS_SEE_OTHER, NULL);
  soup->message_headers_replace (headers, "Location", page);
  soup->message_headers_replace (headers, "Cache-Control", "no-store");
  soup->message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup->message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  if (cookie != NULL)
    soup->message_headers_replace (headers, "Set-Cookie", cookie);
}

void
gmcpd_api_sign_in_serve (GmcpdApiSignIn *self,
                         const GmcpdSoup *soup,
                         SoupServerMessage *message,
                         const char *path)
{
  const char *code = path + strlen (GMCPD_API_SIGN_IN_ROOT);
  const char *session = NULL;
  g_autofree char *cookie = NULL;

  if (!g_str_equal (soup->server_message_get_method (message), "GET"))
    {
      gmcpd_api_problem_set (soup, message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL,
                             _ ("That cannot be done here; the header Allow says what can"));
      soup->message_headers_replace (soup->server_message_get_response_headers (message), "Allow",
                                     "GET");
      return;
    }
  if (is_prefetch (soup, message) || !gmcpd_api_peer_is_own_user (soup, message))
    {
      gmcpd_api_problem_set (soup, message, SOUP_STATUS_FORBIDDEN, NULL,
                             _ ("Only browsers of the user who runs this daemon are let in"));
      return;
    }

  if (take_link (self, code))
    session = begin_session (self);
  if (session != NULL)
    cookie = g_strdup_printf ("%s=%s; Path=/; HttpOnly; SameSite=Strict", self->cookie, session);
  /* The page says what is wrong with the link. */
  redirect_to_page (soup, message, session != NULL ? "/" : "/#used", cookie);
}

/* Being signed in */

static gboolean
is_session (GmcpdApiSignIn *self, const char *value)
{
  gboolean found = FALSE;

  for (GList *l = self->sessions->head; l != NULL; l = l->next)
    found |= gmcpd_token_equals (l->data, value);
  return found;
}

static gboolean
has_session (GmcpdApiSignIn *self, const char *header)
{
  g_auto (GStrv) cookies = g_strsplit (header, ";", -1);
  gsize length = strlen (self->cookie);

  for (guint i = 0; cookies[i] != NULL; i++)
    {
      const char *cookie = g_strstrip (cookies[i]);

      if (strncmp (cookie, self->cookie, length) == 0 && cookie[length] == '='
          && is_session (self, cookie + length + 1))
        return TRUE;
    }
  return FALSE;
}

/* Browsers say which page made them send a request; what does not change anything may come from none. */
static gboolean
is_of_page (const GmcpdSoup *soup, SoupServerMessage *message)
{
  const char *site = gmcpd_soup_get_header (soup, message, "Sec-Fetch-Site");
  const char *method = soup->server_message_get_method (message);
  gboolean is_reading = g_str_equal (method, "GET") || g_str_equal (method, "HEAD");

  if (site != NULL && !g_str_equal (site, "same-origin")
      && !(is_reading && g_str_equal (site, "none")))
    return FALSE;
  return is_reading || g_strcmp0 (gmcpd_soup_get_header (soup, message, PAGE_HEADER), "1") == 0;
}

guint
gmcpd_api_sign_in_check (GmcpdApiSignIn *self,
                         const GmcpdSoup *soup,
                         SoupServerMessage *message,
                         const char **detail)
{
  const char *cookies = gmcpd_soup_get_header (soup, message, "Cookie");

  if (cookies == NULL || !has_session (self, cookies))
    return SOUP_STATUS_UNAUTHORIZED;
  if (!gmcpd_api_peer_is_own_user (soup, message))
    {
      *detail = _ ("Only browsers of the user who runs this daemon are let in");
      return SOUP_STATUS_FORBIDDEN;
    }
  if (!is_of_page (soup, message))
    {
      *detail = _ ("With the dashboard's cookie only the dashboard itself is let in, which sends "
                   "the header “X-Gmcp-Dashboard: 1” with all that changes something");
      return SOUP_STATUS_FORBIDDEN;
    }
  return SOUP_STATUS_OK;
}
