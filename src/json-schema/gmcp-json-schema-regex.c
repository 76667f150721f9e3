/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-program-private.h"
#include "gmcp-limits.h"

typedef struct
{
  const GmcpSchemaRegexSource *source;
  GArray *program;
  guint n_slots;
  /* Bounds nested counts of what makes no instruction. */
  guint work;
} Assembler;

static gboolean emit_tree (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward);

static guint
add_instruction (Assembler *assembler, GmcpSchemaOp op, guint8 flags, guint32 a, guint32 b)
{
  GmcpSchemaInstruction instruction = { .op = op, .flags = flags, .a = a, .b = b };

  g_array_append_val (assembler->program, instruction);
  return assembler->program->len - 1;
}

static GmcpSchemaInstruction *
get_instruction (Assembler *assembler, guint pc)
{
  return &g_array_index (assembler->program, GmcpSchemaInstruction, pc);
}

static gboolean
is_one_char (const GmcpSchemaTree *tree)
{
  return tree->kind == GMCP_SCHEMA_TREE_CHAR || tree->kind == GMCP_SCHEMA_TREE_ANY
         || tree->kind == GMCP_SCHEMA_TREE_CLASS;
}

/* Whether the tree can match without taking a character. */
static gboolean
can_be_empty (const GmcpSchemaTree *tree)
{
  const GmcpSchemaTree *child;

  switch (tree->kind)
    {
    case GMCP_SCHEMA_TREE_CHAR:
    case GMCP_SCHEMA_TREE_ANY:
    case GMCP_SCHEMA_TREE_CLASS:
      return FALSE;
    case GMCP_SCHEMA_TREE_REPEAT:
      return tree->min == 0 || can_be_empty (tree->first);
    case GMCP_SCHEMA_TREE_GROUP:
      return can_be_empty (tree->first);
    case GMCP_SCHEMA_TREE_SEQUENCE:
      for (child = tree->first; child != NULL; child = child->next)
        if (!can_be_empty (child))
          return FALSE;
      return TRUE;
    case GMCP_SCHEMA_TREE_CHOICE:
      for (child = tree->first; child != NULL; child = child->next)
        if (can_be_empty (child))
          return TRUE;
      return FALSE;
    case GMCP_SCHEMA_TREE_LOOK:
    case GMCP_SCHEMA_TREE_REFERENCE:
    case GMCP_SCHEMA_TREE_START:
    case GMCP_SCHEMA_TREE_END:
    case GMCP_SCHEMA_TREE_BOUNDARY:
      break;
    }

  return TRUE;
}

static gboolean
emit_sequence (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward)
{
  g_autoptr (GPtrArray) children = NULL;

  if (!backward)
    {
      for (const GmcpSchemaTree *child = tree->first; child != NULL; child = child->next)
        if (!emit_tree (assembler, child, backward))
          return FALSE;
      return TRUE;
    }

  children = g_ptr_array_new ();
  for (GmcpSchemaTree *child = tree->first; child != NULL; child = child->next)
    g_ptr_array_add (children, child);
  for (guint i = children->len; i > 0; i--)
    if (!emit_tree (assembler, children->pdata[i - 1], backward))
      return FALSE;

  return TRUE;
}

static gboolean
emit_choice (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward)
{
  g_autoptr (GArray) jumps = g_array_new (FALSE, FALSE, sizeof (guint));

  for (const GmcpSchemaTree *child = tree->first; child != NULL; child = child->next)
    {
      guint split = 0, jump;

      if (child->next != NULL)
        split
          = add_instruction (assembler, GMCP_SCHEMA_OP_SPLIT, 0, assembler->program->len + 1, 0);
      if (!emit_tree (assembler, child, backward))
        return FALSE;
      if (child->next == NULL)
        break;

      jump = add_instruction (assembler, GMCP_SCHEMA_OP_JUMP, 0, 0, 0);
      g_array_append_val (jumps, jump);
      get_instruction (assembler, split)->b = assembler->program->len;
    }

  for (guint i = 0; i < jumps->len; i++)
    get_instruction (assembler, g_array_index (jumps, guint, i))->a = assembler->program->len;
  return TRUE;
}

