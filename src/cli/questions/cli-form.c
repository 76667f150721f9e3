/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-form.h"

#include <glib/gi18n.h>

#include "cli-answer.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/json/gmcp-json.h>

/* Characters of a label, and of a value that holds when nothing is typed. */
#define PROMPT_CHARS 60

struct _CliForm
{
  GmcpElicitation *elicitation;
  guint position;
  JsonObject *content; /* NULL before it begins */
};

CliForm *
cli_form_new (GmcpElicitation *elicitation)
{
  CliForm *self = g_new0 (CliForm, 1);

  self->elicitation = g_object_ref (elicitation);
  return self;
}

void
cli_form_free (CliForm *self)
{
  g_object_unref (self->elicitation);
  g_clear_pointer (&self->content, json_object_unref);
  g_free (self);
}

void
cli_form_begin (CliForm *self)
{
  g_clear_pointer (&self->content, json_object_unref);
  self->content = json_object_new ();
  self->position = 0;
}

static GmcpElicitationField *
dup_field (CliForm *self)
{
  return g_list_model_get_item (gmcp_elicitation_get_fields (self->elicitation), self->position);
}

gboolean
cli_form_is_complete (CliForm *self)
{
  return self->position
         >= g_list_model_get_n_items (gmcp_elicitation_get_fields (self->elicitation));
}

static char *
dup_visible (const char *text)
{
  return gmcp_dup_visible_line (text != NULL ? text : "", 0);
}

static const char *
get_label (GmcpElicitationField *field)
{
  const char *title = gmcp_elicitation_field_get_title (field);

  return title != NULL ? title : gmcp_elicitation_field_get_name (field);
}

static void
append_options (GString *text, GmcpElicitationField *field)
{
  const char *const *titles = gmcp_elicitation_field_get_option_titles (field);

  for (guint i = 0; titles != NULL && titles[i] != NULL; i++)
    {
      g_autofree char *title = dup_visible (titles[i]);

      g_string_append_printf (text, "  %u) %s\n", i + 1, title);
    }
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE)
    g_string_append_printf (text, "  %s\n", _ ("(several with commas between)"));
}

/* What is too long for the line that is typed in is shown before it. */
static void
append_long (GString *text, const char *whole)
{
  if (g_utf8_strlen (whole, -1) > PROMPT_CHARS)
    g_string_append_printf (text, "%s\n", whole);
}

void
cli_form_describe_field (CliForm *self, GString *text)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *label = dup_visible (get_label (field));
  g_autofree char *description = dup_visible (gmcp_elicitation_field_get_description (field));
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *shown = dup_visible (value);

  append_long (text, label);
  if (*description != '\0')
    g_string_append_printf (text, "%s\n", description);
  append_options (text, field);
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_BOOLEAN)
    g_string_append_printf (text, "  %s\n", _ ("(yes or no)"));
  append_long (text, shown);
}

char *
cli_form_dup_prompt (CliForm *self)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *label = gmcp_dup_visible_line (get_label (field), PROMPT_CHARS);
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *shown = gmcp_dup_visible_line (value != NULL ? value : "", PROMPT_CHARS);

  if (value != NULL)
    return g_strdup_printf ("%s [%s]:", label, shown);
  if (gmcp_elicitation_field_is_required (field))
    return g_strdup_printf ("%s:", label);
  /* Translators: the label of a field that need not be filled in */
  return g_strchomp (g_strdup_printf (_ ("%s (optional): "), label));
}

/* The field reads yes and no in English. */
static const char *
translate_answer (GmcpElicitationField *field, const char *line)
{
  CliAnswer answer = gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_BOOLEAN
                       ? cli_answer_read (line)
                       : CLI_ANSWER_OTHER;

  if (answer == CLI_ANSWER_YES)
    return "yes";
  return answer == CLI_ANSWER_NO ? "no" : line;
}

/* What is filled in for an empty line: nothing, where there is a default or none is needed. */
void
cli_form_take_line (CliForm *self, const char *line)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (*line == '\0' && (value != NULL || !gmcp_elicitation_field_is_required (field)))
    {
      self->position++;
      return;
    }

  json = gmcp_elicitation_field_read_text (field, translate_answer (field, line), &error);
  if (json == NULL)
    {
      g_printerr ("%s\n", error->message);
      return;
    }
  json_object_set_member (self->content, gmcp_elicitation_field_get_name (field),
                          gmcp_json_parse (json, -1, NULL));
  self->position++;
}

JsonNode *
cli_form_dup_content (CliForm *self)
{
  return self->content != NULL ? json_node_init_object (json_node_alloc (), self->content) : NULL;
}

/* A name with letters outside ASCII in the form that the network uses, and the other way round: of two
 * that look alike one differs. */
static void
append_other_form (GString *text, const char *host)
{
  g_autofree char *other
    = g_hostname_is_non_ascii (host) ? g_hostname_to_ascii (host) : g_hostname_to_unicode (host);
  g_autofree char *shown = dup_visible (other);

  if (other != NULL && g_ascii_strcasecmp (other, host) != 0)
    /* Translators: the same host, as the network writes it (xn--…), or with its letters */
    g_string_append_printf (text, _ ("Written otherwise, this host is “%s”.\n"), shown);
}

void
cli_form_describe_address (GmcpElicitation *elicitation, GString *text)
{
  const char *warning = gmcp_elicitation_get_url_warning (elicitation);
  g_autofree char *url = dup_visible (gmcp_elicitation_get_url (elicitation));
  g_autofree char *host = dup_visible (gmcp_elicitation_get_url_host (elicitation));

  g_string_append_printf (text, "  %s\n", url);
  /* Translators: the host of an address */
  g_string_append_printf (text, _ ("The address is on the host “%s”.\n"), host);
  append_other_form (text, gmcp_elicitation_get_url_host (elicitation));
  if (warning != NULL)
    g_string_append_printf (text, "%s\n", warning);
}
