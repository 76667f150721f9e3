/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-entry-reader-private.h"
#include "gmcp-config-policy-data-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"

/* Values of one kind each, whichever key they stand at. */

/* Says what stands at a key and what should; never the value itself, which may be a secret. */
void
gmcp_config_entry_fail (GmcpConfigEntryReader *entry,
                        const char *path,
                        GmcpJsonValue value,
                        const char *expected)
{
  gmcp_config_report_expected (entry->report, value, path, expected);
}

GValue *
gmcp_config_entry_set_value (GmcpConfigEntryReader *entry, const char *property, GType type)
{
  GValue *value;

  for (guint i = 0; i < entry->names->len; i++)
    {
      value = &g_array_index (entry->values, GValue, i);
      if (g_str_equal (g_ptr_array_index (entry->names, i), property))
        return g_value_reset (value);
    }

  g_ptr_array_add (entry->names, (gpointer) property);
  g_array_set_size (entry->values, entry->names->len);
  value = &g_array_index (entry->values, GValue, entry->values->len - 1);
  return g_value_init (value, type);
}

const GValue *
gmcp_config_entry_get_value (GmcpConfigEntryReader *entry, const char *property)
{
  for (guint i = 0; i < entry->names->len; i++)
    {
      if (g_str_equal (g_ptr_array_index (entry->names, i), property))
        return &g_array_index (entry->values, GValue, i);
    }
  return NULL;
}

/* A start would gmcp_config_entry_fail of it; another program may know more of them. */
static void
check_variables (GmcpConfigEntryReader *entry,
                 const char *path,
                 GmcpJsonValue value,
                 const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_config_variables_check (text, &error))
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
                            error->message);
}

/* NULL where it is no text, which is then reported. */
static char *
dup_checked (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value, gboolean check)
{
  g_autofree char *text = NULL;
  char *translated;
  gboolean flag;

  if (entry->rules->loose_scalars
      && (gmcp_json_value_is_number (value) || gmcp_json_value_get_boolean (value, &flag)))
    return gmcp_json_value_dup_raw (value);
  if (!gmcp_json_value_is_string (value))
    gmcp_config_entry_fail (entry, path, value, _ ("a string"));
  text = gmcp_json_value_dup_string (value);
  if (text != NULL && check && entry->rules->translate == NULL)
    check_variables (entry, path, value, text);
  if (text == NULL || entry->rules->translate == NULL)
    return g_steal_pointer (&text);

  translated = entry->rules->translate (text);
  if (translated == NULL)
    gmcp_config_entry_fail (entry, path, value,
                            _ ("the value itself, as those of other files are not read"));
  return translated;
}

char *
gmcp_config_entry_dup_text (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value)
{
  return dup_checked (entry, path, value, TRUE);
}

gboolean
gmcp_config_entry_get_flag (GmcpConfigEntryReader *entry,
                            const char *path,
                            GmcpJsonValue value,
                            gboolean *out)
{
  if (gmcp_json_value_get_boolean (value, out))
    return TRUE;

  gmcp_config_entry_fail (entry, path, value, _ ("true or false"));
  return FALSE;
}

void
gmcp_config_entry_note_place (GmcpConfigEntryReader *entry,
                              const char *property,
                              const char *element,
                              const char *path,
                              GmcpJsonValue value)
{
  GmcpConfigReport *report = entry->report;
  guint line
    = report->document != NULL ? gmcp_config_document_get_line (report->document, value) : 0;

  gmcp_config_places_set (entry->places, property, element, line, path);
}

/* What is shown is looked at where it is filled in, which is before any start. */
static gboolean
is_shown_field (const char *property)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      if (g_str_equal (fields[i].name, property))
        return fields[i].shown;
    }
  return FALSE;
}

void
gmcp_config_entry_read_text (GmcpConfigEntryReader *entry,
                             const GmcpConfigEntryKey *key,
                             const char *path,
                             GmcpJsonValue value)
{
  g_autofree char *text = dup_checked (entry, path, value, !is_shown_field (key->property));

  if (text != NULL)
    g_value_set_string (gmcp_config_entry_set_value (entry, key->property, G_TYPE_STRING), text);
}

