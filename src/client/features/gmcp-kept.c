/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-kept-private.h"

#include "gmcp-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-visits-private.h"

/* Bytes of the objects around a text. */
#define OVERHEAD_BYTES 2048u

struct _GmcpKept
{
  GmcpByteBudget *budget;
};

GmcpKept *
gmcp_kept_new (void)
{
  GmcpKept *kept = g_new (GmcpKept, 1);

  kept->budget = gmcp_byte_budget_new (GMCP_LIMIT_KEPT_BYTES, gmcp_byte_budget_get_host ());
  return kept;
}

void
gmcp_kept_free (GmcpKept *kept)
{
  gmcp_byte_budget_unref (kept->budget);
  g_free (kept);
}

GmcpByteBudget *
gmcp_kept_get_budget (GmcpSession *self)
{
  return gmcp_session_get_features (self)->kept->budget;
}

gboolean
gmcp_kept_charge (GmcpSession *self, gsize n_bytes, GError **error)
{
  GmcpByteBudget *budget = gmcp_kept_get_budget (self);

  if (gmcp_byte_budget_charge (budget, n_bytes))
    return TRUE;

  /* Addresses that were visited are of use only to a server that says when it is done there. */
  gmcp_visits_forget (self);
  if (gmcp_byte_budget_charge (budget, n_bytes))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("%s has asked so much that is not answered yet that there is no room for more; "
                  "answer or close some of its questions"),
               gmcp_session_describe (self));
  return FALSE;
}

void
gmcp_kept_release (GmcpSession *self, gsize n_bytes)
{
  gmcp_byte_budget_release (gmcp_kept_get_budget (self), n_bytes);
}

gboolean
gmcp_kept_check_handshake (GmcpSession *self, GmcpJsonValue result, GError **error)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (result, &length);
  if (length <= GMCP_LIMIT_HANDSHAKE_BYTES)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("%s says more of itself than %u bytes, before it lists any tool"),
               gmcp_session_describe (self), GMCP_LIMIT_HANDSHAKE_BYTES);
  return FALSE;
}

gboolean
gmcp_kept_charge_question (GmcpSession *self,
                           GmcpJsonValue params,
                           gsize max_bytes,
                           gsize *n_bytes,
                           GError **error)
{
  g_autofree char *limit = NULL;
  gsize length = 0;

  gmcp_json_value_peek_raw (params, &length);
  /* The size is checked before anything is copied. */
  if (length > max_bytes)
    {
      limit = g_format_size_full (max_bytes, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked a question that is larger than %s"), gmcp_session_describe (self),
                   limit);
      return FALSE;
    }

  /* The text as it came, and what is read from it. */
  *n_bytes = OVERHEAD_BYTES + 2 * gmcp_json_value_get_copy_bytes (params);
  return gmcp_kept_charge (self, *n_bytes, error);
}

void
gmcp_kept_give (GmcpSession *self, gpointer request, gsize n_bytes)
{
  if (request != NULL)
    gmcp_input_request_take_charge (request, gmcp_kept_get_budget (self), n_bytes);
  else
    gmcp_kept_release (self, n_bytes);
}
