/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* Each limit has its unit in its name. A class that enforces one has a property where a user might
 * have to change it. */

#define GMCP_LIMIT_MESSAGE_BYTES (64u * 1024 * 1024)
#define GMCP_LIMIT_JSON_DEPTH    256u
#define GMCP_LIMIT_JSON_WRITTEN_DEPTH                                                              \
  (GMCP_LIMIT_JSON_DEPTH + 16u) /* what was read, within what is written of it */
#define GMCP_LIMIT_JSON_VALUES          (8u * 1024 * 1024) /* and member names; 16 bytes each */
#define GMCP_LIMIT_HTTP_HEADER_BYTES    (64u * 1024)
#define GMCP_LIMIT_HTTP_MESSAGES        128u /* under way to one server */
#define GMCP_LIMIT_HTTP_CONNECTIONS     160  /* the streams that are opened again need some too */
#define GMCP_LIMIT_HTTP_REDIRECTS       5u
#define GMCP_LIMIT_HTTP_ERROR_BYTES     (64u * 1024)        /* of an error's body */
#define GMCP_LIMIT_HTTP_PARTS_BYTES     (64u * 1024 * 1024) /* of answers; or one message */
#define GMCP_LIMIT_HTTP_REOPENINGS      6u    /* of a stream, without anything in between */
#define GMCP_LIMIT_HTTP_INTERIM         16u   /* responses before the one that counts */
#define GMCP_LIMIT_SSE_FIELD_BYTES      4096u /* but for data */
#define GMCP_LIMIT_SESSION_ID_BYTES     4096u
#define GMCP_LIMIT_CHALLENGES           32u
#define GMCP_LIMIT_CHALLENGE_PARAMS     64u
#define GMCP_LIMIT_RETRY_AFTER_S        86400
#define GMCP_LIMIT_STDERR_TAIL_BYTES    (64u * 1024)
#define GMCP_LIMIT_STDOUT_TEXT_BYTES    (16u * 1024) /* of what is no message */
#define GMCP_LIMIT_LOGIN_PATH_BYTES     (64u * 1024)
#define GMCP_LIMIT_HOST_ENV_BYTES       (1024u * 1024)
#define GMCP_LIMIT_HOST_ENV_LINES       10000u
#define GMCP_LIMIT_SYSTEMD_JOBS         1000u
#define GMCP_LIMIT_SWEEP_PASSES         100u               /* for what a killed guard has left */
#define GMCP_LIMIT_SWEEP_ENV_BYTES      (4u * 1024 * 1024) /* of one process, looked at for that */
#define GMCP_LIMIT_LIST_ITEMS           20000u
#define GMCP_LIMIT_LIST_PAGES           1000u
#define GMCP_LIMIT_LIST_BYTES           (128u * 1024 * 1024) /* or two messages, where that is more */
#define GMCP_LIMIT_PENDING_CALLS        10000u
#define GMCP_LIMIT_INPUT_REQUESTS       100u /* questions of one server that wait at once */
#define GMCP_LIMIT_INPUT_ROUNDS         10u  /* of one call */
#define GMCP_LIMIT_KEPT_BYTES           (32u * 1024 * 1024) /* that a server makes its client keep */
#define GMCP_LIMIT_HOST_KEPT_BYTES      (64u * 1024 * 1024) /* of all servers of one process */
#define GMCP_LIMIT_ELICITATION_BYTES    (1024u * 1024)
#define GMCP_LIMIT_SAMPLING_BYTES       (16u * 1024 * 1024) /* images */
#define GMCP_LIMIT_INPUT_KEY_BYTES      1024u
#define GMCP_LIMIT_REQUEST_STATE_BYTES  (1024u * 1024)
#define GMCP_LIMIT_HANDLER_STATE_BYTES  (64u * 1024)
#define GMCP_LIMIT_REQUEST_ID_BYTES     1024u /* of a request of the peer's */
#define GMCP_LIMIT_STATUS_BYTES         4096u /* of a text about progress, or about a task */
#define GMCP_LIMIT_HANDSHAKE_BYTES      (4u * 1024 * 1024) /* what a server says of itself */
#define GMCP_LIMIT_INPUT_FIELDS         1000u
#define GMCP_LIMIT_INPUT_OPTIONS        10000u /* of one field */
#define GMCP_LIMIT_INPUT_PATTERN_BYTES  1024u
#define GMCP_LIMIT_INPUT_PATTERN_SIZE   2000u  /* instructions */
#define GMCP_LIMIT_INPUT_PATTERN_STEPS  50000u /* of one match */
#define GMCP_LIMIT_WRITE_QUEUE_BYTES    (256u * 1024 * 1024)
#define GMCP_LIMIT_REPLY_QUEUE_BYTES    (8u * 1024 * 1024) /* of what the peer asked for */
#define GMCP_LIMIT_ERROR_MESSAGE_BYTES  (64u * 1024)       /* of a peer */
#define GMCP_LIMIT_ERROR_DATA_BYTES     (256u * 1024)
#define GMCP_LIMIT_CONFIG_FILE_BYTES    (4u * 1024 * 1024)
#define GMCP_LIMIT_CONFIG_JSON_BYTES    (16u * 1024 * 1024) /* what YAML or TOML stands for */
#define GMCP_LIMIT_CONFIG_VALUES        200000u
#define GMCP_LIMIT_CONFIG_DEPTH         64u
#define GMCP_LIMIT_CONFIG_FINDINGS      1000u
#define GMCP_DEFAULT_STATE_DELAY_MS     1000u /* after a change of a file, perhaps by another program */
#define GMCP_DEFAULT_WATCH_DELAY_MS     100u /* until a file that was read is watched for changes */
#define GMCP_LIMIT_CONFIG_DELAY_MS      2000u  /* for a file that is written to again and again */
#define GMCP_LIMIT_CONFIG_WRITING_MS    10000u /* for a file that its writer has not closed */
#define GMCP_LIMIT_CACHE_FILES          2000u  /* of one kind, kept on disk */
#define GMCP_LIMIT_CACHE_FILE_DAYS      30u    /* without being used */
#define GMCP_LIMIT_WATCHED_LINKS        16u    /* from a path to its file */
#define GMCP_LIMIT_TOOL_NAME_LENGTH     64u
#define GMCP_LIMIT_TOOL_ARGUMENTS       1000u /* that people are told of */
#define GMCP_LIMIT_TASK_ID_BYTES        1024u
#define GMCP_LIMIT_TASK_QUESTIONS       1000u
#define GMCP_LIMIT_TASK_POLL_MIN_MS     20u
#define GMCP_LIMIT_TASK_POLL_MAX_MS     600000u
#define GMCP_LIMIT_SERVERS              1000u
#define GMCP_LIMIT_SERVER_ID_LENGTH     63u
#define GMCP_LIMIT_POLICY_NAMES         1000u /* of roles, or of requirements */
#define GMCP_LIMIT_POLICY_NAME_BYTES    255u
#define GMCP_LIMIT_PINNED_SERVERS       2000u
#define GMCP_LIMIT_STATE_FILE_BYTES     (32u * 1024 * 1024)
#define GMCP_LIMIT_CACHED_RESPONSES     10000u
#define GMCP_LIMIT_FILE_BACKUPS         32u /* beside one file of another program */

