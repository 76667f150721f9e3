/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-error-private.h"

struct _GmcpSessionTextFilter
{
  GmcpTextFilter func; /* NULL for none */
  gpointer data;
  GDestroyNotify destroy;
};

GmcpSessionTextFilter *
gmcp_session_text_filter_new (void)
{
  return g_new0 (GmcpSessionTextFilter, 1);
}

void
gmcp_session_text_filter_free (GmcpSessionTextFilter *filter)
{
  if (filter->destroy != NULL)
    filter->destroy (filter->data);
  g_free (filter);
}

void
gmcp_session_set_text_filter (GmcpSession *self,
                              GmcpTextFilter func,
                              gpointer data,
                              GDestroyNotify destroy)
{
  GmcpSessionTextFilter *filter = gmcp_session_get_text_filter (self);

  if (filter->destroy != NULL)
    filter->destroy (filter->data);
  filter->func = func;
  filter->data = data;
  filter->destroy = destroy;
}

char *
gmcp_session_filter_text (GmcpSession *self, char *text)
{
  GmcpSessionTextFilter *filter = gmcp_session_get_text_filter (self);
  char *told = NULL;

  if (filter->func != NULL && text != NULL)
    told = filter->func (text, filter->data);
  if (told == NULL)
    return text;

  g_free (text);
  return told;
}

void
gmcp_session_warn (GmcpSession *self, char *text)
{
  g_autofree char *told = gmcp_session_filter_text (self, text);

  g_info ("%s", told);
  gmcp_session_get_events (self)->warning (gmcp_session_get_owner (self), told);
}

GError *
gmcp_session_filter_error (GmcpSession *self, GError *error)
{
  GmcpSessionTextFilter *filter = gmcp_session_get_text_filter (self);
  g_autofree char *data = NULL;
  char *told_data;
  GError *told;

  if (G_LIKELY (filter->func == NULL))
    return error;

  error->message = gmcp_session_filter_text (self, error->message);
  data = gmcp_rpc_error_dup_data_json (error);
  told_data = data != NULL ? filter->func (data, filter->data) : NULL;
  if (told_data == NULL)
    return error;

  told = gmcp_rpc_error_new_take (error->code, error->message, told_data);
  g_error_free (error);
  return told;
}
