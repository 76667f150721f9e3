/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-settings-reader-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-source-private.h"
#include "gmcp-config-trust-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"
#include "gmcp-visible-text-private.h"

#include <gmcp/core/gmcp-error.h>

/* The file as it is read, for a load or after a change. */
typedef struct
{
  GmcpFileConfigSource *source;
  GmcpConfigLoad *load;         /* NULL after a change */
  GmcpConfigLocation *location; /* NULL of a file without a path */
  char *text;
  gsize length;
  char *hash;
  GHashTable *approved; /* ids of servers that stand in for others; NULL for none */
  guint generation;
  gboolean trusted;
  char *distrust; /* why it could not be looked up whether it is; NULL where it could */
} Reading;

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->source);
  g_clear_object (&reading->load);
  g_clear_pointer (&reading->location, gmcp_config_location_unref);
  g_free (reading->text);
  g_free (reading->hash);
  g_clear_pointer (&reading->approved, g_hash_table_unref);
  g_free (reading->distrust);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

/* Stops a file that has no end, such as a device. */
static gboolean
may_read_more (const char *contents, goffset size, gpointer data)
{
  return size <= (goffset) GMCP_LIMIT_CONFIG_FILE_BYTES;
}

static void
return_load (GmcpConfigLoad *load, const GError *error)
{
  if (error != NULL)
    gmcp_config_load_return_error (load, error);
  else
    gmcp_config_load_return_success (load);
}

static gboolean
is_newest (Reading *reading)
{
  return reading->generation == reading->source->generation;
}

static void
finish_newest (Reading *reading, const GError *error)
{
  GmcpFileConfigSource *self = reading->source;
  g_autoptr (GPtrArray) overtaken = g_steal_pointer (&self->overtaken);

  self->overtaken = g_ptr_array_new_with_free_func (g_object_unref);
  self->reading = FALSE;
  self->overtook = FALSE;
  g_clear_error (&self->failure);
  self->failure = error != NULL ? g_error_copy (error) : NULL;

  /* After a change nobody may wait for an answer. */
  if (reading->load != NULL)
    return_load (reading->load, error);
  else if (error != NULL && overtaken->len == 0)
    gmcp_config_source_report (GMCP_CONFIG_SOURCE (self), NULL, error);
  for (guint i = 0; i < overtaken->len; i++)
    return_load (g_ptr_array_index (overtaken, i), error);
}

/* A load that a later reading has overtaken ends as that one does. */
static void
end_reading (Reading *reading, const GError *error)
{
  GmcpFileConfigSource *self = reading->source;

  if (is_newest (reading))
    finish_newest (reading, error);
  else if (reading->load != NULL && self->reading)
    g_ptr_array_add (self->overtaken, g_object_ref (reading->load));
  else if (reading->load != NULL)
    return_load (reading->load, self->failure);
}

/* Loads that the reading overtook are not cancelled with it. */
static void
finish_cancelled (Reading *reading, const GError *error)
{
  GmcpFileConfigSource *self = reading->source;

  if (is_newest (reading))
    self->reading = FALSE;
  if (is_newest (reading) && self->overtook)
    gmcp_file_config_source_read (self, NULL);
  if (reading->load != NULL)
    return_load (reading->load, error);
}

static char *
dup_name (Reading *reading)
{
  g_autoptr (GFile) located = NULL;

  if (reading->source->project && reading->location != NULL)
    located = g_file_new_for_path (reading->location->file);
  return g_file_get_parse_name (located != NULL ? located : reading->source->file);
}

static void
report_one (Reading *reading, GmcpNoticeLevel level, const char *message)
{
  GmcpFileConfigSource *self = reading->source;
  g_autofree char *name = dup_name (reading);
  g_autoptr (GmcpConfigFinding) finding
    = gmcp_config_finding_new_for_name (level, name, 0, NULL, message);

  gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self), &finding, 1);
}

/* What `{workspace}` stands for in a file that has one of its own; NULL for the manager's. */
static char *
dup_workspace (GmcpFileConfigSource *self)
{
  const char *path = self->file != NULL ? g_file_peek_path (self->file) : NULL;

  if (self->location != NULL)
    return g_strdup (self->location->workspace);

  return self->workspace == NULL && self->project && path != NULL ? g_path_get_dirname (path)
                                                                  : g_strdup (self->workspace);
}

GmcpFileConfigSource *
gmcp_config_source_peek_file (GmcpConfigSource *source)
{
  return GMCP_IS_FILE_CONFIG_SOURCE (source) ? GMCP_FILE_CONFIG_SOURCE (source) : NULL;
}

