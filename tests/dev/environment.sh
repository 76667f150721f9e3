# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# Sourced by dev: what a program needs to find all that is built in $build.

prepend () { local -n variable=$1; export "$1=$2${variable:+:$variable}"; }

# What `meson devenv` would set, without its start-up time.
enter_environment ()
{
  prepend PATH "$build/src/cli:$build/src/daemon:$build/src/tasks-server"
  prepend LD_LIBRARY_PATH "$build/src"
  prepend GI_TYPELIB_PATH "$build/src"
  prepend PYTHONPATH "$root/overrides"
  prepend GJS_PATH "$root/overrides/gjs"
  prepend PKG_CONFIG_PATH "$build/meson-uninstalled"
  export GSETTINGS_SCHEMA_DIR=$build/data
  export GMCP_MODULE_PATH=$build/plugin
  export GMCP_LIBEXEC_DIR=$build/src/transport/guard
  export GMCP_LOCALE_DIR=$build/po
  choose_language
}

# The C library translates nothing in the locale C, which it also takes where the one that is asked for is not
# generated: the language alone is then asked for, in a locale that is always there. Who says C gets that.
choose_language ()
{
  local asked=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} language
  case $asked in
    C | POSIX) return 0 ;;
    '') [ -n "${LANGUAGE:-}" ] || return 0 ;;
    *) [ -z "$(LC_ALL=$asked locale charmap 2>&1 >/dev/null)" ] && return 0 ;;
  esac
  language=${asked%%[.@]*}
  export LC_ALL=C.UTF-8 LANGUAGE=${LANGUAGE:-$language}
}
