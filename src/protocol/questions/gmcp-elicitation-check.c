/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-field-private.h"

#include <stdlib.h>
#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>

/* What is entered in the fields of a form: whether it may be sent, and how it is read from text. */

typedef gboolean (*CheckFunc) (GmcpElicitationField *field,
                               GmcpJsonValue value,
                               const char *label,
                               GError **error);

static gboolean refuse_value (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse_value (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
is_email (const char *text)
{
  const char *at = strrchr (text, '@');

  if (at == NULL || at == text || at[1] == '\0' || at[1] == '.' || g_str_has_suffix (at, "."))
    return FALSE;
  for (; *text != '\0'; text++)
    if (g_ascii_isspace (*text) || g_ascii_iscntrl (*text))
      return FALSE;
  return TRUE;
}

static gboolean
is_uri (const char *text)
{
  return g_uri_is_valid (text, G_URI_FLAGS_NONE, NULL);
}

static gboolean
is_date (const char *text)
{
  static const char shape[] = "dddd-dd-dd";

  if (strlen (text) != sizeof shape - 1)
    return FALSE;
  for (guint i = 0; shape[i] != '\0'; i++)
    if (shape[i] == 'd' ? !g_ascii_isdigit (text[i]) : text[i] != shape[i])
      return FALSE;
  return g_date_valid_dmy (atoi (text + 8), atoi (text + 5), atoi (text));
}

static gboolean
is_date_time (const char *text)
{
  /* Without a default zone, one that names none is not read. */
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, NULL);
  g_autofree char *date = g_strndup (text, 10);

  return time != NULL && is_date (date);
}

static const struct
{
  const char *name;
  gboolean (*matches) (const char *text);
  const char *example;
} formats[] = {
  { "email", is_email, "user@example.org" },
  { "uri", is_uri, "https://example.org/" },
  { "date", is_date, "2026-07-28" },
  { "date-time", is_date_time, "2026-07-28T12:00:00Z" },
};

static gboolean
check_string (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  g_autofree char *text = gmcp_json_value_dup_string (value);
  glong length;

  if (text == NULL)
    return refuse_value (error, _ ("“%s” has to be a text"), label);

  length = g_utf8_strlen (text, -1);
  if (length < field->min_length)
    return refuse_value (error,
                         g_dngettext (GETTEXT_PACKAGE, "“%s” must have at least %ld character",
                                      "“%s” must have at least %ld characters",
                                      (gulong) field->min_length),
                         label, (glong) field->min_length);
  if (field->max_length >= 0 && length > field->max_length)
    return refuse_value (error,
                         g_dngettext (GETTEXT_PACKAGE, "“%s” may have at most %ld character",
                                      "“%s” may have at most %ld characters",
                                      (gulong) field->max_length),
                         label, (glong) field->max_length);

  if (field->pattern != NULL && !field->matches (field->pattern, text))
    /* Translators: the name of a field, and a regular expression */
    return refuse_value (error, _ ("“%s” has to match %s"), label, field->pattern);

  for (guint i = 0; field->format != NULL && i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (field->format, formats[i].name) && !formats[i].matches (text))
      /* Translators: the name of a field, of a format, and an example of that */
      return refuse_value (error, _ ("“%s” has to be of the format “%s”, such as %s"), label,
                           formats[i].name, formats[i].example);
  return TRUE;
}

static gboolean
check_number (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  double number;

  if (!gmcp_json_value_get_double (value, &number))
    return refuse_value (error, _ ("“%s” has to be a number"), label);
  if (field->has_minimum && number < field->minimum)
    return refuse_value (error, _ ("“%s” must be at least %g"), label, field->minimum);
  if (field->has_maximum && number > field->maximum)
    return refuse_value (error, _ ("“%s” must be at most %g"), label, field->maximum);
  return TRUE;
}

static gboolean
check_integer (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  gint64 number;
  guint64 large;

  if (!gmcp_json_value_get_int64 (value, &number) && !gmcp_json_value_get_uint64 (value, &large))
    return refuse_value (error, _ ("“%s” has to be a whole number"), label);
  return check_number (field, value, label, error);
}

static gboolean
check_boolean (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  gboolean yes;

  if (!gmcp_json_value_get_boolean (value, &yes))
    return refuse_value (error, _ ("“%s” has to be true or false"), label);
  return TRUE;
}

static gboolean
refuse_option (GmcpElicitationField *field, const char *label, GError **error)
{
  g_autofree char *options = g_strjoinv (", ", field->values);

  return refuse_value (error, _ ("“%s” has to be one of: %s"), label, options);
}

static gboolean
check_choice (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  g_autofree char *text = gmcp_json_value_dup_string (value);

  if (text != NULL && g_strv_contains ((const char *const *) field->values, text))
    return TRUE;
  return refuse_option (field, label, error);
}

typedef struct
{
  const char *text;
  gsize length;
} Chosen;

static int
compare_options (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static int
compare_chosen (const void *key, const void *option)
{
  const Chosen *chosen = key;
  const char *text = *(const char *const *) option;
  int order = strncmp (chosen->text, text, chosen->length);

  return order != 0 ? order : -(text[chosen->length] != '\0');
}

static gboolean
is_option (GmcpJsonValue value, char **sorted, gsize n)
{
  g_autofree char *copy = NULL;
  Chosen chosen;

  chosen.text = gmcp_json_value_peek_plain (value, &chosen.length);
  if (chosen.text == NULL)
    {
      chosen.text = copy = gmcp_json_value_dup_string (value);
      chosen.length = copy != NULL ? strlen (copy) : 0;
    }
  return chosen.text != NULL
         && bsearch (&chosen, sorted, n, sizeof (char *), compare_chosen) != NULL;
}

/* Sorted, not hashed: a server may choose options whose hashes are the same. */
static gboolean
are_options (GmcpElicitationField *field, GmcpJsonValue chosen)
{
  gsize n = g_strv_length (field->values);
  g_autofree char **sorted = g_memdup2 (field->values, n * sizeof (char *));
  GmcpJsonIter iter;
  GmcpJsonValue item;

  qsort (sorted, n, sizeof (char *), compare_options);
  gmcp_json_iter_init (&iter, chosen);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    if (!is_option (item, sorted, n))
      return FALSE;
  return TRUE;
}

static gboolean
check_multi_choice (GmcpElicitationField *field,
                    GmcpJsonValue value,
                    const char *label,
                    GError **error)
{
  gint64 length = gmcp_json_value_get_length (value);

  if (!gmcp_json_value_is_array (value))
    return refuse_value (error, _ ("“%s” has to be a list of what is chosen"), label);
  if (!are_options (field, value))
    return refuse_option (field, label, error);
  if (length < field->min_length)
    return refuse_value (error, _ ("Of “%s” at least %ld must be chosen"), label,
                         (glong) field->min_length);
  if (field->max_length >= 0 && length > field->max_length)
    return refuse_value (error, _ ("Of “%s” at most %ld may be chosen"), label,
                         (glong) field->max_length);
  return TRUE;
}

static gboolean
is_list_of_texts (GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue item;

  if (!gmcp_json_value_is_array (value))
    return FALSE;
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    if (!gmcp_json_value_is_string (item))
      return FALSE;
  return TRUE;
}

/* What the protocol lets an answer hold. */
static gboolean
check_unknown (GmcpElicitationField *field, GmcpJsonValue value, const char *label, GError **error)
{
  gboolean yes;

  if (gmcp_json_value_is_string (value) || gmcp_json_value_is_number (value)
      || gmcp_json_value_get_boolean (value, &yes) || is_list_of_texts (value))
    return TRUE;
  return refuse_value (error, _ ("“%s” has to be a text, a number, true, false or a list of texts"),
                       label);
}

static const CheckFunc checks[] = {
  [GMCP_ELICITATION_FIELD_KIND_UNKNOWN] = check_unknown,
  [GMCP_ELICITATION_FIELD_KIND_STRING] = check_string,
  [GMCP_ELICITATION_FIELD_KIND_NUMBER] = check_number,
  [GMCP_ELICITATION_FIELD_KIND_INTEGER] = check_integer,
  [GMCP_ELICITATION_FIELD_KIND_BOOLEAN] = check_boolean,
  [GMCP_ELICITATION_FIELD_KIND_CHOICE] = check_choice,
  [GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE] = check_multi_choice,
};

gboolean
gmcp_elicitation_field_check_value (GmcpElicitationField *self, GmcpJsonValue value, GError **error)
{
  g_autofree char *label = gmcp_elicitation_field_dup_label (self);

  return checks[self->kind](self, value, label, error);
}

/**
 * gmcp_elicitation_field_check:
 * @self: a field
 * @value: what was entered
 * @error: return location for an error
 *
 * Tells whether something may be entered in the field, so that a form can say so at once. Fails with
 * [error@Gmcp.Error] `INVALID_ARGUMENT`, with a message for people that names the field.
 *
 * Returns: whether it may be entered
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_field_check (GmcpElicitationField *self, JsonNode *value, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), FALSE);
  g_return_val_if_fail (value != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  doc = gmcp_json_doc_from_node (value, error);
  return doc != NULL
         && gmcp_elicitation_field_check_value (self, gmcp_json_doc_get_root (doc), error);
}

/* The option that a text means: by itself, its title, or its number from 1. */
static const char *
find_option (GmcpElicitationField *self, const char *text)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  guint64 number;

  for (guint i = 0; self->values[i] != NULL; i++)
    if (g_str_equal (self->values[i], text))
      return self->values[i];
  for (guint i = 0; self->values[i] != NULL; i++)
    {
      g_autofree char *title = g_utf8_casefold (self->titles[i], -1);

      if (g_str_equal (title, folded))
        return self->values[i];
    }
  if (g_ascii_string_to_unsigned (text, 10, 1, g_strv_length (self->values), &number, NULL))
    return self->values[number - 1];
  return text;
}

static void
write_chosen (GmcpElicitationField *self, const char *text, GmcpJsonWriter *writer)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      gmcp_json_writer_string (writer, find_option (self, parts[i]));
  gmcp_json_writer_end_array (writer);
}

