/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

typedef struct
{
  char *answer;
  guint n_answers;
} Asker;

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Asker *asker = data;

  asker->n_answers++;
  g_free (asker->answer);
  asker->answer = g_strdup (answer);
}

static GmcpElicitation *
make (const char *params, Asker *asker, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (params, strlen (params), NULL, 0, NULL);
  GmcpElicitation *elicitation;

  g_assert_nonnull (doc);
  elicitation = gmcp_elicitation_new_from_value (gmcp_json_doc_get_root (doc), NULL, error);
  if (elicitation != NULL && asker != NULL)
    gmcp_input_request_listen (GMCP_INPUT_REQUEST (elicitation), on_answer, asker);
  return elicitation;
}

#define FORM(properties, required)                                                                 \
  "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties     \
  "},\"required\":[" required "]}}"

static const char every_field[] = FORM (
  "\"name\":{\"type\":\"string\",\"title\":\"Name\",\"description\":\"Yours\",\"minLength\":2,"
  "\"maxLength\":5},"
  "\"mail\":{\"type\":\"string\",\"format\":\"email\"},"
  "\"page\":{\"type\":\"string\",\"format\":\"uri\"},"
  "\"day\":{\"type\":\"string\",\"format\":\"date\"},"
  "\"when\":{\"type\":\"string\",\"format\":\"date-time\"},"
  "\"age\":{\"type\":\"integer\",\"minimum\":18,\"maximum\":120},"
  "\"score\":{\"type\":\"number\",\"default\":95.50},"
  "\"ok\":{\"type\":\"boolean\",\"default\":true},"
  "\"color\":{\"type\":\"string\",\"enum\":[\"Red\",\"Green\"],\"default\":\"Green\"},"
  "\"hex\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"#f00\",\"title\":\"Red\"},"
  "{\"const\":\"#0f0\",\"title\":\"Green\"}]},"
  "\"old\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"],\"enumNames\":[\"Aaa\",\"Bbb\"]},"
  "\"many\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"string\","
  "\"enum\":[\"x\",\"y\",\"z\"]},\"default\":[\"x\"]},"
  "\"titled\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"1\",\"title\":\"One\"},"
  "{\"const\":\"2\",\"title\":\"Two\"}]}},"
  "\"odd\":{\"type\":\"object\"}",
  "\"name\"");

