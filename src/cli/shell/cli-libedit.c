/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-libedit.h"

#include <dlfcn.h>

#define SONAME     "libedit.so.2"
#define NAME(name) #name,

/* What the loader's list of needed libraries does not name, for the tools that find out what a package
 * depends on. */
#define NOTE "[{\"feature\":\"shell\",\"soname\":[\"" SONAME "\"],\"priority\":\"recommended\"}]"
__attribute__ ((used, section (".note.dlopen"), aligned (4))) static const struct
{
  guint32 name_length, text_length, type;
  char name[4];
  char json[(sizeof (NOTE) + 3) & ~(gsize) 3];
} dlopen_note = { 4, sizeof (NOTE), 0x407c0c0a, "FDO", NOTE };

const CliLibedit *
cli_libedit_load (void)
{
  static const char *const names[] = { CLI_LIBEDIT_FUNCTIONS (NAME) };
  static CliLibedit functions;
  gpointer *addresses = (gpointer *) &functions;
  gpointer handle = dlopen (SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      addresses[i] = handle != NULL ? dlsym (handle, names[i]) : NULL;
      if (addresses[i] == NULL)
        return NULL;
    }
  return &functions;
}
