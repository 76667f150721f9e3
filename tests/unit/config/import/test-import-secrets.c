/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-config-secret-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/import/gmcp-config-import.h>

#include "unit-test.h"

/* From one file to another, with secrets on the way into libsecret's store in a file. */
typedef struct
{
  char *folder;
  char *source;
  char *target;
  GmcpConfigImport *import;
} Fixture;

static const char servers[]
  = "{\"mcpServers\":{\"web\":{\"command\":\"x\",\"args\":[\"--token=inargs1234\"],"
    "\"env\":{\"API_TOKEN\":\"plain-token\",\"NAME\":\"me\",\"OTHER_KEY\":\"${FROM_ENV}\"}},"
    "\"far\":{\"url\":\"http://h/\",\"headers\":{\"Authorization\":\"Bearer plain-bearer\","
    "\"X-Api-Key\":\"plain-key\",\"Accept\":\"a\"}}}}";

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) source = NULL;
  g_autoptr (GFile) target = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-secrets-XXXXXX", NULL);
  fixture->source = g_build_filename (fixture->folder, "theirs.json", NULL);
  fixture->target = g_build_filename (fixture->folder, "ours.json", NULL);
  g_assert_true (g_file_set_contents (fixture->source, servers, -1, NULL));
  source = g_file_new_for_path (fixture->source);
  target = g_file_new_for_path (fixture->target);
  fixture->import = gmcp_config_import_new ("cursor", source);
  gmcp_config_import_set_target_file (fixture->import, target);
  gmcp_config_import_set_store_secrets (fixture->import, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lock = g_strconcat (fixture->target, ".lock", NULL);

  g_assert_finalize_object (fixture->import);
  g_unlink (fixture->source);
  g_unlink (fixture->target);
  g_unlink (lock);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_free (fixture->source);
  g_free (fixture->target);
}

static void
store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static void
load (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_config_import_load_async (fixture->import, NULL, store_result, &result);
  gmcp_config_import_load_finish (fixture->import, wait (&result), &error);
  g_assert_no_error (error);
}

static gboolean
apply (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_import_apply_async (fixture->import, NULL, NULL, store_result, &result);
  return gmcp_config_import_apply_finish (fixture->import, wait (&result), error);
}

static char *
describe (Fixture *fixture)
{
  GListModel *items = gmcp_config_import_get_items (fixture->import);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);
      g_autofree char *notes = g_strjoinv ("|", (char **) gmcp_config_import_item_get_notes (item));
      g_autofree char *secrets
        = g_strjoinv ("|", (char **) gmcp_config_import_item_get_secrets (item));

      g_string_append_printf (text, "%s: %s; %s\n", gmcp_config_import_item_get_id (item), notes,
                              secrets);
    }
  return g_string_free (text, FALSE);
}

static void
assert_nothing_written (Fixture *fixture)
{
  g_assert_false (g_file_test (fixture->target, G_FILE_TEST_EXISTS));
}

/* Without a keyring, or without libsecret. */
static void
test_no_keyring (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (g_test_subprocess ())
    {
      load (fixture);
      g_assert_false (apply (fixture, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message,
                                "the secret web-API_TOKEN could not be put into the "
                                "keyring, and nothing was imported: "));
      g_assert_null (strstr (error->message, "plain"));
      assert_nothing_written (fixture);
      return;
    }

  g_setenv ("SECRET_BACKEND", "service", TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_setenv ("SECRET_BACKEND", "file", TRUE);
}

static void
test_off (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *written = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("without being told to, nothing goes into the keyring, and secrets are named");
  gmcp_config_import_set_store_secrets (fixture->import, FALSE);
  load (fixture);
  text = describe (fixture);
  g_assert_cmpstr (text, ==,
                   "web: ; args[0]|env.API_TOKEN\n"
                   "far: ; headers.Authorization|headers.X-Api-Key\n");
  g_assert_true (apply (fixture, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->target, &written, NULL, NULL));
  g_assert_nonnull (strstr (written, "plain-token"));
}

#if defined(HAVE_LIBSECRET) && !defined(__SANITIZE_ADDRESS__)

static char *
look_up (const char *name)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  char *value;

  gmcp_config_secret_lookup_async (name, "", NULL, NULL, store_result, &result);
  value = gmcp_config_secret_lookup_finish (wait (&result), &error);
  g_assert_no_error (error);
  return value;
}

#define assert_stored(name, value)                                                                 \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *stored = look_up (name);                                                      \
    g_assert_cmpstr (stored, ==, value);                                                           \
  }                                                                                                \
  G_STMT_END