static void
test_fields (void)
{
  static const struct
  {
    const char *name;
    GmcpElicitationFieldKind kind;
    const char *options;
    const char *titles;
    const char *value;
  } expected[] = {
    { "name", GMCP_ELICITATION_FIELD_KIND_STRING, NULL, NULL, NULL },
    { "mail", GMCP_ELICITATION_FIELD_KIND_STRING, NULL, NULL, NULL },
    { "page", GMCP_ELICITATION_FIELD_KIND_STRING, NULL, NULL, NULL },
    { "day", GMCP_ELICITATION_FIELD_KIND_STRING, NULL, NULL, NULL },
    { "when", GMCP_ELICITATION_FIELD_KIND_STRING, NULL, NULL, NULL },
    { "age", GMCP_ELICITATION_FIELD_KIND_INTEGER, NULL, NULL, NULL },
    { "score", GMCP_ELICITATION_FIELD_KIND_NUMBER, NULL, NULL, "95.50" },
    { "ok", GMCP_ELICITATION_FIELD_KIND_BOOLEAN, NULL, NULL, "true" },
    { "color", GMCP_ELICITATION_FIELD_KIND_CHOICE, "Red|Green", "Red|Green", "\"Green\"" },
    { "hex", GMCP_ELICITATION_FIELD_KIND_CHOICE, "#f00|#0f0", "Red|Green", NULL },
    { "old", GMCP_ELICITATION_FIELD_KIND_CHOICE, "a|b", "Aaa|Bbb", NULL },
    { "many", GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE, "x|y|z", "x|y|z", "[\"x\"]" },
    { "titled", GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE, "1|2", "One|Two", NULL },
    { "odd", GMCP_ELICITATION_FIELD_KIND_UNKNOWN, NULL, NULL, NULL },
  };
  g_autoptr (GmcpElicitation) form = make (every_field, NULL, NULL);
  GListModel *fields = gmcp_elicitation_get_fields (form);
  GmcpElicitationField *age = gmcp_elicitation_get_field (form, "age");
  double limit;

  g_assert_cmpstr (gmcp_elicitation_get_message (form), ==, "Who?");
  g_assert_cmpint (gmcp_elicitation_get_mode (form), ==, GMCP_ELICITATION_MODE_FORM);
  g_assert_null (gmcp_elicitation_get_url (form));
  g_assert_cmpuint (g_list_model_get_n_items (fields), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GmcpElicitationField) field = g_list_model_get_item (fields, i);
      char **options = (char **) gmcp_elicitation_field_get_option_values (field);
      char **titles = (char **) gmcp_elicitation_field_get_option_titles (field);
      g_autofree char *joined = options != NULL ? g_strjoinv ("|", options) : NULL;
      g_autofree char *joined_titles = titles != NULL ? g_strjoinv ("|", titles) : NULL;
      g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
      g_autoptr (JsonNode) node = gmcp_elicitation_field_dup_default (field);

      g_assert_cmpstr (gmcp_elicitation_field_get_name (field), ==, expected[i].name);
      g_assert_cmpint (gmcp_elicitation_field_get_kind (field), ==, expected[i].kind);
      g_assert_cmpstr (joined, ==, expected[i].options);
      g_assert_cmpstr (joined_titles, ==, expected[i].titles);
      g_assert_cmpstr (value, ==, expected[i].value);
      g_assert_cmpint (node != NULL, ==, value != NULL);
      g_assert_cmpint (gmcp_elicitation_field_is_required (field), ==, i == 0);
    }

  g_assert_true (gmcp_elicitation_field_get_minimum (age, &limit));
  g_assert_cmpfloat (limit, ==, 18);
  g_assert_true (gmcp_elicitation_field_get_maximum (age, NULL));
  g_assert_cmpint (gmcp_elicitation_field_get_max_length (age), ==, -1);
  g_assert_null (gmcp_elicitation_get_field (form, "nobody"));
}

static void
test_bad_defaults (void)
{
  g_autoptr (GmcpElicitation) form = make (FORM ("\"a\":{\"type\":\"string\",\"default\":7},"
                                                 "\"b\":{\"type\":\"string\",\"enum\":[\"x\"],"
                                                 "\"default\":\"y\"},"
                                                 "\"c\":{\"type\":\"integer\",\"default\":1.5},"
                                                 "\"d\":{\"type\":\"string\",\"enum\":[1,2]},"
                                                 "\"e\":7,\"e\":{\"type\":\"boolean\"},"
                                                 "\"f\":{\"type\":\"string\",\"enum\":[]}",
                                                 ""),
                                           NULL, NULL);
  static const GmcpElicitationFieldKind kinds[] = {
    GMCP_ELICITATION_FIELD_KIND_STRING,  GMCP_ELICITATION_FIELD_KIND_CHOICE,
    GMCP_ELICITATION_FIELD_KIND_INTEGER, GMCP_ELICITATION_FIELD_KIND_UNKNOWN,
    GMCP_ELICITATION_FIELD_KIND_BOOLEAN, GMCP_ELICITATION_FIELD_KIND_UNKNOWN,
  };

  g_test_summary (
    "a default that could not be sent back is none; of doubled fields the last counts");
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_elicitation_get_fields (form)), ==,
                    G_N_ELEMENTS (kinds));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GmcpElicitationField) field
        = g_list_model_get_item (gmcp_elicitation_get_fields (form), i);

      g_assert_null (gmcp_elicitation_field_dup_default (field));
      g_assert_cmpint (gmcp_elicitation_field_get_kind (field), ==, kinds[i]);
    }
}

