/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gmcp.h>
#include <string.h>

#include "gmcp-backoff-private.h"
#include "gmcp-server-states-private.h"
#include "unit-test.h"

#define N_STATES (GMCP_SERVER_STATE_INSTALLING + 1)

static const char *const on_calls[] = { "is sent", "starts", "waits", "fails" };

/* The rows of the documentation's table whose second cell of the head is given, by their first cell. */
static GHashTable *
read_table (const char *second, GStrv *head)
{
  g_autofree char *path
    = g_test_build_filename (G_TEST_DIST, "..", "data", "docs", "states.md", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GHashTable *rows
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  gboolean inside = FALSE;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], "|", -1);

      for (gsize k = 0; cells[k] != NULL; k++)
        g_strstrip (cells[k]);
      if (*lines[i] != '|')
        inside = FALSE;
      else if (g_str_equal (cells[1], "state") && g_str_equal (cells[2], second))
        {
          inside = TRUE;
          *head = g_steal_pointer (&cells);
        }
      else if (inside && !g_str_equal (cells[1], "---"))
        {
          char *name = g_strdup (cells[1]);

          g_hash_table_insert (rows, name, g_steal_pointer (&cells));
        }
    }

  return rows;
}

static void
test_every_pair (void)
{
  g_auto (GStrv) head = NULL;
  g_autoptr (GHashTable) rows = read_table ("start", &head);

  g_test_summary ("each event in each state leads to where the documentation says");
  g_assert_cmpuint (g_hash_table_size (rows), ==, N_STATES);
  /* The state and the events, and what is left and right of the outer bars. */
  g_assert_cmpuint (g_strv_length (head), ==, GMCP_SERVER_N_EVENTS + 3);

  for (guint state = 0; state < N_STATES; state++)
    {
      char **cells = g_hash_table_lookup (rows, gmcp_server_state_get_nick (state));

      g_assert_nonnull (cells);
      for (guint event = 0; event < GMCP_SERVER_N_EVENTS; event++)
        {
          GmcpServerState next = state;
          gboolean possible = gmcp_server_state_next (state, event, &next);

          g_test_message ("%s, %s", gmcp_server_state_get_nick (state),
                          gmcp_server_event_get_nick (event));
          g_assert_cmpstr (head[event + 2], ==, gmcp_server_event_get_nick (event));
          g_assert_cmpstr (cells[event + 2], ==, possible ? gmcp_server_state_get_nick (next) : "");
        }
    }
}

static void
test_states (void)
{
  g_auto (GStrv) head = NULL;
  g_autoptr (GHashTable) rows = read_table ("what it is", &head);

  g_test_summary ("what each state means is what the documentation says");
  for (guint state = 0; state < N_STATES; state++)
    {
      char **cells = g_hash_table_lookup (rows, gmcp_server_state_get_nick (state));

      g_assert_nonnull (cells);
      g_test_message ("%s", cells[1]);
      g_assert_true (g_str_has_prefix (
        cells[3], gmcp_server_state_lists_tools (state) ? "listed" : "withdrawn"));
      g_assert_true (g_str_has_prefix (cells[4], on_calls[gmcp_server_state_on_call (state)]));
      g_assert_cmpstr (cells[5], ==, gmcp_server_state_get_health (state));
      g_assert_cmpstr (cells[6], ==, gmcp_server_state_get_connection (state));
      /* A call is sent only where there is a connection. */
      g_assert_true (gmcp_server_state_on_call (state) != GMCP_SERVER_ON_CALL_SEND
                     || gmcp_server_state_is_up (state));
    }
}

static void
test_ways (void)
{
  g_test_summary ("from each state the server can be stopped and disabled, and no state is a trap");
  for (guint state = 0; state < N_STATES; state++)
    {
      GmcpServerState next;

      g_assert_true (gmcp_server_state_next (state, GMCP_SERVER_EVENT_STOP, &next));
      g_assert_true (gmcp_server_state_next (state, GMCP_SERVER_EVENT_DISABLE, &next));
      g_assert_cmpint (next, ==, GMCP_SERVER_STATE_DISABLED);
      g_assert_true (gmcp_server_state_next (state, GMCP_SERVER_EVENT_CHANGE, &next));
      if (next == GMCP_SERVER_STATE_STOPPING)
        g_assert_true (gmcp_server_state_next (next, GMCP_SERVER_EVENT_GONE, &next));
      g_assert_cmpint (next, ==, GMCP_SERVER_STATE_STOPPED);
      g_assert_true (gmcp_server_state_next (next, GMCP_SERVER_EVENT_START, &next));
    }
}

static const GmcpBackoffLimits limits = {
  .first_delay_ms = 1000,
  .max_delay_ms = 60000,
  .jitter_percent = 20,
  .reset_ms = 60000,
  .max_attempts = 10,
  .max_per_hour = 20,
};

static void
test_delays (void)
{
  static const guint expected[]
    = { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000, 60000 };
  GmcpBackoff backoff = { 0 };
  gint64 now_us = 7;
  guint delay_ms;

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
      g_assert_cmpuint (delay_ms, ==, expected[i]);
    }
  g_assert_false (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  gmcp_backoff_clear (&backoff);

  for (guint i = 0; i <= 10; i++)
    {
      GmcpBackoff other = { 0 };

      g_assert_true (gmcp_backoff_next (&other, &limits, now_us, i / 10., &delay_ms));
      g_assert_cmpuint (delay_ms, >=, 800);
      g_assert_cmpuint (delay_ms, <=, 1200);
      g_assert_cmpuint (delay_ms, >=, 790 + 40 * i);
      gmcp_backoff_clear (&other);
    }
}

static void
test_reset (void)
{
  GmcpBackoff backoff = { 0 };
  gint64 now_us = 1;
  guint delay_ms;

  g_test_summary ("the count begins anew after it was well for long enough, and not before");
  g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  gmcp_backoff_well (&backoff, now_us);
  now_us += 59 * G_USEC_PER_SEC;
  gmcp_backoff_well (&backoff, now_us);
  g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 2000);
  gmcp_backoff_well (&backoff, now_us);
  now_us += 60 * G_USEC_PER_SEC;
  g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 1000);
  gmcp_backoff_reset (&backoff);
  g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  g_assert_cmpuint (delay_ms, ==, 1000);
  gmcp_backoff_clear (&backoff);
}

static void
test_per_hour (void)
{
  GmcpBackoff backoff = { 0 };
  gint64 now_us = 1;
  guint delay_ms;

  g_test_summary ("twenty an hour, however well it is in between");
  for (guint i = 0; i < 20; i++)
    {
      g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
      gmcp_backoff_reset (&backoff);
      now_us += 61 * G_USEC_PER_SEC;
    }
  g_assert_false (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  now_us = G_TIME_SPAN_HOUR + 1;
  g_assert_true (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  g_assert_false (gmcp_backoff_next (&backoff, &limits, now_us, 0.5, &delay_ms));
  gmcp_backoff_clear (&backoff);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/server-states/every-pair", test_every_pair);
  g_test_add_func ("/server-states/meaning", test_states);
  g_test_add_func ("/server-states/ways", test_ways);
  g_test_add_func ("/backoff/delays", test_delays);
  g_test_add_func ("/backoff/reset", test_reset);
  g_test_add_func ("/backoff/per-hour", test_per_hour);
  return g_test_run ();
}