/* One turn of a repetition: forgets the groups of the turn before. */
static gboolean
emit_turn (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward, gboolean optional)
{
  gboolean check = optional && can_be_empty (tree->first);
  guint slot = 0;

  if (check)
    {
      slot = assembler->n_slots++;
      add_instruction (assembler, GMCP_SCHEMA_OP_SAVE, 0, slot, 0);
    }
  if (assembler->source->has_references && tree->end_group > tree->first_group)
    add_instruction (assembler, GMCP_SCHEMA_OP_RESET, 0, 2 * (tree->first_group - 1),
                     2 * (tree->end_group - 1));
  if (!emit_tree (assembler, tree->first, backward))
    return FALSE;
  if (check)
    add_instruction (assembler, GMCP_SCHEMA_OP_PROGRESS, 0, slot, 0);

  return TRUE;
}

static guint
emit_split (Assembler *assembler, gboolean lazy)
{
  return add_instruction (assembler, GMCP_SCHEMA_OP_SPLIT, lazy ? GMCP_SCHEMA_OP_LAZY : 0,
                          assembler->program->len + 1, 0);
}

static gboolean
emit_repeat (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward)
{
  g_autoptr (GArray) splits = NULL;

  if (is_one_char (tree->first))
    {
      add_instruction (assembler, GMCP_SCHEMA_OP_REPEAT,
                       (tree->lazy ? GMCP_SCHEMA_OP_LAZY : 0)
                         | (backward ? GMCP_SCHEMA_OP_BACKWARD : 0),
                       tree->min, tree->max);
      return emit_tree (assembler, tree->first, backward);
    }

  for (guint32 i = 0; i < tree->min; i++)
    if (!emit_turn (assembler, tree, backward, FALSE))
      return FALSE;

  if (tree->max == GMCP_SCHEMA_REGEX_UNLIMITED)
    {
      guint split = emit_split (assembler, tree->lazy);

      if (!emit_turn (assembler, tree, backward, TRUE))
        return FALSE;
      add_instruction (assembler, GMCP_SCHEMA_OP_JUMP, 0, split, 0);
      get_instruction (assembler, split)->b = assembler->program->len;
      return TRUE;
    }

  splits = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint32 i = tree->min; i < tree->max; i++)
    {
      guint split = emit_split (assembler, tree->lazy);

      g_array_append_val (splits, split);
      if (!emit_turn (assembler, tree, backward, TRUE))
        return FALSE;
    }
  for (guint i = 0; i < splits->len; i++)
    get_instruction (assembler, g_array_index (splits, guint, i))->b = assembler->program->len;

  return TRUE;
}

static gboolean
emit_group (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward)
{
  guint32 slot = 2 * (tree->value - 1);

  if (!assembler->source->has_references)
    return emit_tree (assembler, tree->first, backward);

  add_instruction (assembler, GMCP_SCHEMA_OP_SAVE, 0, backward ? slot + 1 : slot, 0);
  if (!emit_tree (assembler, tree->first, backward))
    return FALSE;
  add_instruction (assembler, GMCP_SCHEMA_OP_SAVE, 0, backward ? slot : slot + 1, 0);
  return TRUE;
}

static gboolean
emit_look (Assembler *assembler, const GmcpSchemaTree *tree)
{
  guint look = add_instruction (assembler, GMCP_SCHEMA_OP_LOOK,
                                tree->negate ? GMCP_SCHEMA_OP_NEGATE : 0, 0, 0);

  if (!emit_tree (assembler, tree->first, tree->behind))
    return FALSE;
  add_instruction (assembler, GMCP_SCHEMA_OP_MATCH, 0, 0, 0);
  get_instruction (assembler, look)->a = assembler->program->len;
  return TRUE;
}

