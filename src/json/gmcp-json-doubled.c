/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-doc-private.h"

/* An object of so many members has each compared with each. */
#define FEW_MEMBERS 8u

typedef struct
{
  const char *text;
  gsize length;
} Name;

/* Gives FALSE where that cannot be said without undoing escapes. */
static gboolean
compare_few (GmcpJsonValue object, gboolean *doubled)
{
  Name names[FEW_MEMBERS];
  guint n_names = 0;
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      Name *name = &names[n_names];

      name->text = gmcp_json_value_peek_plain (key, &name->length);
      if (name->text == NULL)
        return FALSE;
      for (guint i = 0; i < n_names && !*doubled; i++)
        *doubled = names[i].length == name->length
                   && memcmp (names[i].text, name->text, name->length) == 0;
      n_names++;
    }
  return TRUE;
}

static gboolean
has_doubled (GmcpJsonValue object)
{
  guint n_members = gmcp_json_value_get_length (object);
  g_autoptr (GArray) members = NULL;
  gboolean doubled = FALSE;

  if (n_members < 2 || (n_members <= FEW_MEMBERS && compare_few (object, &doubled)))
    return doubled;

  members = gmcp_json_value_list_members (object);
  return members->len < n_members;
}

gboolean
gmcp_json_value_has_doubled_members (GmcpJsonValue value)
{
  guint32 end;

  if (value.doc == NULL)
    return FALSE;

  end = gmcp_json_value_cell (value)->next;
  for (; value.index < end; value.index++)
    if (gmcp_json_value_is_object (value) && has_doubled (value))
      return TRUE;
  return FALSE;
}

gboolean
gmcp_json_doc_has_doubled_members (GmcpJsonDoc *doc)
{
  return gmcp_json_value_has_doubled_members (gmcp_json_doc_get_root (doc));
}
