/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <stdint.h>

/* What a host and its guard say to each other. The guard is started with three descriptors beside
 * the server's standard ones, and with nothing on its command line or in its environment. */

/* A socket that keeps message boundaries. The host sends commands of one byte and holds the only
 * other end: its end of file means that the host is gone or no longer wants the server. The guard
 * sends GmcpGuardStatus. */
#define GMCP_GUARD_CONTROL_FD 3
/* The one argument of a guard that systemd starts: standard input is the control socket, and its first message
 * brings the others, in the order of their numbers. */
#define GMCP_GUARD_SERVICE_OPTION "--service"
/* A file with GmcpGuardStart, n_limits times GmcpGuardLimit, then strings, each with its NUL: the
 * working directory where has_cwd is 1, what stands in GmcpGuardInstall where install_ms is not 0, the
 * arguments, the environment. */
#define GMCP_GUARD_START_FD 4
/* The first of n_fds that the server is given; the guard closes its own. */
#define GMCP_GUARD_FIRST_FD 5

/* What all that a server starts has in its environment, unless it takes it out: another value for each run,
 * so that a host finds what is left where its guard was killed. */
#define GMCP_GUARD_RUN_VARIABLE "GMCP_SERVER_RUN"

#define GMCP_GUARD_MAGIC        0x676d6370u

/* The server is not started before GMCP_GUARD_COMMAND_START. */
#define GMCP_GUARD_FLAG_WAIT (1u << 0)
/* The server's first process watches over the others and would take them with it: SIGTERM goes to the
 * rest of its group. */
#define GMCP_GUARD_FLAG_SPARE_LEADER (1u << 1)
/* The server gains no rights by what it executes, and connects to no abstract socket of others, where the
 * kernel has it (Linux 6.12, with Landlock). */
#define GMCP_GUARD_FLAG_SCOPED (1u << 2)

/* An installation is over only when the host says so: what is fetched cannot be seen to run. */
#define GMCP_GUARD_FLAG_INSTALL_UNSEEN (1u << 3)
/* The file that says that the program is there is made by the guard, once it is. */
#define GMCP_GUARD_FLAG_INSTALL_MARK (1u << 4)
/* The first process is one that fetches, so that another program in its place is what was fetched. */
#define GMCP_GUARD_FLAG_INSTALL_DIRECT (1u << 5)

/* For a command that fetches the program it runs. While it does that, neither a host that is gone nor one
 * that does not want the server any more ends it; it is ended when the program is there, or after
 * install_ms. */
typedef enum
{
  GMCP_GUARD_INSTALL_NAMES,   /* of the processes that fetch, with spaces between */
  GMCP_GUARD_INSTALL_LOCK,    /* a file to be locked meanwhile; "" for none */
  GMCP_GUARD_INSTALL_PRESENT, /* a file that is there once the program is; "" for none */
  GMCP_GUARD_N_INSTALL,
} GmcpGuardInstall;

/* What is in /proc/self/ns */
#define GMCP_GUARD_NAMESPACES                                                                      \
  {                                                                                                \
    "mnt", "pid", "user", "net"                                                                    \
  }
#define GMCP_GUARD_N_NAMESPACES 4

typedef struct
{
  uint32_t magic;
  uint32_t n_limits;
  uint32_t has_cwd;
  uint32_t n_arguments;
  uint32_t n_environment;
  uint32_t flags; /* GMCP_GUARD_FLAG_… */
  uint32_t n_fds;
  uint32_t install_ms;
  /* The host's namespaces, where systemd starts the guard: in a container it would start it
   * outside. */
  uint64_t namespaces[GMCP_GUARD_N_NAMESPACES];
} GmcpGuardStart;

typedef struct
{
  int64_t resource; /* RLIMIT_… */
  uint64_t soft;
  uint64_t hard;
} GmcpGuardLimit;

typedef enum
{
  GMCP_GUARD_COMMAND_START = 'S',     /* what is waited for */
  GMCP_GUARD_COMMAND_TERMINATE = 'T', /* SIGTERM to the server's group */
  GMCP_GUARD_COMMAND_KILL = 'K',      /* SIGKILL to all that is left */
  GMCP_GUARD_COMMAND_INSTALLED = 'I', /* the program has said something */
} GmcpGuardCommand;

typedef enum
{
  GMCP_GUARD_STATUS_STARTED, /* value: the server's process id */
  GMCP_GUARD_STATUS_FAILED,  /* value: errno; step: what failed */
  GMCP_GUARD_STATUS_EXITED,  /* value: the server's status as waitpid() gives it */
  GMCP_GUARD_STATUS_INSTALL, /* value: GmcpGuardInstallPhase */
  GMCP_GUARD_STATUS_GUARD, /* value: the guard's process id, where systemd started it; comes first */
} GmcpGuardStatusKind;

typedef enum
{
  GMCP_GUARD_INSTALL_WAITS,     /* for another one that fetches; before the start */
  GMCP_GUARD_INSTALL_RUNS,      /* the program is being fetched */
  GMCP_GUARD_INSTALL_DONE,      /* the program runs; also where nothing was to be fetched */
  GMCP_GUARD_INSTALL_TIMED_OUT, /* and is being ended */
} GmcpGuardInstallPhase;

typedef enum
{
  GMCP_GUARD_STEP_START, /* reading what to start, making the process */
  GMCP_GUARD_STEP_LIMIT,
  GMCP_GUARD_STEP_CWD,
  GMCP_GUARD_STEP_EXEC,
  GMCP_GUARD_STEP_PLACE, /* systemd started it elsewhere than where the host is */
} GmcpGuardStep;

typedef struct
{
  int32_t kind;
  int32_t value;
  int32_t step;
} GmcpGuardStatus;