#define GMCP_LIMIT_LOG_MESSAGE_BYTES    4096u
#define GMCP_LIMIT_LOGGED_PER_SECOND    100u

#define GMCP_LIMIT_URI_TEMPLATE_BYTES   (64u * 1024)
#define GMCP_LIMIT_URI_BYTES            (1024u * 1024)
#define GMCP_LIMIT_URI_TEMPLATE_STEPS   (16u * 1024 * 1024) /* bytes, members looked at for one */

#define GMCP_LIMIT_SCHEMA_DEPTH         1024u
#define GMCP_LIMIT_SCHEMA_SUBSCHEMAS    50000u
#define GMCP_LIMIT_SCHEMA_STEPS         2000000u
#define GMCP_LIMIT_SCHEMA_FAILURES      5u
#define GMCP_LIMIT_PATTERN_BYTES        (64u * 1024)
#define GMCP_LIMIT_PATTERN_DEPTH        100u
#define GMCP_LIMIT_PATTERN_INSTRUCTIONS 20000u
#define GMCP_LIMIT_PATTERN_BACKTRACKS   500000u
/* All patterns of one schema together. */
#define GMCP_LIMIT_SCHEMA_INSTRUCTIONS 500000u

/* Short names that are kept for their tools: together far less than a file of state may hold. */
#define GMCP_LIMIT_GIVEN_NAMES            20000u
#define GMCP_LIMIT_GIVEN_NAMES_PER_SERVER 1000u
#define GMCP_LIMIT_GIVEN_NAME_BYTES       256u /* of the tool's own name */

