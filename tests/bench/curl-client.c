/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The traffic of bench-client.c over HTTP through libcurl.
 *
 * curl-client WORK N URL; WORK is calls or sequential */

#include "bench-http.h"

#include <curl/curl.h>

typedef struct
{
  CURL *easy;
  size_t length;
  char data[8192];
} Transfer;

static Transfer transfers[BENCH_IN_FLIGHT];

static size_t
take (char *data, size_t size, size_t n, void *user_data)
{
  Transfer *self = user_data;

  if (self->length + size * n > sizeof self->data)
    return 0;
  memcpy (self->data + self->length, data, size * n);
  self->length += size * n;
  return size * n;
}

static void
prepare (Transfer *self, const char *url, struct curl_slist *headers)
{
  self->easy = curl_easy_init ();
  curl_easy_setopt (self->easy, CURLOPT_URL, url);
  curl_easy_setopt (self->easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt (self->easy, CURLOPT_POSTFIELDS, BENCH_HTTP_CALL);
  curl_easy_setopt (self->easy, CURLOPT_POSTFIELDSIZE, (long) sizeof BENCH_HTTP_CALL - 1);
  curl_easy_setopt (self->easy, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt (self->easy, CURLOPT_WRITEDATA, self);
  curl_easy_setopt (self->easy, CURLOPT_PRIVATE, self);
}

static void
send_request (CURLM *multi, Transfer *self)
{
  self->length = 0;
  if (curl_multi_add_handle (multi, self->easy) != CURLM_OK)
    abort ();
}

static void
run_calls (CURLM *multi, unsigned n, unsigned in_flight)
{
  unsigned sent = 0, answered = 0;

  for (; sent < in_flight && sent < n; sent++)
    send_request (multi, &transfers[sent]);
  while (answered < n)
    {
      CURLMsg *message;
      int left;

      if (curl_multi_perform (multi, &left) != CURLM_OK)
        abort ();
      while ((message = curl_multi_info_read (multi, &left)) != NULL)
        {
          char *private = NULL;
          Transfer *self;

          curl_easy_getinfo (message->easy_handle, CURLINFO_PRIVATE, &private);
          self = (void *) private;
          if (message->data.result != CURLE_OK
              || memmem (self->data, self->length, BENCH_TEXT, sizeof BENCH_TEXT - 1) == NULL)
            abort ();
          answered++;
          curl_multi_remove_handle (multi, self->easy);
          if (sent < n)
            {
              sent++;
              send_request (multi, self);
            }
        }
      if (answered < n && curl_multi_poll (multi, NULL, 0, 1000, NULL) != CURLM_OK)
        abort ();
    }
}

int
main (int argc, char *argv[])
{
  struct curl_slist *headers = NULL;
  unsigned in_flight, n;
  double cpu, wall;
  CURLM *multi;

  if (argc != 4)
    return 2;
  in_flight = strcmp (argv[1], "calls") == 0 ? BENCH_IN_FLIGHT : 1;
  n = (unsigned) strtoul (argv[2], NULL, 10);
  curl_global_init (CURL_GLOBAL_DEFAULT);
  multi = curl_multi_init ();
  headers = curl_slist_append (headers, "Content-Type: application/json");
  headers = curl_slist_append (headers, "Accept: application/json, text/event-stream");
  for (unsigned i = 0; i < in_flight; i++)
    prepare (&transfers[i], argv[3], headers);

  run_calls (multi, 1000, in_flight);
  cpu = bench_cpu_us ();
  wall = bench_wall_us ();
  run_calls (multi, n, in_flight);
  bench_report (n, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);
  return 0;
}