static void
test_accept (void)
{
  Asker asker = { NULL };
  g_autoptr (GmcpElicitation) form = make (every_field, &asker, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (form)));
  g_assert_true (gmcp_elicitation_accept_json (
    form, "{\"age\":30,\"name\":\"Zo\\u00eb\",\"ok\":null,\n\"many\":[\"y\",\"z\"]}", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (asker.answer, ==,
                   "{\"action\":\"accept\",\"content\":{\"name\":\"Zo\\u00eb\",\"age\":30,"
                   "\"score\":95.50,\"color\":\"Green\",\"many\":[\"y\",\"z\"]}}");
  g_assert_false (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (form)));

  /* A second answer is dropped. */
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (form));
  g_assert_true (gmcp_elicitation_accept_json (form, "{\"name\":\"Max\"}", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (asker.n_answers, ==, 1);
  g_assert_nonnull (strstr (asker.answer, "Zo"));
  g_assert_true (gmcp_elicitation_was_accepted (form));
  g_free (asker.answer);
}

static void
test_accept_node (void)
{
  Asker asker = { NULL };
  g_autoptr (GmcpElicitation) form = make (FORM ("\"a\":{\"type\":\"integer\"}", ""), &asker, NULL);
  g_autoptr (JsonNode) node = json_from_string ("{\"a\":3}", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_elicitation_accept (form, node, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (asker.answer, ==, "{\"action\":\"accept\",\"content\":{\"a\":3}}");
  g_free (asker.answer);
}

static void
test_accept_defaults (void)
{
  Asker asker = { NULL };
  g_autoptr (GmcpElicitation) form
    = make (FORM ("\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                  "\"age\":{\"type\":\"integer\",\"default\":30},"
                  "\"none\":{\"type\":\"string\"}",
                  "\"name\""),
            &asker, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_elicitation_accept (form, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (asker.answer, ==,
                   "{\"action\":\"accept\",\"content\":{\"name\":\"John Doe\",\"age\":30}}");
  g_free (asker.answer);
}

static void
test_refused_values (void)
{
  static const struct
  {
    const char *content;
    const char *field;
  } cases[] = {
    { "{}", "Name (name)" },
    { "{\"name\":null}", "Name (name)" },
    { "{\"name\":\"x\"}", "Name (name)" },
    { "{\"name\":\"x\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\"}", "Name (name)" },
    { "{\"name\":7}", "Name (name)" },
    { "{\"name\":\"abc\",\"mail\":\"me\"}", "mail" },
    { "{\"name\":\"abc\",\"mail\":\"a b@c.d\"}", "mail" },
    { "{\"name\":\"abc\",\"mail\":\"a@\"}", "mail" },
    { "{\"name\":\"abc\",\"page\":\"no address\"}", "page" },
    { "{\"name\":\"abc\",\"day\":\"2026-02-30\"}", "day" },
    { "{\"name\":\"abc\",\"day\":\"2026-2-3\"}", "day" },
    { "{\"name\":\"abc\",\"when\":\"2026-07-28T12:00:00\"}", "when" },
    { "{\"name\":\"abc\",\"when\":\"2026-07-28\"}", "when" },
    { "{\"name\":\"abc\",\"age\":17}", "age" },
    { "{\"name\":\"abc\",\"age\":121}", "age" },
    { "{\"name\":\"abc\",\"age\":18.5}", "age" },
    { "{\"name\":\"abc\",\"age\":\"18\"}", "age" },
    { "{\"name\":\"abc\",\"score\":\"1\"}", "score" },
    { "{\"name\":\"abc\",\"ok\":\"true\"}", "ok" },
    { "{\"name\":\"abc\",\"color\":\"Blue\"}", "color" },
    { "{\"name\":\"abc\",\"hex\":\"Red\"}", "hex" },
    { "{\"name\":\"abc\",\"many\":[]}", "many" },
    { "{\"name\":\"abc\",\"many\":[\"x\",\"y\",\"z\"]}", "many" },
    { "{\"name\":\"abc\",\"many\":[\"w\"]}", "many" },
    { "{\"name\":\"abc\",\"many\":\"x\"}", "many" },
    { "{\"name\":\"abc\",\"odd\":{}}", "odd" },
    { "{\"name\":\"abc\",\"odd\":[\"a\",7]}", "odd" },
    { "{\"name\":\"abc\",\"what\":1}", "what" },
    { "[]", "object" },
  };
  Asker asker = { NULL };
  g_autoptr (GmcpElicitation) form = make (every_field, &asker, NULL);
  g_autoptr (GError) broken = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].content);
      g_assert_false (gmcp_elicitation_accept_json (form, cases[i].content, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, cases[i].field));
    }
  g_assert_false (gmcp_elicitation_accept_json (form, "{", &broken));
  g_assert_error (broken, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_assert_cmpuint (asker.n_answers, ==, 0);
  g_assert_true (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (form)));
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (form));
  g_assert_cmpstr (asker.answer, ==, "{\"action\":\"decline\"}");
  g_free (asker.answer);
}

static void
test_good_values (void)
{
  static const char *const contents[] = {
    "{\"name\":\"abc\",\"mail\":\"a@b\"}",
    "{\"name\":\"abc\",\"page\":\"https://example.org/\"}",
    "{\"name\":\"abc\",\"day\":\"2024-02-29\"}",
    "{\"name\":\"abc\",\"when\":\"2026-07-28T12:00:00Z\"}",
    "{\"name\":\"abc\",\"when\":\"2026-07-28T12:00:00.5+02:00\"}",
    "{\"name\":\"abc\",\"age\":18.0}",
    "{\"name\":\"abc\",\"hex\":\"#f00\"}",
    "{\"name\":\"abc\",\"titled\":[]}",
    "{\"name\":\"abc\",\"odd\":[\"a\"]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      Asker asker = { NULL };
      g_autoptr (GmcpElicitation) form = make (every_field, &asker, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_true (gmcp_elicitation_accept_json (form, contents[i], &error));
      g_assert_no_error (error);
      g_free (asker.answer);
    }
}

static void
test_read_text (void)
{
  static const struct
  {
    const char *field;
    const char *text;
    const char *json; /* NULL where it is refused */
  } cases[] = {
    { "name", "ab \"c", "\"ab \\\"c\"" },
    { "name", "too long", NULL },
    { "age", " 20 ", "20" },
    { "age", "twenty", NULL },
    { "age", "20}", NULL },
    { "age", "", NULL },
    { "score", "-1.50", "-1.50" },
    { "score", "1,5", NULL },
    { "ok", "Yes", "true" },
    { "ok", "n", "false" },
    { "ok", "perhaps", NULL },
    { "color", "red", "\"Red\"" },
    { "color", "2", "\"Green\"" },
    { "color", "3", NULL },
    { "hex", "Green", "\"#0f0\"" },
    { "many", "1, z", "[\"x\",\"z\"]" },
    { "many", "", NULL },
    { "titled", "2", "[\"2\"]" },
    { "titled", "One", "[\"1\"]" },
  };
  g_autoptr (GmcpElicitation) form = make (every_field, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GmcpElicitationField *field = gmcp_elicitation_get_field (form, cases[i].field);
      g_autoptr (GError) error = NULL;
      g_autofree char *json = gmcp_elicitation_field_read_text (field, cases[i].text, &error);

      g_test_message ("%s: %s", cases[i].field, cases[i].text);
      g_assert_cmpstr (json, ==, cases[i].json);
      if (json == NULL)
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static char *
join_options (guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s\"v%u\"", i > 0 ? "," : "", i);
  return g_string_free (text, FALSE);
}

static void
test_many_options (void)
{
  static const struct
  {
    guint n_options;
    GmcpElicitationFieldKind kind;
  } cases[] = {
    { 10000, GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE },
    { 10001, GMCP_ELICITATION_FIELD_KIND_UNKNOWN },
  };
  /* So many that each must not be compared with each of the others. */
  g_autofree char *all = join_options (10000);
  g_autoptr (GString) chosen = g_string_new (all);

  for (guint i = 1; i < 50; i++)
    {
      g_string_append_c (chosen, ',');
      g_string_append (chosen, all);
    }

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *options = join_options (cases[i].n_options);
      g_autofree char *params = g_strdup_printf (
        FORM ("\"a\":{\"type\":\"array\",\"items\":{\"enum\":[%s]},\"default\":[%s]}", ""), options,
        chosen->str);
      g_autoptr (GmcpElicitation) form = make (params, NULL, NULL);
      GmcpElicitationField *field = gmcp_elicitation_get_field (form, "a");
      g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);

      g_assert_cmpint (gmcp_elicitation_field_get_kind (field), ==, cases[i].kind);
      g_assert_nonnull (value);
    }
}

static void
test_similar_options (void)
{
  static const struct
  {
    const char *chosen;
    gboolean ok;
  } cases[] = {
    { "[\"ab\",\"abc\",\"ab\"]", TRUE },
    { "[\"\\u0061b\",\"\\u00e9\",\"\"]", TRUE },
    { "[]", TRUE },
    { "[\"a\"]", FALSE },
    { "[\"abcd\"]", FALSE },
    { "[7]", FALSE },
  };
  g_autoptr (GmcpElicitation) form = make (
    FORM ("\"a\":{\"type\":\"array\",\"items\":{\"enum\":[\"abc\",\"ab\",\"é\",\"\"]}}", ""), NULL,
    NULL);
  GmcpElicitationField *field = gmcp_elicitation_get_field (form, "a");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) node = json_from_string (cases[i].chosen, NULL);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].chosen);
      g_assert_cmpint (gmcp_elicitation_field_check (field, node, &error), ==, cases[i].ok);
      g_assert_cmpint (error == NULL, ==, cases[i].ok);
    }
}