/* Definitions of tools that are kept of one server; their digests are kept in any case. */
#define GMCP_LIMIT_PINNED_TOOLS        5000u
#define GMCP_LIMIT_PINNED_SERVER_BYTES (512u * 1024) /* of the definitions of its tools */
#define GMCP_LIMIT_PIN_TEXT_BYTES      (8u * 1024)
#define GMCP_LIMIT_PINNED_NAME_BYTES   256u

/* A tool's output schema, which is checked while the main loop waits. */
#define GMCP_LIMIT_OUTPUT_SUBSCHEMAS 10000u
#define GMCP_LIMIT_OUTPUT_STEPS      200000u

/* Tasks that a client keeps for its server. */
#define GMCP_LIMIT_OWN_TASKS        1000u
#define GMCP_LIMIT_OWN_TASKS_PAGE   100u
#define GMCP_LIMIT_OWN_TASK_WAITERS 100u
#define GMCP_LIMIT_OWN_TASK_TTL_MS  3600000u

/* Arguments that become GVariant values, for actions and for D-Bus, which takes no deeper ones (64) and no larger
 * arrays (64 MiB, and aligned to 8 bytes). */
#define GMCP_LIMIT_VARIANT_DEPTH      48u
#define GMCP_LIMIT_VARIANT_TYPE_DEPTH 30u
#define GMCP_LIMIT_VARIANT_VALUES     100000u
#define GMCP_LIMIT_VARIANT_BYTES      (16u * 1024 * 1024)

/* What an object on D-Bus says of itself. */
#define GMCP_LIMIT_INTROSPECTION_BYTES (1024u * 1024)
#define GMCP_LIMIT_INTROSPECTION_DEPTH 32u

/* Calls of a server made with gmcp that became tasks: of all clients, and of one user. */
#define GMCP_LIMIT_SERVER_TASKS           10000u
#define GMCP_LIMIT_SERVER_TASK_BYTES      (256u * 1024 * 1024) /* of their results */
#define GMCP_LIMIT_SERVER_USER_TASK_BYTES (64u * 1024 * 1024)
#define GMCP_LIMIT_SERVER_TASK_WATCHERS   100u /* of one task */
#define GMCP_LIMIT_SERVER_TASK_QUESTIONS  100u /* in the life of one task */
#define GMCP_LIMIT_SERVER_TASKS_PAGE      100u
#define GMCP_DEFAULT_SERVER_TASKS         1000u /* of one user */
#define GMCP_DEFAULT_SERVER_TASK_TTL_MS   (60u * 60 * 1000)
#define GMCP_DEFAULT_SERVER_TASK_POLL_MS  500u

