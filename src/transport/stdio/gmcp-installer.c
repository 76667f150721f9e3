/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-installer-private.h"

#include <string.h>

#include "gmcp-npm-folder-private.h"

/* A shell in a line for a shell, and so on. */
#define MAX_WRAPPERS 4u

typedef struct
{
  const char *program;
  const char *verb; /* the words after it; NULL where the program does nothing else */
  const char *family;
  const char *names;
  gboolean is_seen;
  gboolean is_serial;
  const char *valued; /* options that take the next word, with a space on either side */
  const char *naming; /* those of them that name a package */
} Kind;

#define NPM_VALUED                                                                                 \
  " -p --package --registry --prefix --userconfig --cache --loglevel -w --workspace "
#define UV_VALUED                                                                                  \
  " --from --with --with-editable --with-requirements --python -p --index --default-index"         \
  " --index-url -i --extra-index-url --find-links -f --env-file --constraints -c --directory"      \
  " --project --cache-dir --config-file --extra --group --package "
#define PIPX_VALUED " --spec --python --pip-args --index-url -i --suffix --with "
#define DOCKER_PLAIN                                                                               \
  " -i -t -d -P -q -it -ti -di -dit --rm --init --interactive --tty --detach --quiet --privileged --read-only --publish-all --no-healthcheck --oom-kill-disable --sig-proxy --replace --rmi "

/* clang-format off */
static const Kind kinds[] = {
  { "npx",     NULL,       "npm",    "npx npm",   TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "npm",     "exec",     "npm",    "npx npm",   TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "npm",     "x",        "npm",    "npx npm",   TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "pnpx",    NULL,       "pnpm",   "pnpm pnpx", TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "pnpm",    "dlx",      "pnpm",   "pnpm pnpx", TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "yarn",    "dlx",      "yarn",   "yarn",      TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "bunx",    NULL,       "bun",    "bun bunx",  TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "bun",     "x",        "bun",    "bun bunx",  TRUE,  TRUE,  NPM_VALUED,  " -p --package " },
  { "uvx",     NULL,       "uv",     "uv uvx",    TRUE,  TRUE,  UV_VALUED,   " --from " },
  { "uv",      "tool run", "uv",     "uv uvx",    TRUE,  TRUE,  UV_VALUED,   " --from " },
  { "uv",      "run",      "uv",     "uv uvx",    TRUE,  TRUE,  UV_VALUED,   " --with --from " },
  { "pipx",    "run",      "pipx",   "pipx",      TRUE,  TRUE,  PIPX_VALUED, " --spec " },
  /* These become the server, or speak for it, with nothing to be seen from outside. */
  { "deno",    "run",      "deno",   "deno",      FALSE, FALSE, " --config -c --import-map --lock --env-file --cert ", "" },
  { "docker",  "run",      "docker", "docker",    FALSE, FALSE, NULL,        "" },
  { "podman",  "run",      "podman", "podman",    FALSE, FALSE, NULL,        "" },
  { "nerdctl", "run",      "docker", "nerdctl",   FALSE, FALSE, NULL,        "" },
};
/* clang-format on */

static gboolean
is_listed (const char *list, const char *word)
{
  g_autofree char *padded = g_strdup_printf (" %s ", word);

  return strchr (word, ' ') == NULL && strstr (list, padded) != NULL;
}

static gboolean
takes_next (const Kind *kind, const char *option)
{
  if (strchr (option, '=') != NULL)
    return FALSE;

  return kind->valued != NULL ? is_listed (kind->valued, option)
                              : !is_listed (DOCKER_PLAIN, option);
}