char *
gmcp_config_source_dup_workspace (GmcpConfigSource *source, const char *workspace)
{
  GmcpFileConfigSource *file = gmcp_config_source_peek_file (source);
  char *own = file != NULL ? dup_workspace (file) : NULL;

  return own != NULL ? own : g_strdup (workspace);
}

static GmcpConfigOrigin *
make_origin (Reading *reading)
{
  GmcpFileConfigSource *self = reading->source;
  GmcpConfigLocation *location = reading->location;
  const char *path = g_file_peek_path (self->file);
  const char *folder = NULL;

  if (location == NULL)
    return gmcp_config_origin_new (path, self->workspace, NULL, self->project);

  /* What is looked for at a place of the user's has no folder to run in there. */
  if (self->project)
    folder = location->workspace;
  else if (!self->optional && location->is_regular)
    folder = location->folder;
  return gmcp_config_origin_new (self->project ? location->file : path, location->workspace, folder,
                                 self->project);
}

/* Before anybody else has the configurations. */
static void
mark_servers (Reading *reading, GmcpConfigContents *contents)
{
  g_autoptr (GmcpConfigOrigin) origin = make_origin (reading);

  origin->inputs = g_ptr_array_ref (contents->inputs);
  for (guint i = 0; i < contents->servers->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (contents->servers, i);

      gmcp_server_config_set_origin (config, origin);
      gmcp_server_config_set_stands_in (
        config, reading->approved != NULL
                  && g_hash_table_contains (reading->approved, gmcp_server_config_get_id (config)));
    }
}

static void
take_contents (Reading *reading, GmcpConfigContents *contents)
{
  GmcpFileConfigSource *self = reading->source;
  gboolean same
    = self->contents != NULL && gmcp_config_policy_equal (self->contents->policy, contents->policy);
  gboolean same_settings
    = self->contents != NULL
      && gmcp_config_settings_equal (&self->contents->settings, &contents->settings);
  gboolean is_due = FALSE;

  mark_servers (reading, contents);
  g_clear_pointer (&self->contents, gmcp_config_contents_free);
  self->contents = contents;
  gmcp_file_config_source_take_trusted (self, TRUE);
  /* The rules first, so that no server is there without them. */
  if (!same)
    is_due = gmcp_config_source_replace_policy_data (GMCP_CONFIG_SOURCE (self), contents->policy);
  if (is_due || !same_settings)
    gmcp_config_source_policy_changed (GMCP_CONFIG_SOURCE (self));
  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self),
                                  (GmcpServerConfig **) contents->servers->pdata,
                                  contents->servers->len);
}

/* Which server each finding is about, where it is one; the ids are the contents'. */
static GPtrArray *
list_subjects (GmcpConfigContents *contents, GPtrArray *findings)
{
  GPtrArray *ids = g_ptr_array_new ();

  g_ptr_array_set_size (ids, (int) findings->len);
  for (guint i = 0; i < contents->outcomes->len; i++)
    {
      GmcpConfigOutcome *outcome = g_ptr_array_index (contents->outcomes, i);

      for (guint j = 0; j < outcome->n_findings; j++)
        ids->pdata[outcome->first_finding + j] = outcome->id;
    }
  return ids;
}

/* An optional file is ignored while it is wrong, unless it was right before: then its author is
 * still at work. */
static gboolean
is_tolerant (GmcpFileConfigSource *self)
{
  return self->optional && (self->contents == NULL || self->contents->n_errors > 0);
}

static char *
describe_size (void)
{
  return g_strdup_printf (_ ("larger than a configuration may be (%u bytes)"),
                          GMCP_LIMIT_CONFIG_FILE_BYTES);
}

/* What is wrong with the file as a whole; NULL for nothing. */
static char *
find_fault (Reading *reading, GmcpConfigFormat format)
{
  if (reading->length > GMCP_LIMIT_CONFIG_FILE_BYTES)
    return describe_size ();
  /* In JSON it is an error anyway. */
  if (reading->length == 0 && format != GMCP_CONFIG_FORMAT_JSON && reading->source->contents != NULL
      && reading->source->contents->any)
    return g_strdup (
      _ ("the file is empty, as one is that is being written; to take all out of it, "
         "write a comment into it, or delete it"));
  return NULL;
}