/* One client of a server. */
#define GMCP_LIMIT_CLIENT_BYTES            (64u * 1024) /* of what it says of itself, of what it can do */
#define GMCP_LIMIT_SERVER_REQUESTS         1000u
#define GMCP_LIMIT_SERVER_RUNNING_BYTES    (256u * 1024 * 1024) /* of what its running requests hold */
#define GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH 128u
#define GMCP_LIMIT_SERVER_REQUEST_BYTES    4096u /* that each request takes beside its message */
#define GMCP_LIMIT_SERVER_SUBSCRIBED       1000u /* resources */
#define GMCP_LIMIT_SERVER_SUBSCRIBED_BYTES (256u * 1024) /* of their addresses */
#define GMCP_LIMIT_SERVER_STREAM_BYTES     (256u * 1024) /* that are kept for one who comes back */
#define GMCP_LIMIT_SERVER_STREAM_EVENTS    256u
#define GMCP_LIMIT_SERVER_ENDED_STREAMS    16u
#define GMCP_LIMIT_SERVER_STANDALONE       16u /* streams that a client opened to listen */
#define GMCP_LIMIT_HTTP_SERVED_CONNECTIONS                                                         \
  20000u /* to one endpoint, or fewer where descriptors are */
/* Of all clients of one server; large messages have half of it at most, so that small ones go on. */
#define GMCP_LIMIT_SERVER_HELD_BYTES                                                               \
  (512u * 1024 * 1024) /* of requests that run, or that a handler has kept */
/* Of all clients of one endpoint; a body or an answer of up to the size of a small one does not count. */
#define GMCP_LIMIT_HTTP_BODIES_BYTES      (256u * 1024 * 1024) /* of requests that are not answered */
#define GMCP_LIMIT_HTTP_UNREAD_BYTES      (256u * 1024 * 1024) /* of what clients have not read yet */
#define GMCP_LIMIT_HTTP_SMALL_BYTES       (64u * 1024)
#define GMCP_LIMIT_HTTP_KEPT_BYTES        (128u * 1024 * 1024) /* of events for clients that come back */
#define GMCP_LIMIT_COMPLETION_VALUES      100u                 /* as the protocol has it */
#define GMCP_LIMIT_BATCH_MESSAGES         1000u
#define GMCP_LIMIT_PAGE_BYTES             (4u * 1024 * 1024)
#define GMCP_LIMIT_GATEWAY_ASKED          500u /* calls that wait for clients to come back */
#define GMCP_LIMIT_GATEWAY_CLIENT_ASKED   50u
#define GMCP_LIMIT_PROGRESS_BURST         100
#define GMCP_LIMIT_PROGRESS_PER_SECOND    100

#define GMCP_LIMIT_DISPATCH_MESSAGES      256u
#define GMCP_LIMIT_DISPATCH_US            2000

