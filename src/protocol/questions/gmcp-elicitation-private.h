/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>

#include "gmcp-elicitation-field-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-object-list-private.h"

G_BEGIN_DECLS

struct _GmcpElicitation
{
  GmcpInputRequest parent_instance;

  GmcpElicitationMode mode;
  char *message;
  GmcpObjectList *fields;
  char *url;
  char *host;
  char *elicitation_id;
  gboolean accepted;
  gboolean completed;
  gboolean ends_call;
  void (*abandoned) (
    gpointer data); /* NULL where no call waits for what is to be done at the address */
  gpointer abandoned_data;
};

/* The question of an elicitation/create; GMCP_ERROR_PROTOCOL where it cannot be shown to anybody. The
 * function may be NULL. */
GmcpElicitation *gmcp_elicitation_new_from_value (GmcpJsonValue params,
                                                  GmcpElicitationMatchFunc matches,
                                                  GError **error);

/* Somebody has agreed to visit the address, or a client of this program was asked to, so that what is to be done there can be
 * completed. */
void gmcp_elicitation_note_asked (GmcpElicitation *self);
/* A call goes on only once all is done at the address, or ends where that is abandoned. NULL: none does any more. */
void gmcp_elicitation_set_awaited (GmcpElicitation *self,
                                   void (*abandoned) (gpointer data),
                                   gpointer data);

#define GMCP_ELICITATION_ANSWER_DECLINE "{\"action\":\"decline\"}"
#define GMCP_ELICITATION_ANSWER_CANCEL  "{\"action\":\"cancel\"}"

/* Whether an answer is one that accepts. */
gboolean gmcp_elicitation_was_accepted (GmcpElicitation *self);

G_END_DECLS