static gboolean
emit_tree (Assembler *assembler, const GmcpSchemaTree *tree, gboolean backward)
{
  guint8 flags = backward ? GMCP_SCHEMA_OP_BACKWARD : 0;

  if (++assembler->work > GMCP_LIMIT_PATTERN_INSTRUCTIONS
      || assembler->program->len > GMCP_LIMIT_PATTERN_INSTRUCTIONS)
    return FALSE;

  switch (tree->kind)
    {
    case GMCP_SCHEMA_TREE_CHAR:
      add_instruction (assembler, GMCP_SCHEMA_OP_CHAR, flags, tree->value, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_ANY:
      add_instruction (assembler, GMCP_SCHEMA_OP_ANY, flags, 0, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_CLASS:
      add_instruction (assembler, GMCP_SCHEMA_OP_CLASS, flags, tree->value, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_SEQUENCE:
      return emit_sequence (assembler, tree, backward);
    case GMCP_SCHEMA_TREE_CHOICE:
      return emit_choice (assembler, tree, backward);
    case GMCP_SCHEMA_TREE_REPEAT:
      return emit_repeat (assembler, tree, backward);
    case GMCP_SCHEMA_TREE_GROUP:
      return emit_group (assembler, tree, backward);
    case GMCP_SCHEMA_TREE_LOOK:
      return emit_look (assembler, tree);
    case GMCP_SCHEMA_TREE_REFERENCE:
      add_instruction (assembler, GMCP_SCHEMA_OP_REFERENCE, flags, tree->value - 1, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_START:
      add_instruction (assembler, GMCP_SCHEMA_OP_START, 0, 0, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_END:
      add_instruction (assembler, GMCP_SCHEMA_OP_END, 0, 0, 0);
      return TRUE;
    case GMCP_SCHEMA_TREE_BOUNDARY:
      add_instruction (assembler, GMCP_SCHEMA_OP_BOUNDARY, tree->negate ? GMCP_SCHEMA_OP_NEGATE : 0,
                       0, 0);
      return TRUE;
    }

  g_return_val_if_reached (FALSE);
}

GmcpSchemaRegex *
gmcp_schema_regex_assemble (GmcpSchemaRegexSource *source, guint *instructions, GError **error)
{
  g_autoptr (GmcpSchemaRegex) self = g_new0 (GmcpSchemaRegex, 1);
  Assembler assembler = { .source = source };

  self->program = g_array_new (FALSE, FALSE, sizeof (GmcpSchemaInstruction));
  self->classes = g_steal_pointer (&source->classes);
  assembler.program = self->program;
  assembler.n_slots = source->has_references ? 2 * source->n_groups : 0;

  if (!emit_tree (&assembler, source->root, FALSE) || self->program->len >= *instructions)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("the pattern is too large"));
      return NULL;
    }

  add_instruction (&assembler, GMCP_SCHEMA_OP_MATCH, 0, 0, 0);
  *instructions -= self->program->len;
  self->n_slots = assembler.n_slots;
  self->anchored = get_instruction (&assembler, 0)->op == GMCP_SCHEMA_OP_START;
  return g_steal_pointer (&self);
}

GmcpSchemaRegex *
gmcp_schema_regex_new (const char *pattern, gsize length, guint *instructions, GError **error)
{
  GmcpSchemaRegex *self = NULL;
  GmcpSchemaRegexSource source;

  if (length > GMCP_LIMIT_PATTERN_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("the pattern is longer than %u bytes"), GMCP_LIMIT_PATTERN_BYTES);
      return NULL;
    }

  if (gmcp_schema_regex_parse (&source, pattern, length, error))
    self = gmcp_schema_regex_assemble (&source, instructions, error);
  gmcp_schema_regex_source_clear (&source);

  return self;
}

void
gmcp_schema_regex_free (GmcpSchemaRegex *self)
{
  g_array_unref (self->program);
  g_ptr_array_unref (self->classes);
  g_free (self);
}
