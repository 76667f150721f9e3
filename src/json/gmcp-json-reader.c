/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-json-scan-private.h"

/* Messages of the usual size are read without a heap scratch. */
#define STACK_CELLS 512u

#define NO_PARENT   G_MAXUINT32

/* While a container is open, its cell's next is its parent and its length the number of children
 * so far: the tape is the stack too. */
typedef struct
{
  const guint8 *start;
  const guint8 *end;
  GmcpJsonCell *cells;
  guint32 n_cells;
  guint32 capacity;
  gboolean on_heap;
  guint32 parent;
  gboolean in_object;
  guint depth;
  guint max_depth;
  const guint8 *where;
  const char *problem;
  gboolean limit_exceeded;
} Reader;

static const guint8 *
fail_at (Reader *reader, const guint8 *where, const char *problem)
{
  reader->where = where;
  reader->problem = problem;
  return NULL;
}

static const guint8 *
fail_limit (Reader *reader, const guint8 *where, const char *problem)
{
  reader->limit_exceeded = TRUE;
  return fail_at (reader, where, problem);
}

static inline gboolean
is_space (guint8 c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Something stands where it cannot. Names what a person who writes JSON by hand most often has there. */
static const guint8 *
fail_token (Reader *reader, const guint8 *where, const char *problem)
{
  const guint8 *before = where;

  while (before > reader->start && is_space (before[-1]))
    before--;

  if (*where == '/' || *where == '#')
    problem = N_ ("a comment, which JSON does not have");
  else if (*where == '\'')
    problem = N_ ("a single quote; JSON has double quotes only");
  else if ((*where == '}' || *where == ']') && before > reader->start && before[-1] == ',')
    problem = N_ ("a closing bracket after a comma");
  else if (where - reader->start <= 1 && (*where == '\0' || *where >= 0xfe))
    problem = N_ ("text in UTF-16; JSON is written in UTF-8");
  return fail_at (reader, where, problem);
}

static gboolean
grow_cells (Reader *reader)
{
  guint32 capacity = reader->capacity * 4;

  if (reader->n_cells >= GMCP_LIMIT_JSON_VALUES)
    return FALSE;

  if (reader->on_heap)
    {
      reader->cells = g_renew (GmcpJsonCell, reader->cells, capacity);
    }
  else
    {
      GmcpJsonCell *cells = g_new (GmcpJsonCell, capacity);

      memcpy (cells, reader->cells, reader->n_cells * sizeof *cells);
      reader->cells = cells;
      reader->on_heap = TRUE;
    }
  reader->capacity = capacity;
  return TRUE;
}

static inline gboolean
push_cell (Reader *reader, const guint8 *first, const guint8 *after, guint32 next, guint32 info)
{
  GmcpJsonCell *cell;

  if (G_UNLIKELY (reader->n_cells == reader->capacity) && !grow_cells (reader))
    {
      fail_limit (reader, first, N_ ("it holds too many values"));
      return FALSE;
    }

  cell = &reader->cells[reader->n_cells++];
  cell->offset = (guint32) (first - reader->start);
  cell->length = (guint32) (after - first);
  cell->next = next;
  cell->info = info;
  return TRUE;
}

static inline const guint8 *
push_scalar (Reader *reader, const guint8 *first, const guint8 *after, guint32 info)
{
  return push_cell (reader, first, after, reader->n_cells + 1, info) ? after : NULL;
}

static inline const guint8 *
skip_space (const guint8 *p, const guint8 *end)
{
  while (p < end && *p <= ' ' && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
    p++;
  return p;
}

static const guint8 *
fail_at_end (Reader *reader)
{
  return fail_at (reader, reader->end,
                  skip_space (reader->start, reader->end) == reader->end
                    ? N_ ("there is nothing in it")
                    : N_ ("the text ends too early"));
}

/* A string that is not plain ASCII all through. */
static const guint8 *
read_odd_string (Reader *reader, const guint8 *p)
{
  const guint8 *stop;
  gboolean escaped;

  gmcp_json_scan_string (p + 1, reader->end, gmcp_json_skip_plain, &escaped, &stop);
  if (G_UNLIKELY (stop == reader->end))
    return fail_at_end (reader);
  if (G_UNLIKELY (*stop != '"'))
    return fail_at (reader, stop,
                    *stop == '\\'   ? N_ ("an escape that JSON does not have")
                    : *stop >= 0x80 ? N_ ("text that is not UTF-8")
                                    : N_ ("a control character inside a string"));
  return push_scalar (reader, p, stop + 1, GMCP_JSON_STRING | (escaped ? 0 : GMCP_JSON_CELL_PLAIN));
}

G_ALWAYS_INLINE static inline const guint8 *
read_string (Reader *reader, const guint8 *p)
{
  const guint8 *stop = gmcp_json_skip_plain (p + 1, reader->end);

  if (G_LIKELY (stop < reader->end && *stop == '"'))
    return push_scalar (reader, p, stop + 1, GMCP_JSON_STRING | GMCP_JSON_CELL_PLAIN);
  return read_odd_string (reader, p);
}

static inline const guint8 *
skip_digits (const guint8 *p, const guint8 *end)
{
  while (p < end && (guint8) (*p - '0') < 10)
    p++;
  return p;
}

static inline const guint8 *
read_number (Reader *reader, const guint8 *first)
{
  const guint8 *p = first + (*first == '-');
  const guint8 *digits = p;
  guint32 info = GMCP_JSON_NUMBER | GMCP_JSON_CELL_PLAIN;

  p = skip_digits (p, reader->end);
  if (p == digits || (*digits == '0' && p > digits + 1))
    return fail_at (reader, digits, N_ ("a malformed number"));

  if (p < reader->end && *p == '.')
    {
      digits = ++p;
      p = skip_digits (p, reader->end);
      if (p == digits)
        return fail_at (reader, p, N_ ("a malformed number"));
      info = GMCP_JSON_NUMBER;
    }
  if (p < reader->end && (*p | 0x20) == 'e')
    {
      p++;
      if (p < reader->end && (*p == '+' || *p == '-'))
        p++;
      digits = p;
      p = skip_digits (p, reader->end);
      if (p == digits)
        return fail_at (reader, p, N_ ("a malformed number"));
      info = GMCP_JSON_NUMBER;
    }
  return push_scalar (reader, first, p, info);
}

static const guint8 *
read_word (Reader *reader, const guint8 *p)
{
  static const struct
  {
    const char *word;
    gsize length;
    GmcpJsonKind kind;
  } words[] = {
    { "true", 4, GMCP_JSON_TRUE },
    { "false", 5, GMCP_JSON_FALSE },
    { "null", 4, GMCP_JSON_NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((gsize) (reader->end - p) >= words[i].length
        && memcmp (p, words[i].word, words[i].length) == 0)
      return push_scalar (reader, p, p + words[i].length, words[i].kind);
  return fail_token (reader, p, N_ ("something that is no JSON value"));
}

static inline const guint8 *
read_scalar (Reader *reader, const guint8 *p)
{
  if (*p == '"')
    return read_string (reader, p);
  if (*p == '-' || (guint8) (*p - '0') < 10)
    return read_number (reader, p);
  return read_word (reader, p);
}

/* A member's name and colon; gives where its value should start. */
G_ALWAYS_INLINE static inline const guint8 *
read_name (Reader *reader, const guint8 *p)
{
  p = skip_space (p, reader->end);
  if (p == reader->end)
    return fail_at_end (reader);
  if (*p != '"')
    return fail_token (reader, p, N_ ("a member name was expected"));
  p = read_string (reader, p);
  if (p == NULL)
    return NULL;

  p = skip_space (p, reader->end);
  if (p == reader->end)
    return fail_at_end (reader);
  if (*p != ':')
    return fail_at (reader, p, N_ ("a colon was expected"));
  return p + 1;
}

static inline const guint8 *
open_container (Reader *reader, const guint8 *p)
{
  gboolean object = *p == '{';
  guint32 index = reader->n_cells;

  if (reader->depth == reader->max_depth)
    return fail_limit (reader, p, N_ ("it is nested too deeply"));
  if (!push_cell (reader, p, p, reader->parent, object ? GMCP_JSON_OBJECT : GMCP_JSON_ARRAY))
    return NULL;

  reader->depth++;
  reader->parent = index;
  reader->in_object = object;
  return p + 1;
}

static inline const guint8 *
close_container (Reader *reader, const guint8 *p)
{
  GmcpJsonCell *cell = &reader->cells[reader->parent];
  guint32 parent = cell->next;

  cell->info |= cell->length << GMCP_JSON_CELL_COUNT_SHIFT;
  cell->length = (guint32) (p + 1 - reader->start) - cell->offset;
  cell->next = reader->n_cells;

  reader->depth--;
  reader->parent = parent;
  reader->in_object
    = parent != NO_PARENT && gmcp_json_cell_kind (&reader->cells[parent]) == GMCP_JSON_OBJECT;
  return p + 1;
}

/* After a value: closes what ends here and gives where the next value should start, or the end of
 * the text when the root has ended. */
static inline const guint8 *
read_after_value (Reader *reader, const guint8 *p)
{
  for (;;)
    {
      p = skip_space (p, reader->end);
      if (reader->parent == NO_PARENT)
        return p == reader->end ? p : fail_token (reader, p, N_ ("something follows the value"));
      if (p == reader->end)
        return fail_at_end (reader);

      reader->cells[reader->parent].length++;
      if (*p == ',')
        return reader->in_object ? read_name (reader, p + 1) : p + 1;
      if (*p != (reader->in_object ? '}' : ']'))
        return fail_token (reader, p, N_ ("a comma or a closing bracket was expected"));
      p = close_container (reader, p);
    }
}

/* After an opening bracket: like read_after_value(), or NULL without a problem where a first value
 * should start at *first. */
static inline const guint8 *
read_after_open (Reader *reader, const guint8 *p, const guint8 **first)
{
  *first = NULL;
  p = skip_space (p, reader->end);
  if (p == reader->end)
    return fail_at_end (reader);
  if (*p == (reader->in_object ? '}' : ']'))
    return close_container (reader, p);
  *first = reader->in_object ? read_name (reader, p) : p;
  return NULL;
}

static gboolean
read_text (Reader *reader)
{
  const guint8 *p = reader->start;

  do
    {
      p = skip_space (p, reader->end);
      if (p == reader->end)
        return fail_at_end (reader) != NULL;

      if (*p == '{' || *p == '[')
        {
          const guint8 *first = NULL;

          p = open_container (reader, p);
          if (p != NULL)
            p = read_after_open (reader, p, &first);
          if (first != NULL)
            {
              p = first;
              continue;
            }
        }
      else
        {
          p = read_scalar (reader, p);
        }
      if (p != NULL)
        p = read_after_value (reader, p);
    }
  while (p != NULL && (reader->parent != NO_PARENT || p != reader->end));
  return p != NULL;
}

/* A message is one line, and a byte is looked for; a file has lines. */
static char *
describe_place (const Reader *reader)
{
  guint line = 1;
  guint column = 1;

  for (const guint8 *p = reader->start; p < reader->where; p++)
    {
      if (*p == '\n')
        {
          line++;
          column = 1;
        }
      else if ((*p & 0xc0) != 0x80)
        {
          column++;
        }
    }

  if (line == 1)
    return g_strdup_printf (_ ("byte %u"), (guint) (reader->where - reader->start));
  return g_strdup_printf (_ ("line %u, column %u"), line, column);
}

static void
set_error (const Reader *reader, GError **error)
{
  g_autofree char *place = NULL;

  if (error == NULL)
    return;

  place = describe_place (reader);
  if (reader->limit_exceeded)
    /* Translators: the first is “byte 7” or “line 3, column 7”. */
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("The JSON text exceeds a limit at %s: %s"), place, _ (reader->problem));
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON, _ ("Invalid JSON at %s: %s"), place,
                 _ (reader->problem));
}

GmcpJsonDoc *
gmcp_json_doc_parse (const char *data, gsize length, GBytes *owner, guint max_depth, GError **error)
{
  return gmcp_json_doc_parse_at (data, length, owner, max_depth, NULL, error);
}

GmcpJsonDoc *
gmcp_json_doc_parse_at (const char *data,
                        gsize length,
                        GBytes *owner,
                        guint max_depth,
                        gsize *error_offset,
                        GError **error)
{
  GmcpJsonCell stack_cells[STACK_CELLS];
  Reader reader = {
    .cells = stack_cells,
    .capacity = STACK_CELLS,
    .parent = NO_PARENT,
    .max_depth = max_depth == 0 ? GMCP_LIMIT_JSON_DEPTH : MIN (max_depth, GMCP_JSON_DEPTH_CEILING),
  };

  g_return_val_if_fail (data != NULL || length == 0, NULL);

  reader.start = (const guint8 *) (length > 0 ? data : "");
  reader.end = reader.start + length;

  /* Offsets and the count of cells are 32 bits wide. */
  if (length >= G_MAXUINT32 / 2)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("The JSON text is 2 GiB long or longer"));
      return NULL;
    }

  if (!read_text (&reader))
    {
      set_error (&reader, error);
      if (error_offset != NULL)
        *error_offset = reader.where - reader.start;
      if (reader.on_heap)
        g_free (reader.cells);
      return NULL;
    }
  return gmcp_json_doc_new (reader.cells, reader.n_cells, reader.on_heap, data, length, owner);
}
