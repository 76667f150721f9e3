/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-error-private.h"

void
gmcp_client_set_text_filter (GmcpClient *self,
                             GmcpClientTextFilter filter,
                             gpointer data,
                             GDestroyNotify destroy)
{
  if (self->text_filter_destroy != NULL)
    self->text_filter_destroy (self->text_filter_data);
  self->text_filter = filter;
  self->text_filter_data = data;
  self->text_filter_destroy = destroy;
}

char *
gmcp_client_filter_text (GmcpClient *self, char *text)
{
  char *told = NULL;

  if (self->text_filter != NULL && text != NULL)
    told = self->text_filter (text, self->text_filter_data);
  if (told == NULL)
    return text;

  g_free (text);
  return told;
}

void
gmcp_client_warn (GmcpClient *self, char *text)
{
  g_autofree char *told = gmcp_client_filter_text (self, text);

  g_info ("%s", told);
  gmcp_client_emit_warning (self, told);
}

GError *
gmcp_client_filter_error (GmcpClient *self, GError *error)
{
  g_autofree char *data = NULL;
  char *told_data;
  GError *told;

  if (G_LIKELY (self->text_filter == NULL))
    return error;

  error->message = gmcp_client_filter_text (self, error->message);
  data = gmcp_rpc_error_dup_data_json (error);
  told_data = data != NULL ? self->text_filter (data, self->text_filter_data) : NULL;
  if (told_data == NULL)
    return error;

  told = gmcp_rpc_error_new_take (error->code, error->message, told_data);
  g_error_free (error);
  return told;
}
