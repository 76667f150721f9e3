/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"

static void
clear_member (gpointer data)
{
  GmcpJsonMember *member = data;

  g_free (member->to_free);
}

static int
compare_names (const GmcpJsonMember *a, const GmcpJsonMember *b)
{
  int order = memcmp (a->name, b->name, MIN (a->name_length, b->name_length));

  if (order != 0)
    return order;
  return (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const GmcpJsonMember *member_a = a;
  const GmcpJsonMember *member_b = b;
  int order = compare_names (member_a, member_b);

  if (order != 0)
    return order;
  return (member_a->position > member_b->position) - (member_a->position < member_b->position);
}

/* Of each run of equal names, keeps the first place and the last value. */
static void
drop_doubled (GArray *members)
{
  guint kept = 0;

  for (guint i = 1; i < members->len; i++)
    {
      GmcpJsonMember *last = &g_array_index (members, GmcpJsonMember, kept);
      GmcpJsonMember *member = &g_array_index (members, GmcpJsonMember, i);

      if (compare_names (last, member) == 0)
        {
          last->value = member->value;
          g_clear_pointer (&member->to_free, g_free);
          continue;
        }
      kept++;
      if (kept != i)
        {
          g_array_index (members, GmcpJsonMember, kept) = *member;
          member->to_free = NULL;
        }
    }
  if (members->len > 0)
    g_array_set_size (members, kept + 1);
}

GArray *
gmcp_json_value_list_members (GmcpJsonValue object)
{
  GArray *members = g_array_sized_new (FALSE, FALSE, sizeof (GmcpJsonMember),
                                       gmcp_json_value_get_length (object));
  GmcpJsonMember member = { 0 };
  GmcpJsonIter iter;
  GmcpJsonValue name;

  g_array_set_clear_func (members, clear_member);
  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &name, &member.value))
    {
      member.name = gmcp_json_value_view_string (name, &member.name_length, &member.to_free);
      g_array_append_val (members, member);
      member.position++;
    }
  g_array_sort (members, compare_members);
  drop_doubled (members);
  return members;
}
