/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-child-private.h"

#include "gmcp-guarded-child-private.h"
#include "gmcp-host-child-private.h"

GmcpChild *
gmcp_child_spawn (const GmcpSpawnOptions *options,
                  const GmcpChildFuncs *funcs,
                  gpointer owner,
                  GmcpStderrTail *tail,
                  GMainContext *context,
                  int *stdin_fd,
                  int *stdout_fd,
                  GError **error)
{
  return (options->on_host ? gmcp_host_child_spawn : gmcp_guarded_child_spawn) (
    options, funcs, owner, tail, context, stdin_fd, stdout_fd, error);
}

void
gmcp_child_note_message (GmcpChild *self)
{
  if (self->kind->note_message != NULL)
    self->kind->note_message (self);
}

int
gmcp_child_get_guard_pid (GmcpChild *self)
{
  return self->kind->get_guard_pid != NULL ? self->kind->get_guard_pid (self) : 0;
}

int
gmcp_child_take_service_fd (GmcpChild *self)
{
  return self->kind->take_service_fd != NULL ? self->kind->take_service_fd (self) : -1;
}

void
gmcp_child_start (GmcpChild *self)
{
  if (self->kind->start != NULL)
    self->kind->start (self);
}

void
gmcp_child_tell_installed (GmcpChild *self)
{
  if (self->kind->tell_installed != NULL)
    self->kind->tell_installed (self);
}

void
gmcp_child_terminate (GmcpChild *self)
{
  self->kind->terminate (self);
}

void
gmcp_child_kill (GmcpChild *self)
{
  self->kind->kill (self);
}

void
gmcp_child_kill_guard (GmcpChild *self)
{
  self->kind->kill_guard (self);
}

void
gmcp_child_release (GmcpChild *self)
{
  self->kind->release (self);
}
