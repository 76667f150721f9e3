/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

#include <gmcp/core/gmcp-error.h>

G_BEGIN_DECLS

/* A library of others' that is loaded when its first function is needed. What libsoup brings with it takes
 * longer to load than all the rest of a program that has only servers it starts itself. */
typedef struct
{
  const char *file;           /* as the loader knows it */
  const char *const *symbols; /* up to NULL: what is called in there */
  gpointer *functions;        /* their addresses, in the same order, once it is loaded */
  gsize loaded;
} GmcpLibrary;

/* Safe in any thread. A library that was loaded stays; one that is not there is looked for again. */
gboolean gmcp_library_load (GmcpLibrary *library, GError **error);

/* The loader's list of needed libraries does not name what is loaded later. This note does, for the tools
 * that find out what a package depends on: https://uapi-group.org/specifications/specs/elf_dlopen_metadata/ */
#define GMCP_LIBRARY_NOTE(feature, library, priority)                                              \
  GMCP_LIBRARY_NOTE_TEXT ("[{\"feature\":\"" feature "\",\"soname\":[\"" library                   \
                          "\"],\"priority\":\"" priority "\"}]")
#define GMCP_LIBRARY_NOTE_TEXT(text)                                                               \
  __attribute__ ((used, section (".note.dlopen"), aligned (4))) static const struct                \
  {                                                                                                \
    guint32 name_length, text_length, type;                                                        \
    char name[4];                                                                                  \
    char json[(sizeof (text) + 3) & ~(gsize) 3];                                                   \
  } dlopen_note = { 4, sizeof (text), 0x407c0c0a, "FDO", text };

G_END_DECLS
