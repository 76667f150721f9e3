/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-regex-program-private.h"
#include "gmcp-limits.h"

#define UNSET          G_MAXSIZE
#define INLINE_ENTRIES 32
#define INLINE_SLOTS   16

/* A character in a loop costs less than an instruction. */
#define CHARS_A_STEP 4

typedef enum
{
  ENTRY_CHOICE, /* go on at pc and pos */
  ENTRY_SLOT,   /* slot pc held pos before */
  ENTRY_GREEDY, /* the loop at pc reached pos and may give back as far as extra */
  ENTRY_LAZY,   /* the loop at pc reached pos after extra turns and may take more */
} EntryKind;

typedef struct
{
  guint32 kind;
  guint32 pc;
  gsize pos;
  gsize extra;
} Entry;

typedef struct
{
  const GmcpSchemaRegex *regex;
  const GmcpSchemaInstruction *program;
  const char *text;
  gsize length;
  guint64 *steps;
  gboolean out_of_steps;
  guint32 pc;
  gsize pos;
  gsize *slots;
  Entry *entries;
  gsize n_entries;
  gsize n_allocated;
  Entry inline_entries[INLINE_ENTRIES];
  gsize inline_slots[INLINE_SLOTS];
} Machine;

static gboolean run_program (Machine *m);

static gboolean
spend_steps (Machine *m, gsize steps)
{
  if (G_UNLIKELY (*m->steps < steps))
    {
      *m->steps = 0;
      m->out_of_steps = TRUE;
      return FALSE;
    }

  *m->steps -= steps;
  return TRUE;
}

static void
grow_entries (Machine *m)
{
  gsize n = m->n_allocated * 2;

  if (m->entries == m->inline_entries)
    {
      m->entries = g_new (Entry, n);
      memcpy (m->entries, m->inline_entries, sizeof m->inline_entries);
    }
  else
    m->entries = g_renew (Entry, m->entries, n);
  m->n_allocated = n;
}

static gboolean
push_entry (Machine *m, EntryKind kind, guint32 pc, gsize pos, gsize extra)
{
  if (m->n_entries == m->n_allocated)
    {
      if (m->n_entries >= GMCP_LIMIT_PATTERN_BACKTRACKS)
        {
          m->out_of_steps = TRUE;
          return FALSE;
        }
      grow_entries (m);
    }

  m->entries[m->n_entries++] = (Entry){ kind, pc, pos, extra };
  return TRUE;
}

static gboolean
set_slot (Machine *m, guint32 slot, gsize pos)
{
  if (m->slots[slot] == pos)
    return TRUE;
  if (!push_entry (m, ENTRY_SLOT, slot, m->slots[slot], 0))
    return FALSE;

  m->slots[slot] = pos;
  return TRUE;
}

static gboolean
char_matches (Machine *m, const GmcpSchemaInstruction *in, gunichar c)
{
  const GmcpSchemaClass *class;

  if (in->op == GMCP_SCHEMA_OP_CHAR)
    return c == in->a;
  if (in->op == GMCP_SCHEMA_OP_ANY)
    return c != '\n' && c != '\r' && c != 0x2028 && c != 0x2029;

  class = m->regex->classes->pdata[in->a];
  return (c < 0x80 || spend_steps (m, class->items->len / CHARS_A_STEP))
         && gmcp_schema_class_has (class, c);
}

/* Takes one character before or after *pos. */
static gboolean
take_char (Machine *m, const GmcpSchemaInstruction *in, gsize *pos)
{
  const char *p = m->text + *pos;
  const char *next;

  if (in->flags & GMCP_SCHEMA_OP_BACKWARD)
    {
      if (*pos == 0)
        return FALSE;
      next = p = g_utf8_prev_char (p);
    }
  else
    {
      if (*pos == m->length)
        return FALSE;
      next = g_utf8_next_char (p);
    }

  if (!char_matches (m, in, (guchar) *p < 0x80 ? (guchar) *p : g_utf8_get_char (p)))
    return FALSE;

  *pos = next - m->text;
  return TRUE;
}

static gboolean
op_one_char (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  return take_char (m, in, &m->pos);
}