static void
test_let_go (void)
{
  Asker asker = { NULL };
  GmcpElicitation *form = make (every_field, &asker, NULL);

  g_assert_finalize_object (form);
  g_assert_cmpstr (asker.answer, ==, "{\"action\":\"cancel\"}");
  g_free (asker.answer);
}

static void
count (gpointer object, gpointer data)
{
  ++*(guint *) data;
}

static void
test_close (void)
{
  Asker asker = { NULL };
  GmcpElicitation *form = make (every_field, &asker, NULL);
  guint n_closed = 0;

  g_signal_connect (form, "closed", G_CALLBACK (count), &n_closed);
  gmcp_input_request_close (GMCP_INPUT_REQUEST (form));
  gmcp_input_request_close (GMCP_INPUT_REQUEST (form));
  g_assert_cmpuint (n_closed, ==, 1);
  gmcp_input_request_cancel (GMCP_INPUT_REQUEST (form));
  g_assert_finalize_object (form);
  g_assert_cmpuint (asker.n_answers, ==, 0);
}

static void
test_bad_forms (void)
{
  static const char *const params[] = {
    "{}",
    "[]",
    "{\"message\":\"x\",\"requestedSchema\":7}",
    "{\"message\":\"x\",\"requestedSchema\":{\"properties\":[]}}",
    "{\"mode\":\"dance\",\"message\":\"x\"}",
    "{\"mode\":7,\"message\":\"x\"}",
    "{\"mode\":\"url\",\"message\":\"x\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"file:///etc/passwd\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"javascript:alert(1)\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"https:///no-host\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"https://evil.example\\\\@good.example/\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"-flag https://example.org\"}",
    "{\"mode\":\"url\",\"message\":\"x\",\"url\":\"https://example.org/\\n; rm\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", params[i]);
      g_assert_null (make (params[i], NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }
}

static void
test_too_many_fields (void)
{
  g_autoptr (GString) params = g_string_new ("{\"requestedSchema\":{\"properties\":{");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= 1000; i++)
    g_string_append_printf (params, "%s\"f%u\":{}", i > 0 ? "," : "", i);
  g_string_append (params, "}}}");
  g_assert_null (make (params->str, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_url (void)
{
  static const struct
  {
    const char *url;
    const char *host;
    gboolean warns;
  } cases[] = {
    { "https://example.org/a?b=c", "example.org", FALSE },
    { "HTTPS://EXAMPLE.org", "EXAMPLE.org", FALSE },
    { "http://localhost:8080/x", "localhost", FALSE },
    { "http://127.0.0.1/x", "127.0.0.1", FALSE },
    { "http://example.org/", "example.org", TRUE },
    { "https://bank.example@evil.example/", "evil.example", TRUE },
    { "https://xn--e1awd7f.com/", "xn--e1awd7f.com", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params = g_strdup_printf (
        "{\"mode\":\"url\",\"message\":\"m\",\"elicitationId\":\"e\",\"url\":\"%s\"}",
        cases[i].url);
      Asker asker = { NULL };
      g_autoptr (GmcpElicitation) elicitation = make (params, &asker, NULL);
      guint n_completed = 0;

      g_assert_cmpint (gmcp_elicitation_get_mode (elicitation), ==, GMCP_ELICITATION_MODE_URL);
      g_assert_cmpstr (gmcp_elicitation_get_url (elicitation), ==, cases[i].url);
      g_assert_cmpstr (gmcp_elicitation_get_url_host (elicitation), ==, cases[i].host);
      g_assert_cmpstr (gmcp_elicitation_get_elicitation_id (elicitation), ==, "e");
      g_assert_cmpint (gmcp_elicitation_get_url_warning (elicitation) != NULL, ==, cases[i].warns);

      g_signal_connect (elicitation, "completed", G_CALLBACK (count), &n_completed);
      gmcp_elicitation_complete (elicitation);
      g_assert_false (gmcp_elicitation_is_completed (elicitation));
      g_assert_true (gmcp_elicitation_accept (elicitation, NULL, NULL));
      g_assert_cmpstr (asker.answer, ==, "{\"action\":\"accept\"}");
      g_assert_true (gmcp_elicitation_accept (elicitation, NULL, NULL));
      gmcp_input_request_cancel (GMCP_INPUT_REQUEST (elicitation));
      g_assert_cmpuint (asker.n_answers, ==, 1);
      g_assert_true (gmcp_elicitation_was_accepted (elicitation));
      gmcp_elicitation_complete (elicitation);
      gmcp_elicitation_complete (elicitation);
      g_assert_cmpuint (n_completed, ==, 1);
      g_free (asker.answer);
    }
}

static void
test_declined (void)
{
  Asker asker = { NULL };
  g_autoptr (GmcpElicitation) form = make (FORM ("\"a\":{\"type\":\"integer\"}", ""), &asker, NULL);

  g_test_summary ("what was declined is not accepted afterwards");
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (form));
  g_assert_true (gmcp_elicitation_accept (form, NULL, NULL));
  g_assert_false (gmcp_elicitation_was_accepted (form));
  g_assert_cmpuint (asker.n_answers, ==, 1);
  g_assert_cmpstr (asker.answer, ==, "{\"action\":\"decline\"}");
  g_free (asker.answer);
}

static void
test_own_forms (void)
{
  static const char *const bad[] = {
    "{}",
    "[]",
    "{\"type\":\"object\"}",
    "{\"type\":\"string\",\"properties\":{}}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"}}}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{}}}",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{}}}}",
  };
  g_autoptr (GmcpElicitation) good = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a form that is made here has fields of simple types only");
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_test_message ("%s", bad[i]);
      g_assert_null (gmcp_elicitation_new ("Which?", bad[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_clear_error (&error);
    }
  g_assert_null (gmcp_elicitation_new ("Which?", "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);

  good = gmcp_elicitation_new ("Which?",
                               "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
                               "\"b\":{\"enum\":[\"x\"]}}}",
                               &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_elicitation_get_fields (good)), ==, 2);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protocol/elicitation/fields", test_fields);
  g_test_add_func ("/protocol/elicitation/bad-defaults", test_bad_defaults);
  g_test_add_func ("/protocol/elicitation/many-options", test_many_options);
  g_test_add_func ("/protocol/elicitation/similar-options", test_similar_options);
  g_test_add_func ("/protocol/elicitation/accept", test_accept);
  g_test_add_func ("/protocol/elicitation/accept-node", test_accept_node);
  g_test_add_func ("/protocol/elicitation/accept-defaults", test_accept_defaults);
  g_test_add_func ("/protocol/elicitation/declined", test_declined);
  g_test_add_func ("/protocol/elicitation/refused-values", test_refused_values);
  g_test_add_func ("/protocol/elicitation/good-values", test_good_values);
  g_test_add_func ("/protocol/elicitation/read-text", test_read_text);
  g_test_add_func ("/protocol/elicitation/let-go", test_let_go);
  g_test_add_func ("/protocol/elicitation/close", test_close);
  g_test_add_func ("/protocol/elicitation/own-forms", test_own_forms);
  g_test_add_func ("/protocol/elicitation/bad-forms", test_bad_forms);
  g_test_add_func ("/protocol/elicitation/too-many-fields", test_too_many_fields);
  g_test_add_func ("/protocol/elicitation/url", test_url);

  return g_test_run ();
}
