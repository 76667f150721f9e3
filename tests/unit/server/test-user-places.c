/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-user-places-private.h"
#include "unit-test.h"

static void
take (GmcpUserPlaces *places, const char *user, guint n_places)
{
  for (guint i = 0; i < n_places; i++)
    gmcp_user_places_take (places, user);
}

static void
assert_giver (GmcpUserPlaces *places, const char *user, const char *holder, gboolean gives_used)
{
  GmcpPlaceGiver giver = gmcp_user_places_find_giver (places, user);

  g_assert_true (gmcp_user_places_is_giver (places, &giver, holder, user));
  g_assert_cmpint (giver.gives_used, ==, gives_used);
}

static void
assert_no_giver (GmcpUserPlaces *places, const char *user, const char *holder)
{
  GmcpPlaceGiver giver = gmcp_user_places_find_giver (places, user);

  g_assert_false (gmcp_user_places_is_giver (places, &giver, holder, user));
}

/* Who has taken nearly all places gives them up, one by one, until all have as many. */
static void
test_greedy (void)
{
  g_autoptr (GmcpUserPlaces) places = gmcp_user_places_new ();

  take (places, "ann", 9);
  take (places, "ben", 1);
  while (gmcp_user_places_find_giver (places, "ben").gives_used)
    {
      assert_giver (places, "ben", "ann", TRUE);
      assert_no_giver (places, "ben", "ben");
      gmcp_user_places_leave (places, "ann");
      gmcp_user_places_take (places, "ben");
    }
  /* Both have five now: each has only its own to give. */
  assert_giver (places, "ben", "ben", FALSE);
  assert_no_giver (places, "ben", "ann");
  assert_giver (places, "ann", "ann", FALSE);
  /* Somebody who is new gets one of either. */
  assert_giver (places, "cleo", "ann", TRUE);
  assert_giver (places, "cleo", "ben", TRUE);
}

/* One more is worth a place that nobody uses, and no other. */
static void
test_one_more (void)
{
  g_autoptr (GmcpUserPlaces) places = gmcp_user_places_new ();

  take (places, "ann", 2);
  take (places, "ben", 1);
  assert_giver (places, "ben", "ann", FALSE);
  assert_giver (places, "ann", "ann", FALSE);
  assert_no_giver (places, "ann", "ben");
}

/* Where nobody has a name, all are one. */
static void
test_unnamed (void)
{
  g_autoptr (GmcpUserPlaces) places = gmcp_user_places_new ();

  take (places, NULL, 3);
  assert_giver (places, NULL, NULL, FALSE);
  assert_giver (places, "ann", NULL, TRUE);
  assert_no_giver (places, NULL, "ann");
  gmcp_user_places_leave (places, NULL);
  take (places, "ann", 2);
  assert_giver (places, NULL, NULL, FALSE);
  assert_no_giver (places, NULL, "ann");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/server/user-places/greedy", test_greedy);
  g_test_add_func ("/server/user-places/one-more", test_one_more);
  g_test_add_func ("/server/user-places/unnamed", test_unnamed);
  return g_test_run ();
}
