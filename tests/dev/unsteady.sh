#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Runs a program; one time in three at the lowest priority: unsteady.sh PROGRAM [ARGUMENT…]
[ $((RANDOM % 3)) -eq 0 ] && exec nice -n 19 "$@"
exec "$@"
