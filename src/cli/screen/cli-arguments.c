/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-arguments.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>
#include <gmcp/protocol/gmcp-tool-result.h>
#include <string.h>
#include <unistd.h>

/* More than a server takes. It stops a file that has no end, such as a device. */
#define ARGUMENTS_BYTES_MAX (64 * 1024 * 1024)

static gboolean
fail_take (GError **error, char *message)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, message);
  g_free (message);
  return FALSE;
}

/* Gives 0, or what went wrong. */
static int
read_all (int fd, GString *text)
{
  while (text->len <= ARGUMENTS_BYTES_MAX)
    {
      char buffer[16384];
      gssize n = read (fd, buffer, sizeof buffer);

      if (n == 0)
        return 0;
      if (n > 0)
        g_string_append_len (text, buffer, n);
      else if (errno == EAGAIN)
        g_poll (&(GPollFD){ .fd = fd, .events = G_IO_IN }, 1, -1);
      else if (errno != EINTR)
        return errno;
    }
  return EFBIG;
}

/* Standard input may be a socket, which /dev/stdin cannot open, so it comes as a descriptor. */
static char *
read_descriptor (int fd, const char *name, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int problem = fd != -1 ? read_all (fd, text) : errno;

  if (problem != 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("the arguments could not be read from “%s”: %s"), name, g_strerror (problem));
      return NULL;
    }
  if (strlen (text->str) != text->len)
    {
      fail_take (error, g_strdup_printf (_ ("“%s” is no text"), name));
      return NULL;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
cli_arguments_read_file (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  char *text = read_descriptor (fd, path, error);

  if (fd != -1)
    close (fd);
  return text;
}

/* One value of JSON and no more, so that a word cannot bring members along. */
gboolean
cli_arguments_check_json (const char *word, const char *json, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GmcpToolResult) holder = gmcp_tool_result_new_structured (json, FALSE, &reason);

  if (holder != NULL)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("what follows “:=” in “%s” is not JSON: %s (for text, use “=”)"), word,
               reason->message);
  return FALSE;
}

char *
cli_arguments_quote (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return gmcp_json_print (node, NULL);
}

char *
cli_arguments_read_input (GError **error)
{
  return read_descriptor (STDIN_FILENO, _ ("standard input"), error);
}

char *
cli_arguments_read_whole (const char *word, GError **error)
{
  if (g_str_equal (word, "-"))
    return cli_arguments_read_input (error);
  if (word[0] == '@')
    return cli_arguments_read_file (word + 1, error);
  return g_strdup (word);
}

GHashTable *
cli_arguments_parse_strings (char *const *words, guint n_words, GError **error)
{
  g_autoptr (GHashTable) strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < n_words; i++)
    {
      const char *word = words[i];
      const char *equals = strchr (word, '=');
      char *problem = NULL;

      if (equals == NULL || equals == word)
        problem = g_strdup_printf (_ ("“%s” is not of the form key=text"), word);
      else if (!g_utf8_validate (word, -1, NULL))
        problem = g_strdup_printf (_ ("“%s” is not UTF-8"), word);
      else if (!g_hash_table_insert (strings, g_strndup (word, (gsize) (equals - word)),
                                     g_strdup (equals + 1)))
        problem = g_strdup_printf (_ ("“%.*s” is given twice"), (int) (equals - word), word);
      if (problem != NULL)
        {
          fail_take (error, problem);
          return NULL;
        }
    }
  return g_steal_pointer (&strings);
}