#define GMCP_DEFAULT_PROBE_TIMEOUT_MS     3000u
#define GMCP_DEFAULT_STARTUP_TIMEOUT_MS   30000u
#define GMCP_DEFAULT_SHARED_OPENING_MS    3000u /* for a daemon to answer that has the process */
#define GMCP_DEFAULT_CALL_TIMEOUT_MS      30000u
#define GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS  600000u
#define GMCP_DEFAULT_INPUT_TIMEOUT_MS     600000u
#define GMCP_LIMIT_GIVEN_UP_CALLS         256u /* that are remembered one by one */
#define GMCP_DEFAULT_MAX_TASK_TIMEOUT_MS  86400000u
#define GMCP_DEFAULT_HTTP_CONNECT_MS      30000
#define GMCP_DEFAULT_HTTP_BARRIER_MS      3000
#define GMCP_DEFAULT_HTTP_BODY_MS         3000
#define GMCP_DEFAULT_HTTP_LINGER_MS       1000
#define GMCP_DEFAULT_HTTP_GOODBYE_MS      2000
#define GMCP_DEFAULT_HTTP_IDLE_S          4u
#define GMCP_DEFAULT_HTTP_RETRY_MS        1000
#define GMCP_DEFAULT_HTTP_MIN_RETRY_MS    250
#define GMCP_DEFAULT_HTTP_MAX_RETRY_MS    60000
#define GMCP_DEFAULT_LOGIN_SHELL_MS       3000u
#define GMCP_DEFAULT_SYSTEMD_MS           5000
#define GMCP_DEFAULT_UNIT_STOP_MS         2000 /* between SIGTERM and SIGKILL, for what a guard left */
#define GMCP_DEFAULT_HOST_COMMAND_MS      10000
#define GMCP_DEFAULT_HOST_QUESTION_MS     5000u
#define GMCP_DEFAULT_HTTP_SHORT_LIFE_MS   5000
#define GMCP_DEFAULT_STOP_STDIN_MS        2000u
#define GMCP_DEFAULT_STOP_TERM_MS         3000u
#define GMCP_DEFAULT_SERVER_DRAIN_MS      1000u /* for requests that run when a server is stopped */
#define GMCP_DEFAULT_SERVER_LAST_MS       5000u /* of a client that says nothing more, and listens */
#define GMCP_DEFAULT_HTTP_CLOSE_MS        5000u /* for requests that run when an endpoint is closed */
#define GMCP_DEFAULT_HTTP_LAST_WRITE_MS   2000u /* for what they are answered */
#define GMCP_DEFAULT_REQUEST_STATE_S      600
#define GMCP_DEFAULT_SERVER_LIST_TTL_MS   60000u
#define GMCP_DEFAULT_HTTP_SESSIONS        1000u
#define GMCP_DEFAULT_HTTP_SESSION_IDLE_MS (30u * 60 * 1000)
#define GMCP_DEFAULT_HTTP_KEEP_ALIVE_MS   15000u
#define GMCP_DEFAULT_HTTP_HEAD_MS         60000u  /* until the first request has its headers */
#define GMCP_DEFAULT_HTTP_REQUEST_MS      300000u /* until a request is there with its body */
#define GMCP_DEFAULT_HTTP_SERVED_IDLE_MS  120000u /* between two requests on one connection */
#define GMCP_DEFAULT_HTTP_ACCEPT_PAUSE_MS 100u    /* while there are no descriptors left */
#define GMCP_DEFAULT_SERVER_PAGE_SIZE     1000u
#define GMCP_DEFAULT_RESPONSE_CACHE_BYTES (16u * 1024 * 1024)
#define GMCP_DEFAULT_RESPONSE_TTL_MAX_MS  (24u * 60 * 60 * 1000)

/* The manager's own: a desktop has many servers, and none may hold up the list for long. */
#define GMCP_DEFAULT_MANAGER_STARTUP_TIMEOUT_MS 10000u
#define GMCP_DEFAULT_INSTALL_HOLD_MS                                                               \
  30000u /* until a program is spoken to that is not seen to run */
