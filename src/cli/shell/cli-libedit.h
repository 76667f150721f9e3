/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <histedit.h>

/* libedit, which is loaded when the first line is to be edited: it brings four libraries, and no command
 * but the shell has a use for them. What is called of it goes through this table. */
#define CLI_LIBEDIT_FUNCTIONS(F)                                                                   \
  F (el_deletestr)                                                                                 \
  F (el_end)                                                                                       \
  F (el_get)                                                                                       \
  F (el_gets)                                                                                      \
  F (el_init)                                                                                      \
  F (el_insertstr)                                                                                 \
  F (el_line)                                                                                      \
  F (el_resize)                                                                                    \
  F (el_set)                                                                                       \
  F (el_source)                                                                                    \
  F (history)                                                                                      \
  F (history_end)                                                                                  \
  F (history_init)

typedef struct
{
#define CLI_LIBEDIT_MEMBER(name) __typeof__ (&name) name;
  CLI_LIBEDIT_FUNCTIONS (CLI_LIBEDIT_MEMBER)
#undef CLI_LIBEDIT_MEMBER
} CliLibedit;

/* NULL where it cannot be loaded. */
const CliLibedit *cli_libedit_load (void);
