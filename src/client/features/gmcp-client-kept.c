/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-kept-private.h"

#include "gmcp-byte-budget-private.h"
#include "gmcp-client-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* Of the objects around a text. */
#define OVERHEAD_BYTES 2048u

gboolean
gmcp_client_keep (GmcpClient *self, gsize n_bytes, GError **error)
{
  if (gmcp_byte_budget_charge (self->kept, n_bytes))
    return TRUE;

  /* Addresses that were visited are of use only to a server that says when it is done there. */
  g_ptr_array_set_size (self->input.visits, 0);
  if (gmcp_byte_budget_charge (self->kept, n_bytes))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("%s has asked so much that is not answered yet that there is no room for more; "
                  "answer or close some of its questions"),
               gmcp_client_describe (self));
  return FALSE;
}

void
gmcp_client_release (GmcpClient *self, gsize n_bytes)
{
  gmcp_byte_budget_release (self->kept, n_bytes);
}

gboolean
gmcp_client_check_handshake (GmcpClient *self, GmcpJsonValue result, GError **error)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (result, &length);
  if (length <= GMCP_LIMIT_HANDSHAKE_BYTES)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("%s says more of itself than %u bytes, before it lists any tool"),
               gmcp_client_describe (self), GMCP_LIMIT_HANDSHAKE_BYTES);
  return FALSE;
}

gboolean
gmcp_client_keep_question (GmcpClient *self,
                           GmcpJsonValue params,
                           gsize max_bytes,
                           gsize *n_bytes,
                           GError **error)
{
  g_autofree char *limit = NULL;
  gsize length = 0;

  gmcp_json_value_peek_raw (params, &length);
  /* Before anything of it is copied. */
  if (length > max_bytes)
    {
      limit = g_format_size_full (max_bytes, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked a question that is larger than %s"), gmcp_client_describe (self),
                   limit);
      return FALSE;
    }

  /* The text as it came, and what is read from it. */
  *n_bytes = OVERHEAD_BYTES + 2 * gmcp_json_value_get_copy_bytes (params);
  return gmcp_client_keep (self, *n_bytes, error);
}

void
gmcp_client_give_charge (GmcpClient *self, gpointer request, gsize n_bytes)
{
  if (request != NULL)
    gmcp_input_request_take_charge (request, self->kept, n_bytes);
  else
    gmcp_client_release (self, n_bytes);
}