/* The options before the first word count; what follows that word is the server's. */
static void
read_packages (GmcpInstaller *self, const Kind *kind, const char *const *words)
{
  const char *first = NULL;

  for (gsize i = 0; words[i] != NULL && first == NULL; i++)
    {
      const char *word = words[i];
      const char *equals = strchr (word, '=');
      g_autofree char *name
        = *word == '-' && equals != NULL ? g_strndup (word, equals - word) : g_strdup (word);

      if (g_str_equal (word, "--"))
        first = words[i + 1];
      else if (*word != '-')
        first = word;
      else if (is_listed (kind->naming, name) && equals != NULL)
        g_ptr_array_add (self->packages, g_strdup (equals + 1));
      else if (takes_next (kind, word))
        {
          if (words[i + 1] == NULL)
            break;
          i++;
          if (is_listed (kind->naming, word))
            g_ptr_array_add (self->packages, g_strdup (words[i]));
        }

      if (g_str_equal (word, "--"))
        break;
    }

  if (self->packages->len == 0 && first != NULL)
    g_ptr_array_add (self->packages, g_strdup (first));
}

/* People see the package's name, in one line. */
static gboolean
can_be_shown (const char *package)
{
  gsize length = strlen (package);

  if (length == 0 || length > 200)
    return FALSE;
  for (; *package != '\0'; package++)
    if (!g_ascii_isalnum (*package) && strchr ("@/._~^+:#-=<>[],", *package) == NULL)
      return FALSE;
  return TRUE;
}

static GmcpInstaller *
make_installer (const Kind *kind, const char *const *words)
{
  GmcpInstaller *self = g_new0 (GmcpInstaller, 1);

  self->family = kind->family;
  self->names = kind->names;
  self->program = kind->program;
  self->is_seen = kind->is_seen;
  self->is_serial = kind->is_serial;
  self->packages = g_ptr_array_new_with_free_func (g_free);
  read_packages (self, kind, words);
  if (self->packages->len > 0 && can_be_shown (g_ptr_array_index (self->packages, 0)))
    self->package = g_strdup (g_ptr_array_index (self->packages, 0));
  return self;
}

/* Fetches only what has the name of a place to fetch it from. */
static gboolean
fetches_package (const GmcpInstaller *self)
{
  static const char *const places[] = { "npm:", "jsr:", "https://", "http://" };

  if (!g_str_equal (self->family, "deno"))
    return TRUE;

  for (gsize i = 0; self->packages->len > 0 && i < G_N_ELEMENTS (places); i++)
    if (g_str_has_prefix (g_ptr_array_index (self->packages, 0), places[i]))
      return TRUE;
  return FALSE;
}

/* The words after the verb; NULL where that is another one. */
static const char *const *
skip_verb (const char *const *words, const char *verb)
{
  g_auto (GStrv) parts = verb != NULL ? g_strsplit (verb, " ", -1) : NULL;

  for (gsize i = 0; parts != NULL && parts[i] != NULL; i++, words++)
    {
      while (*words != NULL && **words == '-')
        words++;
      if (*words == NULL || !g_str_equal (*words, parts[i]))
        return NULL;
    }
  return words;
}

static GmcpInstaller *
find_kind (const char *program, const char *const *words)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const char *const *rest
        = g_str_equal (kinds[i].program, program) ? skip_verb (words, kinds[i].verb) : NULL;

      if (rest != NULL)
        {
          g_autoptr (GmcpInstaller) found = make_installer (&kinds[i], rest);

          if (fetches_package (found))
            return g_steal_pointer (&found);
        }
    }
  return NULL;
}

static GmcpInstaller *find_in_argv (const char *const *argv, guint n_wrappers);

static gboolean
is_assignment (const char *word)
{
  const char *equals = strchr (word, '=');

  return equals != NULL && equals > word && *word != '-' && strchr (word, '/') != word;
}

/* “env -i NAME=VALUE npx …”, “exec npx …” */
static const char *const *
skip_prefix (const char *const *words)
{
  static const char *const prefixes[] = { "env", "exec", "command", "nice", "nohup", NULL };

  while (*words != NULL)
    {
      g_autofree char *name = g_path_get_basename (*words);

      if (g_strv_contains (prefixes, name))
        {
          words++;
          while (*words != NULL && **words == '-')
            words++;
        }
      else if (is_assignment (*words))
        words++;
      else
        break;
    }
  return words;
}