static gboolean
take_text (Reading *reading, GError **error)
{
  GmcpFileConfigSource *self = reading->source;
  g_autofree char *name = dup_name (reading);
  const char *base_dir = reading->location != NULL ? reading->location->folder : NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  GmcpConfigFormat format = gmcp_config_format_guess (name);
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GError) problem = NULL;
  g_autofree char *fault = find_fault (reading, format);
  gboolean takes;

  if (fault != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "%s: %s", name, fault);
      report_one (reading, GMCP_NOTICE_LEVEL_ERROR, fault);
      g_clear_pointer (&self->refused, gmcp_config_contents_free);
      return FALSE;
    }

  contents = gmcp_config_contents_read_all (reading->text, reading->length, format, name, base_dir,
                                            findings, &problem);
  takes = contents != NULL && (contents->n_errors == 0 || (contents->usable && is_tolerant (self)));
  if (takes && contents->n_errors > 0)
    {
      g_autoptr (GPtrArray) ids = list_subjects (contents, findings);

      gmcp_config_source_set_left_out (GMCP_CONFIG_SOURCE (self), findings, ids);
    }
  else
    {
      gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self),
                                       (GmcpConfigFinding **) findings->pdata, findings->len);
    }

  g_clear_pointer (&self->refused, gmcp_config_contents_free);
  if (takes)
    take_contents (reading, g_steal_pointer (&contents));
  else
    {
      self->refused = g_steal_pointer (&contents);
      g_propagate_error (error, g_steal_pointer (&problem));
    }
  return takes;
}

/* Takes back what the file said; contents are none any more. */
static void
drop_contents (GmcpFileConfigSource *self)
{
  g_clear_pointer (&self->refused, gmcp_config_contents_free);
  if (self->contents == NULL)
    return;

  g_clear_pointer (&self->contents, gmcp_config_contents_free);
  gmcp_config_source_replace_policy_data (GMCP_CONFIG_SOURCE (self), NULL);
  gmcp_config_source_policy_changed (GMCP_CONFIG_SOURCE (self));
  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self), NULL, 0);
}

/* A file that need not be there is not. */
static void
take_nothing (GmcpFileConfigSource *self)
{
  gmcp_config_source_set_findings (GMCP_CONFIG_SOURCE (self), NULL, 0);
  g_clear_pointer (&self->hash, g_free);
  gmcp_file_config_source_take_trusted (self, !self->project);
  drop_contents (self);
}

/* What nobody trusts is not even parsed: it has no part in anything, costs nothing, and is told of in one
 * line, which nothing that stands in it can change. */
static void
take_untrusted (Reading *reading)
{
  GmcpFileConfigSource *self = reading->source;
  g_autofree char *name = dup_name (reading);
  g_autofree char *word = gmcp_dup_shell_word (name);
  g_autofree char *message = NULL;

  if (reading->length > GMCP_LIMIT_CONFIG_FILE_BYTES)
    message = describe_size ();
  else if (reading->distrust != NULL)
    message = g_strdup (reading->distrust);
  else
    message = g_strdup_printf (
      _ ("its servers do not run before you trust this file: gmcp config trust %s"), word);

  gmcp_file_config_source_take_trusted (self, FALSE);
  drop_contents (self);
  report_one (reading, GMCP_NOTICE_LEVEL_WARNING, message);
}

static void
take_location (Reading *reading)
{
  g_clear_pointer (&reading->source->location, gmcp_config_location_unref);
  if (reading->location != NULL)
    reading->source->location = gmcp_config_location_ref (reading->location);
}

/* What was read later counts. */
static void
finish_reading (Reading *reading)
{
  GmcpFileConfigSource *self = reading->source;
  g_autoptr (GError) error = NULL;

  if (is_newest (reading))
    {
      take_location (reading);
      g_free (self->hash);
      self->hash = g_strdup (reading->hash);
      if (self->project && !reading->trusted)
        take_untrusted (reading);
      else
        take_text (reading, &error);
    }
  end_reading (reading, error);
}

static void
on_trust_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Reading) reading = data;
  g_autoptr (GError) error = NULL;

  reading->trusted = gmcp_config_trust_check_finish (result, &reading->approved, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      finish_cancelled (reading, error);
      return;
    }

  if (error != NULL)
    reading->distrust = g_strdup (error->message);
  finish_reading (reading);
}