void
gmcp_config_entry_read_flag (GmcpConfigEntryReader *entry,
                             const GmcpConfigEntryKey *key,
                             const char *path,
                             GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (gmcp_config_entry_get_flag (entry, path, value, &flag))
    g_value_set_boolean (gmcp_config_entry_set_value (entry, key->property, G_TYPE_BOOLEAN), flag);
}

static void
fail_number (GmcpConfigEntryReader *entry,
             const GmcpConfigEntryKey *key,
             const char *path,
             GmcpJsonValue value,
             guint low,
             guint high)
{
  g_autofree char *expected = NULL;

  if (key->scale == 1000)
    expected = g_strdup_printf (_ ("a number of seconds from %u to %u"), low / 1000, high / 1000);
  else if (g_str_has_suffix (key->property, "-ms"))
    expected = g_strdup_printf (_ ("a whole number of milliseconds from %u to %u"), low, high);
  else
    expected = g_strdup_printf (_ ("a whole number from %u to %u"), low, high);

  if (entry->rules->forgive_ranges && gmcp_json_value_is_number (value))
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path,
                            _ ("expected %s; the default holds instead"), expected);
  else
    gmcp_config_entry_fail (entry, path, value, expected);
}

void
gmcp_config_entry_read_number (GmcpConfigEntryReader *entry,
                               const GmcpConfigEntryKey *key,
                               const char *path,
                               GmcpJsonValue value)
{
  guint low = 0, high = key->max;
  gboolean ranged
    = entry->rules->check_ranges && gmcp_config_entry_get_range (key->property, &low, &high);
  gboolean may_be_zero = ranged && entry->rules->zero_is_default;
  guint64 number = 0;
  double seconds = 0;

  /* Half a second can be said. */
  if (key->scale == 1000 && gmcp_json_value_get_double (value, &seconds) && seconds >= 0
      && seconds <= high / 1000.0)
    number = (guint64) (seconds * 1000 + 0.5);
  else if (key->scale == 1000 || !gmcp_json_value_get_uint64 (value, &number))
    number = G_MAXUINT64;

  if ((number < low || number > high) && !(may_be_zero && number == 0))
    fail_number (entry, key, path, value, low, high);
  else
    g_value_set_uint (gmcp_config_entry_set_value (entry, key->property, G_TYPE_UINT), number);
}

void
gmcp_config_entry_read_timeout (GmcpConfigEntryReader *entry,
                                const GmcpConfigEntryKey *key,
                                const char *path,
                                GmcpJsonValue value)
{
  GmcpConfigEntryKey scaled = *key;

  if (entry->rules->timeout_is_of_start)
    scaled.property = "startup-timeout-ms";
  scaled.scale = entry->rules->seconds ? 1000 : 1;
  gmcp_config_entry_read_number (entry, &scaled, path, value);
}

static char *
list_nicks (GEnumClass *klass)
{
  g_autofree const char **nicks = g_new0 (const char *, klass->n_values + 1);

  for (guint i = 0; i < klass->n_values; i++)
    nicks[i] = klass->values[i].value_nick;
  return gmcp_config_list_words (nicks);
}

char *
gmcp_config_entry_dup_word (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value)
{
  g_autofree char *word = gmcp_json_value_dup_string (value);
  g_autofree char *filled = NULL;
  g_autoptr (GError) error = NULL;

  if (!gmcp_config_is_pattern (word))
    return g_steal_pointer (&word);

  filled = gmcp_config_variables_fill_plain (word, NULL, &error);
  if (filled == NULL)
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_ERROR, value, path, "%s",
                            error->message);
  return g_steal_pointer (&filled);
}

