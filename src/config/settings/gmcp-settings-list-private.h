/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* One of the lists of names in org.gmcp.Manager, such as `servers`, and what is set for each name at
 * /org/gmcp/LIST/NAME/. Settings are read again only where they have changed. */
typedef struct _GmcpSettingsList GmcpSettingsList;

/* What a list is of. */
typedef struct
{
  const char *key; /* of org.gmcp.Manager, and the folder that the settings are in */
  /* What is wrong with a name, where so many others are taken already; NULL for nothing. */
  char *(*check_name) (const char *name, guint n_taken);
  /* What counts by the settings of a name (transfer full); NULL where it is left out. What is to be said
   * about them is added to findings. *good (owned, NULL at first) is what counted last and was well. */
  GObject *(*judge) (GSettings *settings, const char *name, GObject **good, GPtrArray *findings);
  /* The schema of what is set for a name, whose keys have been looked through. */
  GSettingsSchema *(*lookup_schema) (GError **error);
} GmcpSettingsListKind;

typedef enum
{
  GMCP_SETTINGS_LIST_NAMES,    /* another list of names */
  GMCP_SETTINGS_LIST_SETTINGS, /* those of one name */
} GmcpSettingsListChange;

/* The backend is NULL for the default. changed is called when the list has to be read again, in the thread-default
 * context of now. The schema is looked up for the first name: most people have no role, and pay for none. */
GmcpSettingsList *
gmcp_settings_list_new (const GmcpSettingsListKind *kind,
                        GSettings *manager,
                        GSettingsBackend *backend,
                        void (*changed) (GmcpSettingsListChange change, gpointer data),
                        gpointer data);
void gmcp_settings_list_free (GmcpSettingsList *self);

/* All that is set for the names, in their order. Where the list of names cannot be read, they are those that
 * were there before. */
GPtrArray *gmcp_settings_list_read (GmcpSettingsList *self);

/* Adds what is to be said about what was read last (of GmcpConfigFinding), and to subjects (nullable) the name that each is
 * about. */
void
gmcp_settings_list_add_findings (GmcpSettingsList *self, GPtrArray *findings, GPtrArray *subjects);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSettingsList, gmcp_settings_list_free)

G_END_DECLS