#define GMCP_DEFAULT_INSTALL_TIMEOUT_MS 300000u /* of what fetches a program before it runs it */
/* How long loading waits for servers whose tools nobody knows yet. */
#define GMCP_DEFAULT_LOAD_WAIT_MS           3000u
#define GMCP_LIMIT_KEPT_OUTCOMES            256u /* of what became of servers */
#define GMCP_LIMIT_KEPT_OUTCOME_DAYS        90u
#define GMCP_LIMIT_FAILURE_BYTES            1000u /* of the text of one */
#define GMCP_DEFAULT_DRAIN_TIMEOUT_MS       5000u
#define GMCP_DEFAULT_STATE_READ_MS          2000u
#define GMCP_DEFAULT_SETTINGS_DELAY_MS      250u
#define GMCP_DEFAULT_HEALTH_INTERVAL_MS     30000u
#define GMCP_DEFAULT_HEALTH_TIMEOUT_MS      5000u
#define GMCP_DEFAULT_MAX_RESTART_ATTEMPTS   3u
#define GMCP_DEFAULT_RESTART_DELAY_MS       1000u
#define GMCP_DEFAULT_MAX_RESTART_DELAY_MS   60000u
#define GMCP_DEFAULT_RESTART_RESET_MS       60000u
#define GMCP_DEFAULT_MAX_RESTARTS_PER_HOUR  20u
#define GMCP_DEFAULT_RESTART_JITTER_PERCENT 20u
#define GMCP_LIMIT_MANIFEST_BYTES           (16u * 1024 * 1024)
#define GMCP_DEFAULT_MAX_HEALTH_FAILURES    3u /* in a row */
/* A call does not wait longer for a server that is to be restarted. */
#define GMCP_DEFAULT_RESTART_WAIT_MS 10000u
/* Between two starts, by calls, of a server that could not be started. */
#define GMCP_DEFAULT_FAILED_START_DELAY_MS       60000u
#define GMCP_DEFAULT_CONTEXT_RESOURCE_TIMEOUT_MS 500u
#define GMCP_LIMIT_PROJECT_RESOURCES             256u
#define GMCP_DEFAULT_MANAGER_CACHE_BYTES         (64u * 1024 * 1024)
#define GMCP_DEFAULT_MANAGER_LIST_TTL_MS         60000u
#define GMCP_DEFAULT_MANAGER_RESOURCE_TTL_MS     300000u

/* Between two attempts to be told of changes. */
#define GMCP_LIMIT_STREAM_MIN_RETRY_MS 1000u
#define GMCP_LIMIT_STREAM_MAX_RETRY_MS 60000u

/* Each text of a trace context. */
#define GMCP_LIMIT_TRACE_BYTES 8192u
/* What a client of a server sends in the _meta of a request, for the function that answers it. */
#define GMCP_LIMIT_CALL_META_BYTES (64u * 1024)

/* Files of lines that are written in the background: the audit log, what servers print. */
#define GMCP_LIMIT_LOG_THREADS     4 /* for all of them; a file system that hangs takes no more */
#define GMCP_LIMIT_LOG_BATCH_BYTES (64u * 1024)
#define GMCP_LIMIT_LOG_FLUSH_MS    1000u /* for a caller that waits */
#define GMCP_LIMIT_LOG_EXIT_MS     300
#define GMCP_LIMIT_LOG_RETRY_MS    30000u
#define GMCP_DEFAULT_LOG_RETRY_MS  1000u
#define GMCP_DEFAULT_LOG_FLUSH_MS  500u
#define GMCP_DEFAULT_LOG_BYTES     (10u * 1024 * 1024) /* of one file */
#define GMCP_DEFAULT_LOG_FILES     5u
#define GMCP_LIMIT_LOG_FILES       1000u

/* Lines that one server prints. */
#define GMCP_LIMIT_SERVER_LOG_QUEUE_BYTES (256u * 1024)
#define GMCP_LIMIT_SERVER_LOG_LINE_BYTES  (16u * 1024)

/* Results: what a host gets at most, and what is kept in files for it. */
#define GMCP_DEFAULT_RESULT_BYTES     (8u * 1024 * 1024)
#define GMCP_LIMIT_RESULT_SPOOL_BYTES (512u * 1024 * 1024)

/* Calls of one managed server. */
#define GMCP_DEFAULT_SERVER_CALLS        16u
#define GMCP_DEFAULT_SERVER_QUEUED_CALLS 256u

/* Secrets that are kept out of logs: a shorter text is in too many words to be looked for. */
#define GMCP_LIMIT_SECRET_MIN_BYTES  4u
#define GMCP_LIMIT_SECRET_SURE_BYTES 8u /* where its name does not say that it is a secret */
#define GMCP_LIMIT_SECRETS           10000u
#define GMCP_LIMIT_RECENT_SECRETS    256u /* of calls */