static gboolean
op_repeat (Machine *m, const GmcpSchemaInstruction *in)
{
  guint32 most = in->flags & GMCP_SCHEMA_OP_LAZY ? in->a : in->b;
  guint32 pc = m->pc;
  gsize limit = m->pos;
  guint32 n = 0;

  while (n < most && take_char (m, in + 1, &m->pos))
    if (++n == in->a)
      limit = m->pos;
  if (!spend_steps (m, n / CHARS_A_STEP) || m->out_of_steps || n < in->a)
    return FALSE;

  m->pc += 2;
  if (in->flags & GMCP_SCHEMA_OP_LAZY)
    return n == in->b || push_entry (m, ENTRY_LAZY, pc, m->pos, n);
  return m->pos == limit || push_entry (m, ENTRY_GREEDY, pc, m->pos, limit);
}

static gboolean
op_split (Machine *m, const GmcpSchemaInstruction *in)
{
  gboolean lazy = (in->flags & GMCP_SCHEMA_OP_LAZY) != 0;

  m->pc = lazy ? in->b : in->a;
  return push_entry (m, ENTRY_CHOICE, lazy ? in->a : in->b, m->pos, 0);
}

static gboolean
op_jump (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc = in->a;
  return TRUE;
}

static gboolean
op_save (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  return set_slot (m, in->a, m->pos);
}

static gboolean
op_progress (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  return m->slots[in->a] != m->pos;
}

static gboolean
op_reset (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  if (!spend_steps (m, in->b - in->a))
    return FALSE;
  for (guint32 slot = in->a; slot < in->b; slot++)
    if (!set_slot (m, slot, UNSET))
      return FALSE;

  return TRUE;
}

static gboolean
op_reference (Machine *m, const GmcpSchemaInstruction *in)
{
  gsize start = m->slots[2 * in->a], end = m->slots[2 * in->a + 1];
  gsize length = end - start;

  m->pc++;
  if (start == UNSET || end == UNSET)
    return TRUE;
  if (!spend_steps (m, length / CHARS_A_STEP))
    return FALSE;

  if (in->flags & GMCP_SCHEMA_OP_BACKWARD)
    {
      if (m->pos < length || memcmp (m->text + m->pos - length, m->text + start, length) != 0)
        return FALSE;
      m->pos -= length;
      return TRUE;
    }

  if (m->length - m->pos < length || memcmp (m->text + m->pos, m->text + start, length) != 0)
    return FALSE;
  m->pos += length;
  return TRUE;
}

/* What was found inside stays, but is not tried another way: choices go, slots can be restored. */
static void
drop_choices (Machine *m, gsize base)
{
  gsize kept = base;

  for (gsize i = base; i < m->n_entries; i++)
    if (m->entries[i].kind == ENTRY_SLOT)
      m->entries[kept++] = m->entries[i];
  m->n_entries = kept;
}

static void
undo_entries (Machine *m, gsize base)
{
  while (m->n_entries > base)
    {
      Entry *entry = &m->entries[--m->n_entries];

      if (entry->kind == ENTRY_SLOT)
        m->slots[entry->pc] = entry->pos;
    }
}

static gboolean
op_look (Machine *m, const GmcpSchemaInstruction *in)
{
  gsize base = m->n_entries;
  gsize pos = m->pos;
  gboolean found;

  m->pc++;
  found = run_program (m);
  if (m->out_of_steps)
    return FALSE;
  if (in->flags & GMCP_SCHEMA_OP_NEGATE)
    undo_entries (m, base);
  else
    drop_choices (m, base);

  m->pc = in->a;
  m->pos = pos;
  return found != ((in->flags & GMCP_SCHEMA_OP_NEGATE) != 0);
}

static gboolean
op_start (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  return m->pos == 0;
}

static gboolean
op_end (Machine *m, const GmcpSchemaInstruction *in)
{
  m->pc++;
  return m->pos == m->length;
}

static gboolean
is_word_at (Machine *m, gsize pos)
{
  return pos < m->length && (g_ascii_isalnum (m->text[pos]) || m->text[pos] == '_');
}

static gboolean
op_boundary (Machine *m, const GmcpSchemaInstruction *in)
{
  gboolean before = m->pos > 0 && is_word_at (m, m->pos - 1);

  m->pc++;
  return (before != is_word_at (m, m->pos)) != ((in->flags & GMCP_SCHEMA_OP_NEGATE) != 0);
}