/* What stands between “&&”, “;” and the like: the last command that fetches counts. */
static GmcpInstaller *
find_in_line (const char *line, guint n_wrappers)
{
  g_auto (GStrv) words = NULL;
  GmcpInstaller *found = NULL;
  gsize from = 0;
  gsize n;

  if (!g_shell_parse_argv (line, NULL, &words, NULL))
    return NULL;

  n = g_strv_length (words);
  for (gsize i = 0; i <= n; i++)
    {
      gboolean ends_word = i < n && g_str_has_suffix (words[i], ";");
      g_autoptr (GPtrArray) part = NULL;
      GmcpInstaller *here;

      if (i < n && !ends_word && !g_str_equal (words[i], "&&") && !g_str_equal (words[i], "||")
          && !g_str_equal (words[i], "|"))
        continue;

      part = g_ptr_array_new ();
      for (gsize j = from; j < i; j++)
        g_ptr_array_add (part, words[j]);
      g_ptr_array_add (part, NULL);
      from = i + 1;
      here = find_in_argv ((const char *const *) part->pdata, n_wrappers + 1);
      if (here != NULL)
        {
          g_clear_pointer (&found, gmcp_installer_free);
          found = here;
        }
    }
  return found;
}

static GmcpInstaller *
find_in_argv (const char *const *argv, guint n_wrappers)
{
  static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", NULL };
  const char *const *words = skip_prefix (argv);
  g_autofree char *program = NULL;

  if (*words == NULL || **words == '\0' || n_wrappers > MAX_WRAPPERS)
    return NULL;

  program = g_path_get_basename (*words++);
  if (!g_strv_contains (shells, program))
    return find_kind (program, words);

  for (; *words != NULL && **words == '-'; words++)
    if ((*words)[1] != '-' && strchr (*words, 'c') != NULL)
      return words[1] != NULL ? find_in_line (words[1], n_wrappers) : NULL;
  return NULL;
}

GmcpInstaller *
gmcp_installer_find (const char *const *argv)
{
  GmcpInstaller *self = argv != NULL ? find_in_argv (argv, 0) : NULL;

  if (self != NULL)
    {
      g_autofree char *name = g_path_get_basename (*skip_prefix (argv));

      self->is_direct = g_str_equal (name, self->program);
    }
  return self;
}

void
gmcp_installer_free (GmcpInstaller *self)
{
  g_ptr_array_unref (self->packages);
  g_free (self->package);
  g_free (self);
}

static char *
build_path (const char *name)
{
  return g_build_filename (g_get_user_cache_dir (), "gmcp", "install", name, NULL);
}

char *
gmcp_installer_dup_lock_path (const GmcpInstaller *self)
{
  g_autofree char *name = g_strconcat (self->family, ".lock", NULL);

  return self->is_serial ? build_path (name) : NULL;
}

char *
gmcp_installer_dup_present_path (const GmcpInstaller *self,
                                 const char *const *argv,
                                 const char *const *environment,
                                 gboolean *is_ours)
{
  g_autoptr (GChecksum) checksum = NULL;
  g_autofree char *name = NULL;

  *is_ours = !g_str_equal (self->family, "npm");
  if (!*is_ours)
    {
      g_autofree char *folder = gmcp_npm_folder_dup_path (self->packages, environment);

      /* npm writes it at the end. */
      return folder != NULL ? g_build_filename (folder, "node_modules", ".package-lock.json", NULL)
                            : NULL;
    }

  checksum = g_checksum_new (G_CHECKSUM_SHA256);
  for (; *argv != NULL; argv++)
    g_checksum_update (checksum, (const guchar *) *argv, strlen (*argv) + 1);
  name = g_strdup_printf ("%s-%.32s", self->family, g_checksum_get_string (checksum));
  return build_path (name);
}