static void
fail_to_read (Reading *reading, const GError *cause)
{
  g_autofree char *name = dup_name (reading);
  g_autoptr (GError) dressed = NULL;

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      finish_cancelled (reading, cause);
      return;
    }

  dressed = g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                         _ ("The configuration file %s cannot be read: %s"), name, cause->message);
  /* A folder that somebody has cloned breaks nothing. */
  if (reading->source->project && reading->source->optional)
    {
      if (is_newest (reading))
        report_one (reading, GMCP_NOTICE_LEVEL_WARNING, cause->message);
      end_reading (reading, NULL);
      return;
    }
  if (is_newest (reading))
    report_one (reading, GMCP_NOTICE_LEVEL_ERROR, cause->message);
  end_reading (reading, dressed);
}

/* After a change, a file that was read before and is not there any more has been taken away: a program
 * that writes a file anew had the time for that. */
static gboolean
is_taken_away (Reading *reading, const GError *error)
{
  GmcpConfigContents *contents = reading->source->contents;

  return reading->load == NULL && contents != NULL && contents->any
         && (error == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND));
}

static void
take_removal (Reading *reading)
{
  GmcpFileConfigSource *self = reading->source;
  g_autofree char *name = dup_name (reading);
  const char *message = _ ("the file is not there any more, and what stood in it does not count");
  g_autoptr (GError) error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "%s: %s", name, message);

  take_nothing (self);
  report_one (reading, GMCP_NOTICE_LEVEL_WARNING, message);
  gmcp_config_source_report (GMCP_CONFIG_SOURCE (self), NULL, error);
}

static void
take_missing (Reading *reading)
{
  g_autoptr (GmcpFileConfigSource) alive G_GNUC_UNUSED = g_object_ref (reading->source);

  if (is_newest (reading) && is_taken_away (reading, NULL))
    take_removal (reading);
  else if (is_newest (reading))
    take_nothing (reading->source);
  end_reading (reading, NULL);
}

static void
take_read (Reading *reading)
{
  GmcpFileConfigSource *self = reading->source;

  reading->trusted = !self->project;
  if (self->project && reading->length <= GMCP_LIMIT_CONFIG_FILE_BYTES)
    {
      GCancellable *cancellable
        = reading->load != NULL ? gmcp_config_load_get_cancellable (reading->load) : NULL;
      g_autofree char *uri = g_file_get_uri (self->file);
      const char *name = reading->location != NULL ? reading->location->trusted_as : uri;

      reading->hash = gmcp_config_trust_hash (reading->text, reading->length);
      gmcp_config_trust_check_async (name, reading->hash, cancellable, on_trust_checked, reading);
      return;
    }

  finish_reading (reading);
  reading_free (reading);
}

static void
on_contents (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Reading) reading = data;
  GmcpFileConfigSource *self = reading->source;
  g_autoptr (GError) error = NULL;

  if (g_file_load_partial_contents_finish (self->file, result, &reading->text, &reading->length,
                                           NULL, &error))
    take_read (g_steal_pointer (&reading));
  else if ((self->optional || is_taken_away (reading, error))
           && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    take_missing (reading);
  else
    fail_to_read (reading, error);
}

static void
on_bytes (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Reading) reading = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = gmcp_config_location_read_finish (result, &reading->location, &error);

  if (error != NULL && !is_taken_away (reading, error))
    {
      fail_to_read (reading, error);
      return;
    }
  if (bytes == NULL)
    {
      take_missing (reading);
      return;
    }

  reading->length = g_bytes_get_size (bytes);
  reading->text = g_malloc (reading->length + 1);
  if (reading->length > 0)
    memcpy (reading->text, g_bytes_get_data (bytes, NULL), reading->length);
  reading->text[reading->length] = '\0';
  take_read (g_steal_pointer (&reading));
}

void
gmcp_file_config_source_read (GmcpFileConfigSource *self, GmcpConfigLoad *load)
{
  Reading *reading = g_new0 (Reading, 1);
  GCancellable *cancellable = load != NULL ? gmcp_config_load_get_cancellable (load) : NULL;
  const char *path = g_file_peek_path (self->file);

  reading->source = g_object_ref (self);
  reading->load = load != NULL ? g_object_ref (load) : NULL;
  reading->generation = ++self->generation;
  self->overtook = self->overtook || self->reading;
  self->reading = TRUE;
  g_main_context_push_thread_default (self->context);
  if (path != NULL)
    gmcp_config_location_read_async (path, self->workspace, self->project, self->optional,
                                     cancellable, on_bytes, reading);
  else
    g_file_load_partial_contents_async (self->file, cancellable, may_read_more, on_contents,
                                        reading);
  g_main_context_pop_thread_default (self->context);
}