static gboolean (*const operations[]) (Machine *m, const GmcpSchemaInstruction *in) = {
  [GMCP_SCHEMA_OP_CHAR] = op_one_char,  [GMCP_SCHEMA_OP_ANY] = op_one_char,
  [GMCP_SCHEMA_OP_CLASS] = op_one_char, [GMCP_SCHEMA_OP_REPEAT] = op_repeat,
  [GMCP_SCHEMA_OP_SPLIT] = op_split,    [GMCP_SCHEMA_OP_JUMP] = op_jump,
  [GMCP_SCHEMA_OP_SAVE] = op_save,      [GMCP_SCHEMA_OP_PROGRESS] = op_progress,
  [GMCP_SCHEMA_OP_RESET] = op_reset,    [GMCP_SCHEMA_OP_REFERENCE] = op_reference,
  [GMCP_SCHEMA_OP_LOOK] = op_look,      [GMCP_SCHEMA_OP_START] = op_start,
  [GMCP_SCHEMA_OP_END] = op_end,        [GMCP_SCHEMA_OP_BOUNDARY] = op_boundary,
};

static void
give_back_char (Machine *m, const Entry *entry)
{
  const char *p = m->text + entry->pos;
  gboolean backward = (m->program[entry->pc].flags & GMCP_SCHEMA_OP_BACKWARD) != 0;

  p = backward ? g_utf8_next_char (p) : g_utf8_prev_char (p);
  m->pos = p - m->text;
}

/* Goes back to the newest choice above base. */
static gboolean
backtrack_to_choice (Machine *m, gsize base)
{
  while (m->n_entries > base)
    {
      Entry entry = m->entries[--m->n_entries];
      const GmcpSchemaInstruction *in;

      switch ((EntryKind) entry.kind)
        {
        case ENTRY_SLOT:
          m->slots[entry.pc] = entry.pos;
          break;

        case ENTRY_CHOICE:
          m->pc = entry.pc;
          m->pos = entry.pos;
          return TRUE;

        case ENTRY_GREEDY:
          give_back_char (m, &entry);
          m->pc = entry.pc + 2;
          return m->pos == entry.extra
                 || push_entry (m, ENTRY_GREEDY, entry.pc, m->pos, entry.extra);

        case ENTRY_LAZY:
          in = &m->program[entry.pc];
          m->pos = entry.pos;
          if (!take_char (m, in + 1, &m->pos))
            break;
          m->pc = entry.pc + 2;
          return entry.extra + 1 == in->b
                 || push_entry (m, ENTRY_LAZY, entry.pc, m->pos, entry.extra + 1);
        }
    }

  return FALSE;
}

static gboolean
run_program (Machine *m)
{
  gsize base = m->n_entries;

  while (spend_steps (m, 1))
    {
      const GmcpSchemaInstruction *in = &m->program[m->pc];

      if (in->op == GMCP_SCHEMA_OP_MATCH)
        return TRUE;
      if (!operations[in->op](m, in) && (m->out_of_steps || !backtrack_to_choice (m, base)))
        return FALSE;
    }

  return FALSE;
}

static gboolean
search_text (Machine *m)
{
  for (gsize start = 0;; start = g_utf8_next_char (m->text + start) - m->text)
    {
      m->pc = 0;
      m->pos = start;
      if (run_program (m))
        return TRUE;
      if (m->out_of_steps || m->regex->anchored || start == m->length)
        return FALSE;
    }
}

GmcpSchemaRegexResult
gmcp_schema_regex_match (const GmcpSchemaRegex *self,
                         const char *text,
                         gsize length,
                         guint64 *steps)
{
  Machine m;
  gboolean found;

  m.regex = self;
  m.program = &g_array_index (self->program, GmcpSchemaInstruction, 0);
  m.text = text;
  m.length = length;
  m.steps = steps;
  m.out_of_steps = FALSE;
  m.entries = m.inline_entries;
  m.n_entries = 0;
  m.n_allocated = INLINE_ENTRIES;
  m.slots = self->n_slots > INLINE_SLOTS ? g_new (gsize, self->n_slots) : m.inline_slots;
  for (guint i = 0; i < self->n_slots; i++)
    m.slots[i] = UNSET;

  found = search_text (&m);

  if (m.entries != m.inline_entries)
    g_free (m.entries);
  if (m.slots != m.inline_slots)
    g_free (m.slots);

  if (found)
    return GMCP_SCHEMA_REGEX_MATCH;
  return m.out_of_steps ? GMCP_SCHEMA_REGEX_OUT_OF_STEPS : GMCP_SCHEMA_REGEX_NO_MATCH;
}
