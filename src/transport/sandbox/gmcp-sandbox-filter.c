/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sandbox-filter-private.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmcp-fd-private.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

/* Where there is socketcall(), its arguments are in memory, which a filter does not see. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && !defined(__ILP32__) && G_BYTE_ORDER == G_LITTLE_ENDIAN
#define NATIVE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define NATIVE AUDIT_ARCH_RISCV64
#endif

#ifdef NATIVE

#define X32_BIT 0x40000000u
/* As in the kernel: the rest are flags. */
#define TYPE_MASK   0xfu

#define LOAD(field) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, field))
#define IF(value, steps_if, steps_else)                                                            \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (value), (steps_if), (steps_else))
#define FAIL(number) BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((number) &SECCOMP_RET_DATA))
#define ALLOW        BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL         BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static const struct sock_filter calls[] = {
  LOAD (arch),
  IF (NATIVE, 1, 0),
  KILL,
  LOAD (nr),
#ifdef __x86_64__
  BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
  FAIL (ENOSYS),
#endif
  IF (SYS_io_uring_setup, 0, 1),
  FAIL (ENOSYS),
  IF (SYS_add_key, 2, 0),
  IF (SYS_request_key, 1, 0),
  IF (SYS_keyctl, 0, 1),
  FAIL (ENOSYS),
};

/* A pair of datagrams could be connected anew, to another socket. */
static const struct sock_filter pairs[] = {
  IF (SYS_socketpair, 0, 6),
  LOAD (args[1]),
  BPF_STMT (BPF_ALU | BPF_AND | BPF_K, TYPE_MASK),
  IF (SOCK_STREAM, 2, 0),
  IF (SOCK_SEQPACKET, 1, 0),
  FAIL (EACCES),
  ALLOW,
};

static const struct sock_filter unix_sockets[] = {
  IF (SYS_socket, 0, 3), LOAD (args[0]), IF (AF_UNIX, 0, 1), FAIL (EACCES), LOAD (nr),
};

static const struct sock_filter families[] = {
  IF (SYS_socket, 0, 6), LOAD (args[0]),        IF (AF_UNIX, 4, 0),  IF (AF_INET, 3, 0),
  IF (AF_INET6, 2, 0),   IF (AF_NETLINK, 1, 0), FAIL (EAFNOSUPPORT), ALLOW,
};

static GByteArray *
build_filter (gboolean allows_unix_sockets)
{
  GByteArray *filter = g_byte_array_new ();

  g_byte_array_append (filter, (const guint8 *) calls, sizeof calls);
  if (!allows_unix_sockets)
    {
      g_byte_array_append (filter, (const guint8 *) pairs, sizeof pairs);
      g_byte_array_append (filter, (const guint8 *) unix_sockets, sizeof unix_sockets);
    }
  g_byte_array_append (filter, (const guint8 *) families, sizeof families);
  return filter;
}

int
gmcp_sandbox_filter_open (gboolean allows_unix_sockets)
{
  g_autoptr (GByteArray) filter = build_filter (allows_unix_sockets);
  int fd = memfd_create ("gmcp-filter", MFD_CLOEXEC | MFD_NOEXEC_SEAL);

  if (fd < 0 && errno == EINVAL)
    fd = memfd_create ("gmcp-filter", MFD_CLOEXEC);
  if (fd < 0)
    return -1;

  /* Some hundred bytes of memory: all at once or not at all. */
  if (write (fd, filter->data, filter->len) != (gssize) filter->len || lseek (fd, 0, SEEK_SET) != 0)
    gmcp_clear_fd (&fd);
  return fd;
}

#else

int
gmcp_sandbox_filter_open (gboolean allows_unix_sockets)
{
  errno = ENOSYS;
  return -1;
}

#endif
