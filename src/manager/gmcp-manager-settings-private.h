/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Settings that hold for all servers, and what goes by them. */

guint gmcp_manager_get_limit (GmcpManager *self, GmcpManagerLimit limit);
/* The parts of the manager go by the new values, and it is notified of; data is the manager. */
void gmcp_manager_use_settings (const GmcpSetting *changed, guint n_changed, gpointer data);

/* The rules that hold whatever the role go by the settings that hold now: gmcp-manager-rules.c */
void gmcp_manager_use_asking (GmcpManager *self);

/* What is done about tools that are new or have changed goes by the setting that holds now:
 * gmcp-manager-pins.c */
void gmcp_manager_use_pin_policy (GmcpManager *self);

/* Keeps the secrets that the configurations give to their servers out of logs. */
void gmcp_manager_learn_secrets (GmcpManager *self, GPtrArray *configs);
/* The audit log, and the logs of servers, go by the settings that hold now. */
void gmcp_manager_use_audit (GmcpManager *self);
void gmcp_manager_limit_logs (GmcpManager *self);
void gmcp_manager_use_log_directory (GmcpManager *self);

G_END_DECLS
