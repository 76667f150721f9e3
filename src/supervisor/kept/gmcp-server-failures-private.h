/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Why each server failed the last time, in whatever program, for as long as it was not ready since: a
 * file over all runs. What is told of a failure holds no secret. */

#define GMCP_SERVER_FAILURES_FILE "server-failures.json"

typedef struct
{
  gint64 at; /* in seconds of real time */
  char *text;
} GmcpServerFailure;

GmcpServerFailure *gmcp_server_failure_new (gint64 at, const char *text);
void gmcp_server_failure_free (GmcpServerFailure *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerFailure, gmcp_server_failure_free)

typedef struct _GmcpServerFailures GmcpServerFailures;

GmcpServerFailures *gmcp_server_failures_new (void);
void gmcp_server_failures_free (GmcpServerFailures *self);

/* What the file holds takes the place of what is known; NULL where it is not there. A file that makes no
 * sense holds nothing, and is written anew with the next failure. */
void gmcp_server_failures_take (GmcpServerFailures *self, GBytes *bytes);
/* The failure of the server as it is configured; NULL for none. Borrowed. */
const GmcpServerFailure *
gmcp_server_failures_find (GmcpServerFailures *self, GmcpServerConfig *config);

/* A change of the file, for gmcp_server_failures_write(): that the server failed, or, where failure is
 * NULL, that it works. NULL where that is known already. */
typedef struct _GmcpFailureChange GmcpFailureChange;

GmcpFailureChange *gmcp_server_failures_change (GmcpServerFailures *self,
                                                GmcpServerConfig *config,
                                                const GmcpServerFailure *failure);
void gmcp_failure_change_free (gpointer change);
/* A GmcpStateFileFunc. */
GBytes *gmcp_server_failures_write (GBytes *present, gpointer change, GError **error);

G_END_DECLS
