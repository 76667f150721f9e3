# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# Sourced by dev: the stages of `./dev test`. A stage that fails does not stop the next ones.

passed=0 failed=0 skipped=0
table=()

# The time that a loaded machine may take is not what a test is about; and most tests wait more than
# they work, so that there can be more of them at once than there are processors. What the tests need
# is built first.
meson_test ()
{
  logged "$1" meson test -C "$2" --num-processes $((2 * $(nproc))) --timeout-multiplier 4 --print-errorlogs "${@:3}"
}

# tally LOG: adds what one of meson's test logs says to the sums, and names what failed or was skipped.
tally ()
{
  local counts
  if counts=$(python3 "$root/tests/dev/tally.py" "$1"); then
    read -r stage_passed stage_failed stage_skipped <<<"$counts"
  else
    stage_passed=0 stage_failed=1 stage_skipped=0
  fi
}

# stage TITLE FUNCTION: runs it and adds a line to the table. The function sets stage_*, or just fails.
stage ()
{
  local title=$1 begin=$SECONDS line ok=yes
  stage_passed=0 stage_failed=0 stage_skipped=0
  say "== $title"
  "$2" || ok=no
  if [ "$ok" = no ] && [ "$stage_failed" -eq 0 ]; then
    stage_failed=1
  fi
  passed=$((passed + stage_passed)) failed=$((failed + stage_failed)) skipped=$((skipped + stage_skipped))
  printf -v line '%-44s %5d passed %3d failed %3d skipped %5d s' \
    "$title" "$stage_passed" "$stage_failed" "$stage_skipped" $((SECONDS - begin))
  table+=("$line")
  say "   $line"
}

# suites NAME DIR LOG ARGUMENT…: runs tests and counts them, whatever their outcome.
suites ()
{
  local status=0
  rm -f "$2/meson-logs/$3"
  meson_test "test-$1" "$2" "${@:4}" >/dev/null 2>&1 || status=1
  [ -f "$2/meson-logs/$3" ] || { tail -n 20 "$build/logs/test-$1.log" >&2; return 1; }
  tally "$2/meson-logs/$3"
  return $status
}

# variant NAME OPTION…: configures build/NAME.
variant ()
{
  configure "$build/$1" -Dwerror=true -Dintrospection=disabled -Ddocs=disabled \
    "-Dnpm_dir=$npm_dir" "${@:2}"
}

build_whole () { logged "build-$1" ninja -C "$build/$1"; }

stage_gcc () { build_level test && suites gcc "$build" testlog.json; }

stage_clang ()
{
  CC=clang CXX=clang++ variant clang -Dfuzzing=enabled && build_whole clang && stage_passed=1
}

stage_sanitizers ()
{
  variant asan -Db_sanitize=address,undefined -Db_lundef=false -Dfuzzing=disabled &&
    suites asan "$build/asan" testlog.json --suite unit
}

stage_features_off ()
{
  variant off -Dauto_features=disabled && build_whole off &&
    suites off "$build/off" testlog.json --suite unit
}

stage_valgrind () { suites valgrind "$build" testlog-valgrind.json --setup valgrind --timeout-multiplier 20 --suite memory; }

stage_fuzz () { suites fuzz "$build/clang" testlog.json --suite fuzz; }

# One locale with a decimal comma, of our own, since few machines have one.
make_locale ()
{
  local folder=$build/locale
  if [ ! -d "$folder/de_DE.UTF-8" ]; then
    mkdir -p "$folder"
    logged locale localedef --no-archive -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" || return 0
  fi
  export LOCPATH=$folder
}

run_tests ()
{
  local begin=$SECONDS
  install_packages test || say "Going on with what is here."
  # shellcheck source=tests/dev/npm.sh
  . "$root/tests/dev/npm.sh"
  install_npm
  make_locale

  stage 'gcc, all suites' stage_gcc
  stage 'clang, warnings are errors' stage_clang
  stage 'address and undefined-behaviour sanitizers' stage_sanitizers
  stage 'optional features off' stage_features_off
  stage 'valgrind: json, json-rpc, transport' stage_valgrind
  stage 'fuzzing, 200,000 inputs a target' stage_fuzz

  say ""
  printf '%s\n' "${table[@]}" >&2
  say "All in $(((SECONDS - begin) / 60)) min $(((SECONDS - begin) % 60)) s; logs in ${build#"$PWD"/}/logs."
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}
