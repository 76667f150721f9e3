/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "gmcp-guard-protocol.h"

/* What the guard knows of a command that fetches the program it runs. */

/* How often an installation is looked at; and after a while. */
#define INSTALL_LOOK_EVERY_MS 100
#define INSTALL_LOOK_LATER_MS 250
#define INSTALL_LOOK_CLOSE_MS 5000

typedef enum
{
  INSTALL_GOES_ON,
  INSTALL_BEGAN, /* told once: something has to be fetched */
  INSTALL_OVER,
  INSTALL_TIMED_OUT,
} InstallNews;

typedef struct
{
  char names[128];
  char present[4096];
  char lock[4096];
  char stdin_link[64]; /* what /proc says of the server's streams */
  char stdout_link[64];
  uint32_t flags;
  uint32_t limit_ms;
  int64_t deadline_ms;
  int64_t tell_at_ms; /* 0 once it was told */
  int lock_fd;
  int drain_fds[2]; /* the other ends of the server's output, for when the host is gone */
  int is_on;
  int is_done;
  int is_let_go;
  int was_seen; /* one of the names */
} Install;

/* Before the server is started, while its streams are those of the guard. */
void install_prepare (Install *self, char *const *strings, uint32_t limit_ms, uint32_t flags);
uint32_t install_get_limit_ms (const Install *self);
/* Returns 0 where another one has it, and the program is not there yet. */
int install_take_lock (Install *self);
void install_begin (Install *self, int64_t now_ms);

int install_is_on (const Install *self);
int install_is_let_go (const Install *self);
int install_get_wait_ms (const Install *self, int64_t now_ms);
/* The host has gone: nobody else reads what the command prints. */
void install_let_go (Install *self);
/* The program has said something to the host. */
void install_done (Install *self);
/* The command has ended. */
void install_end (Install *self);
InstallNews install_look (Install *self, pid_t server, int64_t now_ms);
