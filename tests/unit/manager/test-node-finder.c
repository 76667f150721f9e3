/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-node-finder-private.h"
#include "unit-test.h"

/* What is missing for many servers at once is told of once. */

static GmcpServerConfig *
make_config (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *config = gmcp_server_config_new_from_json ("one", json, &error);

  g_assert_no_error (error);
  return config;
}

static void
test_shared (void)
{
  g_autoptr (GmcpNodeFinder) finder = gmcp_node_finder_new ();
  g_autoptr (GmcpServerConfig) node = make_config ("{\"command\":\"node\"}");
  g_autoptr (GmcpServerConfig) other = make_config ("{\"command\":\"python3\"}");

  g_assert_null (gmcp_node_finder_get_searched (finder));
  g_assert_true (gmcp_node_finder_miss (finder, node, "/a:/b"));
  g_assert_cmpstr (gmcp_node_finder_get_searched (finder), ==, "/a:/b");
  g_assert_false (gmcp_node_finder_miss (finder, node, "/c"));
  g_assert_cmpstr (gmcp_node_finder_get_searched (finder), ==, "/c");

  /* A server that does not need it says nothing of it. */
  gmcp_node_finder_find (finder, other);
  g_assert_cmpstr (gmcp_node_finder_get_searched (finder), ==, "/c");
  gmcp_node_finder_find (finder, node);
  g_assert_null (gmcp_node_finder_get_searched (finder));
  g_assert_true (gmcp_node_finder_miss (finder, node, "/d"));

  gmcp_node_finder_forget (finder);
  g_assert_null (gmcp_node_finder_get_searched (finder));
  g_assert_false (gmcp_node_finder_miss (finder, node, "/d"));
}

static void
test_own_path (void)
{
  g_autoptr (GmcpNodeFinder) finder = gmcp_node_finder_new ();
  g_autoptr (GmcpServerConfig) node
    = make_config ("{\"command\":\"node\",\"env\":{\"PATH\":\"/own\"}}");

  g_test_summary ("where a server with a PATH of its own looks is nothing for others");
  g_assert_true (gmcp_node_finder_miss (finder, node, "/own"));
  g_assert_null (gmcp_node_finder_get_searched (finder));
  gmcp_node_finder_find (finder, node);
  g_assert_false (gmcp_node_finder_miss (finder, node, "/own"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/node-finder/shared", test_shared);
  g_test_add_func ("/manager/node-finder/own-path", test_own_path);
  return g_test_run ();
}