static void
set_secret (const char *name, const char *value)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (value != NULL)
    {
      gmcp_config_secret_store_async (name, value, NULL, store_result, &result);
      gmcp_config_secret_store_finish (wait (&result), &error);
    }
  else
    {
      gmcp_config_secret_clear_async (name, NULL, store_result, &result);
      gmcp_config_secret_clear_finish (wait (&result), &error);
    }
  g_assert_no_error (error);
}

static void
clear_all (void)
{
  set_secret ("web-API_TOKEN", NULL);
  set_secret ("far-Authorization", NULL);
  set_secret ("far-X-Api-Key", NULL);
}

static void
test_stored (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *written = NULL;
  g_autofree char *same = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("variables and headers go into the keyring, and their names into the file");
  clear_all ();
  load (fixture);
  text = describe (fixture);
  g_assert_cmpstr (text, ==,
                   "web: env.API_TOKEN: [redacted] → ${secret:web-API_TOKEN}; args[0]\n"
                   "far: headers.Authorization: [redacted] → Bearer ${secret:far-Authorization}|"
                   "headers.X-Api-Key: [redacted] → ${secret:far-X-Api-Key}; \n");
  assert_stored ("web-API_TOKEN", NULL);
  g_assert_true (apply (fixture, &error));
  g_assert_no_error (error);
  assert_stored ("web-API_TOKEN", "plain-token");
  assert_stored ("far-Authorization", "plain-bearer");
  assert_stored ("far-X-Api-Key", "plain-key");

  g_assert_true (g_file_get_contents (fixture->target, &written, NULL, NULL));
  g_assert_null (strstr (written, "plain"));
  g_assert_nonnull (strstr (written, "\"Bearer ${secret:far-Authorization}\""));
  g_assert_nonnull (strstr (written, "\"${FROM_ENV}\""));

  /* Once it is there, there is nothing to do. */
  load (fixture);
  same = describe (fixture);
  g_assert_cmpstr (same, ==, "web: ; args[0]\nfar: ; \n");
  clear_all ();
}

static void
test_there_already (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("what the keyring has is not overwritten; the same value is let be");
  clear_all ();
  set_secret ("far-X-Api-Key", "another-key");
  load (fixture);
  g_assert_false (apply (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "another value of the secret far-X-Api-Key already"));
  g_assert_nonnull (strstr (error->message, "gmcp secret remove "));
  g_assert_null (strstr (error->message, "another-key"));
  assert_nothing_written (fixture);
  assert_stored ("web-API_TOKEN", NULL);
  assert_stored ("far-X-Api-Key", "another-key");
  g_clear_error (&error);

  set_secret ("far-X-Api-Key", "plain-key");
  g_assert_true (apply (fixture, &error));
  g_assert_no_error (error);
  assert_stored ("web-API_TOKEN", "plain-token");
  clear_all ();
}

static void
test_not_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("where the file cannot be written, the keyring is as it was");
  clear_all ();
  set_secret ("far-X-Api-Key", "plain-key");
  load (fixture);
  g_assert_true (g_file_set_contents (fixture->target, "{\"mcpServers\":{}}", -1, NULL));
  g_assert_false (apply (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  assert_stored ("web-API_TOKEN", NULL);
  assert_stored ("far-Authorization", NULL);
  assert_stored ("far-X-Api-Key", "plain-key");
  clear_all ();
}

#endif

#define ADD(path, func)                                                                            \
  g_test_add ("/config-import/secrets/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *secrets = g_build_filename (dir, "secrets", NULL);
  int status;

  if (g_getenv ("SECRET_FILE_TEST_PATH") == NULL)
    {
      g_setenv ("SECRET_BACKEND", "file", TRUE);
      g_setenv ("SECRET_FILE_TEST_PATH", secrets, TRUE);
      g_setenv ("SECRET_FILE_TEST_PASSWORD", "password", TRUE);
    }
  g_test_init (&argc, &argv, NULL);
  ADD ("off", test_off);
  /* The library's store in a file, which only tests use, leaks at each reading. */
#if defined(HAVE_LIBSECRET) && !defined(__SANITIZE_ADDRESS__)
  ADD ("stored", test_stored);
  ADD ("there-already", test_there_already);
  ADD ("not-written", test_not_written);
#endif
  ADD ("no-keyring", test_no_keyring);
  status = g_test_run ();
  g_unlink (secrets);
  g_rmdir (dir);
  return status;
}
