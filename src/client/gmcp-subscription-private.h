/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-subscription.h>

#include "gmcp-changes-private.h"

G_BEGIN_DECLS

struct _GmcpSubscription
{
  GObject parent_instance;

  GmcpClient *client;
  GmcpSubscriptionFlags lists;
  GStrv resource_uris;
  GStrv task_ids;
  GmcpChangeStream *stream;
  GTask *opening;
  GSource *cancelled;
};

G_END_DECLS
