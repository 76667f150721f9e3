/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* store-secret NAME: stores what standard input says as the user's secret of that name. */

#include <stdio.h>

#include <libsecret/secret.h>

static const SecretSchema schema = {
  .name = "org.gmcp.Credential",
  .flags = SECRET_SCHEMA_NONE,
  .attributes
  = { { "kind", SECRET_SCHEMA_ATTRIBUTE_STRING }, { "name", SECRET_SCHEMA_ATTRIBUTE_STRING } },
};

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  char value[256];

  if (argc != 2 || fgets (value, sizeof value, stdin) == NULL)
    return 2;

  g_strchomp (value);
  if (secret_password_store_sync (&schema, NULL, argv[1], value, NULL, &error, "kind", "variable",
                                  "name", argv[1], NULL))
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
