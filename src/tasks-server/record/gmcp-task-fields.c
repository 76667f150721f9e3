/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-fields.h"
#include "gmcp-task-limits.h"

/* What the fields of a task may hold. A refusal says what to send instead, since the reader is
 * often a model that tries again. */

static gboolean
is_blank (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_isgraph (c) && !g_unichar_iszerowidth (c))
        return FALSE;
    }

  return TRUE;
}

/* Control characters could drive the terminal that a title is shown on. */
static gboolean
has_control_character (const char *text, const char *allowed)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iscntrl (c) && (c >= 0x80 || strchr (allowed, (char) c) == NULL))
        return TRUE;
    }

  return FALSE;
}

static char *
dup_stripped (const char *text)
{
  const char *end = text + strlen (text);

  while (*text != '\0' && g_unichar_isspace (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);

  while (end > text)
    {
      const char *last = g_utf8_prev_char (end);

      if (!g_unichar_isspace (g_utf8_get_char (last)))
        break;
      end = last;
    }

  return g_strndup (text, (gsize) (end - text));
}

static gboolean
refuse_field (GError **error, const char *message)
{
  g_set_error_literal (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION, message);
  return FALSE;
}

static gboolean
check_length (const char *text, const char *field, long max_length, GError **error)
{
  if (g_utf8_strlen (text, -1) <= max_length)
    return TRUE;

  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION,
               _ ("“%s” is longer than %ld characters: shorten it"), field, max_length);
  return FALSE;
}

gboolean
gmcp_task_fields_take_title (const char *text, char **title, GError **error)
{
  g_autofree char *stripped = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    return refuse_field (error, _ ("“title” is not valid UTF-8"));

  if (is_blank (text))
    return refuse_field (error,
                         _ ("“title” is empty: give a few words that say what is to be done"));

  stripped = dup_stripped (text);
  if (has_control_character (stripped, ""))
    return refuse_field (error, _ ("“title” must be one line of plain text: put line breaks into "
                                   "“description”"));

  if (!check_length (stripped, "title", GMCP_TASK_LIMIT_TITLE_LENGTH, error))
    return FALSE;

  *title = g_steal_pointer (&stripped);
  return TRUE;
}

/* An empty description is the same as none, which comes out as NULL. */
gboolean
gmcp_task_fields_take_description (const char *text, char **description, GError **error)
{
  g_autofree char *stripped = NULL;

  if (!g_utf8_validate (text, -1, NULL))
    return refuse_field (error, _ ("“description” is not valid UTF-8"));

  stripped = dup_stripped (text);
  if (has_control_character (stripped, "\n\r\t"))
    return refuse_field (error,
                         _ ("“description” must be plain text: of control characters it may hold "
                            "line breaks and tabs only"));

  if (!check_length (stripped, "description", GMCP_TASK_LIMIT_DESCRIPTION_LENGTH, error))
    return FALSE;

  *description = *stripped != '\0' ? g_steal_pointer (&stripped) : NULL;
  return TRUE;
}

/* Reads exactly n digits. */
static gboolean
take_number (const char **p, guint n_digits, int *number)
{
  int value = 0;

  for (guint i = 0; i < n_digits; i++, (*p)++)
    {
      if (!g_ascii_isdigit (**p))
        return FALSE;
      value = value * 10 + g_ascii_digit_value (**p);
    }

  *number = value;
  return TRUE;
}

static gboolean
take_char (const char **p, char c)
{
  if (g_ascii_toupper (**p) != c)
    return FALSE;

  (*p)++;
  return TRUE;
}

/* HH:MM, HH:MM:SS or HH:MM:SS.fff, then Z or ±HH:MM */
static gboolean
is_time_with_zone (const char *p)
{
  int hour, minute, second = 0;

  if (!take_number (&p, 2, &hour) || !take_char (&p, ':') || !take_number (&p, 2, &minute))
    return FALSE;

  if (take_char (&p, ':'))
    {
      if (!take_number (&p, 2, &second))
        return FALSE;

      if (take_char (&p, '.'))
        {
          const char *start = p;

          while (g_ascii_isdigit (*p) && p - start < 9)
            p++;
          if (p == start)
            return FALSE;
        }
    }

  if (hour > 23 || minute > 59 || second > 59)
    return FALSE;

  if (!take_char (&p, 'Z'))
    {
      int zone_hour, zone_minute;

      if (!take_char (&p, '+') && !take_char (&p, '-'))
        return FALSE;
      if (!take_number (&p, 2, &zone_hour) || !take_char (&p, ':')
          || !take_number (&p, 2, &zone_minute) || zone_hour > 23 || zone_minute > 59)
        return FALSE;
    }

  return *p == '\0';
}

static gboolean
is_date_or_time (const char *p)
{
  int year, month, day;

  if (!take_number (&p, 4, &year) || !take_char (&p, '-') || !take_number (&p, 2, &month)
      || !take_char (&p, '-') || !take_number (&p, 2, &day))
    return FALSE;

  if (!g_date_valid_dmy ((GDateDay) day, (GDateMonth) month, (GDateYear) year))
    return FALSE;

  return *p == '\0' || (take_char (&p, 'T') && is_time_with_zone (p));
}

/* A date (2026-08-01) or a time with its zone (2026-08-01T09:00:00Z, …+02:00), kept as given but
 * for the case of its letters. A time without a zone is refused rather than guessed at. */
gboolean
gmcp_task_fields_take_due_date (const char *text, char **due_date, GError **error)
{
  if (!is_date_or_time (text))
    return refuse_field (error,
                         _ ("“due_date” is not a date that exists: give it as 2026-08-01, or as a "
                            "time with its zone such as 2026-08-01T09:00:00Z or "
                            "2026-08-01T09:00:00+02:00"));

  *due_date = g_ascii_strup (text, -1);
  return TRUE;
}

gboolean
gmcp_task_fields_check_user (const char *user, GError **error)
{
  if (!g_utf8_validate (user, -1, NULL))
    return refuse_field (error, _ ("The user name is not valid UTF-8"));

  if (is_blank (user) || has_control_character (user, ""))
    return refuse_field (error, _ ("The user name is empty or has control characters"));

  if (g_utf8_strlen (user, -1) > GMCP_TASK_LIMIT_USER_LENGTH)
    return refuse_field (error, _ ("The user name is too long"));

  return TRUE;
}
