#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Keeps one processor busy in bursts of uneven length for as long as the process PID lives: burn.sh PID

burn ()
{
  local end=$((${EPOCHREALTIME/[.,]/} + $1))
  while [ "${EPOCHREALTIME/[.,]/}" -lt "$end" ]; do :; done
}

while kill -0 "$1" 2>/dev/null; do
  burn $((RANDOM * 15)) # µs: up to half a second
  sleep "0.$((RANDOM % 3 + 1))"
done
