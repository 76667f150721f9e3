#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Stands for a test that cannot run here: skip.sh REASON
echo "$1"
exit 77