/* The audit log. Larger arguments are written with their beginning and a hash. */
#define GMCP_LIMIT_AUDIT_QUEUE_BYTES     (2u * 1024 * 1024)
#define GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES (64u * 1024)
#define GMCP_LIMIT_AUDIT_BEGINNING_BYTES 4096u
#define GMCP_LIMIT_AUDIT_PENDING_BYTES   (256u * 1024 * 1024) /* of arguments that are being hashed */
#define GMCP_LIMIT_AUDIT_NAME_BYTES      256u
#define GMCP_LIMIT_AUDIT_MESSAGE_BYTES   4096u
/* A search over tools. Longer words and texts count with their beginning. */
#define GMCP_LIMIT_SEARCH_QUERY_BYTES   4096u
#define GMCP_LIMIT_SEARCH_WORDS         16u
#define GMCP_LIMIT_SEARCH_WORD_BYTES    64u
#define GMCP_LIMIT_SEARCH_FIELD_BYTES   4096u
#define GMCP_LIMIT_SEARCH_RESULTS       1000u
#define GMCP_LIMIT_SEARCH_SUMMARY_CHARS 200
#define GMCP_DEFAULT_SEARCH_RESULTS     10u

/* Who is taken for a user of an endpoint over HTTP, and how often clients may ask. */
#define GMCP_LIMIT_TOKEN_BYTES      (16u * 1024)
#define GMCP_LIMIT_TOKEN_USER_BYTES 256u
#define GMCP_LIMIT_TOKEN_LINE_BYTES 4096u
#define GMCP_LIMIT_TOKEN_FILE_LINES 20000u
#define GMCP_LIMIT_TOKEN_FILE_WAITING                                                              \
  1000u /* requests, while the file is read for the first time */
#define GMCP_LIMIT_TOKEN_ANSWER_BYTES    (64u * 1024) /* of an authorization server */
#define GMCP_LIMIT_TOKEN_QUESTIONS       100u         /* to it at once */
#define GMCP_LIMIT_VERIFIED_TOKENS       1000u        /* that are remembered for a while */
#define GMCP_LIMIT_HTTP_RATES            10000u       /* peers and users that are counted */
#define GMCP_DEFAULT_TOKEN_FILE_DELAY_MS 200u
#define GMCP_DEFAULT_TOKEN_TIMEOUT_MS    10000u
#define GMCP_DEFAULT_TOKEN_CACHE_MS      10000u
#define GMCP_DEFAULT_HTTP_FAILED_TOKENS  60u    /* a minute, of one peer */
#define GMCP_DEFAULT_HTTP_REQUESTS       10000u /* a second, of one user or peer */
#define GMCP_DEFAULT_HTTP_STREAMS        1000u  /* of one session */
#define GMCP_LIMIT_HTTP_DRAINED_BYTES                                                              \
  (1024u * 1024) /* of a message that is known to be too large */

/* Of what all users have together, one part in so many is kept from each of them for the others. */
#define GMCP_SHARE_OF_OTHERS 16u

/* Clients of sockets. */
#define GMCP_DEFAULT_SOCKET_CLIENTS     100u
#define GMCP_DEFAULT_SOCKET_QUEUE_BYTES (32u * 1024 * 1024)  /* that one client has not read yet */
#define GMCP_LIMIT_SOCKET_UNREAD_BYTES  (256u * 1024 * 1024) /* that all of them have not */
#define GMCP_DEFAULT_SOCKET_SILENCE_MS  10000u               /* of one that has just connected */
#define GMCP_DEFAULT_SOCKET_CLOSE_MS    5000u /* for requests that run when an endpoint is closed */
#define GMCP_DEFAULT_SOCKET_UNREAD_MS   300000u /* while one reads nothing of what waits for it */
#define GMCP_DEFAULT_ACCEPT_PAUSE_MS    100u    /* where no connection could be accepted */
#define GMCP_LIMIT_ACCEPTED_CONNECTIONS 64u     /* in one turn of the main loop */
#define GMCP_LIMIT_ACTIVATED_SOCKETS    1000u