static gboolean
write_boolean (const char *text, GmcpJsonWriter *writer)
{
  static const struct
  {
    const char *word;
    gboolean yes;
  } words[] = {
    { "true", TRUE },   { "yes", TRUE }, { "y", TRUE },  { "1", TRUE },
    { "false", FALSE }, { "no", FALSE }, { "n", FALSE }, { "0", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (text, words[i].word) == 0)
      {
        gmcp_json_writer_boolean (writer, words[i].yes);
        return TRUE;
      }
  return FALSE;
}

/**
 * gmcp_elicitation_field_read_text:
 * @self: a field
 * @text: what was typed
 * @error: return location for an error
 *
 * Reads what a person typed into a plain text entry: a number; `yes` or `no`; an option by its title,
 * its value or its number from 1; several of them with commas between. The result may be put in the
 * answer. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT`, with a message for people that names the
 * field.
 *
 * Returns: (transfer full): a JSON value as text
 *
 * Since: 0.1
 */
char *
gmcp_elicitation_field_read_text (GmcpElicitationField *self, const char *text, GError **error)
{
  g_autoptr (GString) json = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *plain = NULL;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_ELICITATION_FIELD (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  json = g_string_new (NULL);
  writer = gmcp_json_writer_init (json);
  plain = g_strstrip (g_strdup (text));
  switch (self->kind)
    {
    case GMCP_ELICITATION_FIELD_KIND_CHOICE:
      gmcp_json_writer_string (&writer, find_option (self, plain));
      break;
    case GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE:
      write_chosen (self, plain, &writer);
      break;
    case GMCP_ELICITATION_FIELD_KIND_BOOLEAN:
      if (!write_boolean (plain, &writer))
        gmcp_json_writer_string (&writer, plain);
      break;
    case GMCP_ELICITATION_FIELD_KIND_NUMBER:
    case GMCP_ELICITATION_FIELD_KIND_INTEGER:
      g_string_append (json, plain);
      break;
    case GMCP_ELICITATION_FIELD_KIND_STRING:
    case GMCP_ELICITATION_FIELD_KIND_UNKNOWN:
    default:
      gmcp_json_writer_string (&writer, text);
    }

  /* What is no JSON is no number. */
  doc = gmcp_json_doc_parse (json->str, json->len, NULL, 0, NULL);
  if (!gmcp_elicitation_field_check_value (
        self, doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE, error))
    return NULL;
  return gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));
}
