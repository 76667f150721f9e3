/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Variables in what is shown to people or to a model, or counts, without any server being started. What a
 * server is started with is filled in by its start: gmcp-config-expand.c. */

/* The configuration as it is shown: no secret is in it. Nothing is copied where there is no variable in it.
 * workspace (nullable) counts where the configuration has none of its own. Fails with
 * GMCP_ERROR_INVALID_CONFIG, with the property in *property. */
GmcpServerConfig *gmcp_display_expand_config (GmcpServerConfig *config,
                                              const char *workspace,
                                              const char **property,
                                              GError **error);

/* A role, a tier or a project, whose texts are properties that are set when it is made; what it is called
 * stands in no field. NULL where there is nothing in it to fill in. What cannot be filled in stays as it is
 * written. */
GObject *gmcp_display_expand_object (GObject *object, const char *workspace);

/* Rules; what cannot be filled in stays as it is written, too. */
GStrv gmcp_display_expand_texts (const char *const *texts, const char *workspace);

G_END_DECLS
