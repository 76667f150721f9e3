/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-table.h"

#include <unistd.h>

#include "cli-text.h"

/* What the text gets at least, however long the names are. */
#define MIN_TEXT_COLUMNS 20

struct _CliTable
{
  GPtrArray *names;
  GPtrArray *texts;
};

CliTable *
cli_table_new (void)
{
  CliTable *self = g_new0 (CliTable, 1);

  self->names = g_ptr_array_new_with_free_func (g_free);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
cli_table_free (CliTable *self)
{
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

void
cli_table_add (CliTable *self, const char *name, const char *text)
{
  g_ptr_array_add (self->names, cli_text_plain (name, G_MAXUINT / 2));
  g_ptr_array_add (self->texts, g_strdup (text != NULL ? text : ""));
}

void
cli_table_print (CliTable *self)
{
  gboolean terminal = isatty (STDOUT_FILENO);
  guint width = terminal ? cli_text_width (STDOUT_FILENO) : G_MAXUINT / 2;
  guint name_columns = 0;

  for (guint i = 0; i < self->names->len; i++)
    name_columns = MAX (name_columns, cli_text_columns (self->names->pdata[i]));

  for (guint i = 0; i < self->names->len; i++)
    {
      const char *name = self->names->pdata[i];
      guint used = cli_text_columns (name);
      guint left = MAX (width - MIN (width, name_columns + 2), MIN_TEXT_COLUMNS);
      g_autofree char *plain = cli_text_plain (self->texts->pdata[i], left);

      if (*plain == '\0')
        g_print ("%s\n", name);
      else
        g_print ("%s%*s%s\n", name, (int) (name_columns - used) + 2, "", plain);
    }
}

JsonNode *
cli_json_describe (const char *text, const char *first_name, ...)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (JsonObject) object = json_object_new ();
  JsonObjectIter iter;
  const char *member;
  JsonNode *value;
  va_list members;

  va_start (members, first_name);
  for (member = first_name; member != NULL; member = va_arg (members, const char *))
    {
      const char *own = va_arg (members, const char *);

      if (own != NULL)
        json_object_set_string_member (object, member, own);
    }
  va_end (members);

  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &member, &value))
    {
      if (!json_object_has_member (object, member))
        json_object_set_member (object, member, json_node_copy (value));
    }
  return json_node_init_object (json_node_alloc (), object);
}

void
cli_json_print_array (JsonArray *array)
{
  g_autoptr (JsonArray) owned = array;
  g_autoptr (JsonNode) root = json_node_init_array (json_node_alloc (), owned);
  g_autofree char *text = json_to_string (root, TRUE);

  cli_text_print_json (text);
}