void
gmcp_config_entry_read_word (GmcpConfigEntryReader *entry,
                             const GmcpConfigEntryKey *key,
                             const char *path,
                             GmcpJsonValue value)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  GType type = g_object_class_find_property (G_OBJECT_CLASS (klass), key->property)->value_type;
  g_autoptr (GEnumClass) words = g_type_class_ref (type);
  g_autofree char *nick = gmcp_config_entry_dup_word (entry, path, value);
  GEnumValue *found;
  g_autofree char *expected = NULL;

  if (nick == NULL && gmcp_json_value_is_string (value))
    return;
  if (nick != NULL)
    g_strdelimit (nick, "_", '-');
  found = nick != NULL ? g_enum_get_value_by_nick (words, nick) : NULL;
  if (found != NULL)
    {
      g_value_set_enum (gmcp_config_entry_set_value (entry, key->property, type), found->value);
      return;
    }

  expected = list_nicks (words);
  gmcp_config_entry_fail (entry, path, value, expected);
}

/* A sandbox of another host has rules of its own, which its author relies on. */
void
gmcp_config_entry_read_sandbox (GmcpConfigEntryReader *entry,
                                const GmcpConfigEntryKey *key,
                                const char *path,
                                GmcpJsonValue value)
{
  if (gmcp_json_value_is_object (value))
    gmcp_config_report_add (
      entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
      _ ("rules of another program’s sandbox do not count here; use “read-only-home”"));
  else
    gmcp_config_entry_read_word (entry, key, path, value);
}

void
gmcp_config_entry_read_object_text (GmcpConfigEntryReader *entry,
                                    const GmcpConfigEntryKey *key,
                                    const char *path,
                                    GmcpJsonValue value)
{
  g_autofree char *text = NULL;

  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("an object"));
      return;
    }
  text = gmcp_json_value_dup_raw (value);
  g_value_set_string (gmcp_config_entry_set_value (entry, key->property, G_TYPE_STRING), text);
}

/* What is shown is told of as a whole, so that the place is that of the word that it is about. */
static void
note_word (GmcpConfigEntryReader *entry,
           const char *property,
           guint index,
           const char *path,
           GmcpJsonValue value,
           const char *word)
{
  g_autofree char *element = g_strdup_printf ("%u", index);

  if (property != NULL && gmcp_config_is_pattern (word))
    gmcp_config_entry_note_place (entry, property, is_shown_field (property) ? NULL : element, path,
                                  value);
}

static void
append_words (GmcpConfigEntryReader *entry,
              GPtrArray *words,
              const char *path,
              GmcpJsonValue value,
              const char *property)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;
  guint i = 0;

  if (!gmcp_json_value_is_array (value))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("an array of strings"));
      return;
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &element))
    {
      g_autofree char *place = g_strdup_printf ("%s[%u]", path, i++);
      char *word
        = dup_checked (entry, place, element, property == NULL || !is_shown_field (property));

      note_word (entry, property, i - 1, place, element, word);
      if (word != NULL)
        g_ptr_array_add (words, word);
    }
}

void
gmcp_config_entry_append_words (GmcpConfigEntryReader *entry,
                                GPtrArray *words,
                                const char *path,
                                GmcpJsonValue value)
{
  append_words (entry, words, path, value, NULL);
}

void
gmcp_config_entry_read_words (GmcpConfigEntryReader *entry,
                              const GmcpConfigEntryKey *key,
                              const char *path,
                              GmcpJsonValue value)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  append_words (entry, words, path, value, key->property);
  g_ptr_array_add (words, NULL);
  g_value_set_boxed (gmcp_config_entry_set_value (entry, key->property, G_TYPE_STRV), words->pdata);
}

/* A full path, unless it is one only once it is expanded. */
void
gmcp_config_entry_read_path (GmcpConfigEntryReader *entry,
                             const GmcpConfigEntryKey *key,
                             const char *path,
                             GmcpJsonValue value)
{
  g_autofree char *text = gmcp_config_entry_dup_text (entry, path, value);
  gboolean relative = text != NULL && *text != '\0' && !gmcp_config_is_pattern (text);

  if (text == NULL)
    return;
  if (relative && entry->base_dir != NULL)
    g_value_take_string (gmcp_config_entry_set_value (entry, key->property, G_TYPE_STRING),
                         g_canonicalize_filename (text, entry->base_dir));
  else
    g_value_set_string (gmcp_config_entry_set_value (entry, key->property, G_TYPE_STRING), text);
}
