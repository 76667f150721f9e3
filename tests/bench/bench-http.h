/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The request that the clients of the benchmarks over HTTP send which are no MCP clients. */

#pragma once

#include "bench-report.h"

#include <stdint.h>

#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))

#define BENCH_HTTP_CALL                                                                            \
  "{\"jsonrpc\":\"2.0\",\"id\":100,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","       \
  "\"arguments\":{\"text\":\"" BENCH_TEXT "\"}}}"
#define BENCH_HTTP_MODERN_CALL                                                                     \
  "{\"jsonrpc\":\"2.0\",\"id\":100,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","       \
  "\"arguments\":{\"text\":\"" BENCH_TEXT "\"}," BENCH_META "}}"
#define BENCH_HTTP_ACCEPT "Accept: application/json, text/event-stream\r\n"
