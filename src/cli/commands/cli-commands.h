/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-completion.h"

G_BEGIN_DECLS

/* The commands, by the first word of the command line. */

/* Options before the command. */
typedef struct
{
  char *config_file;
  char *host_name;
  gboolean version;
} CliCommandsOptions;

/* All of them, with the options before them, whose values go to a struct of CliCommandsOptions. */
const CliProgram *cli_commands_get_program (void);
const CliCommand *cli_commands_find (const char *name);
/* Says that there is no such command, and which is near to it. */
CliExit cli_commands_report_unknown (const char *word, gboolean in_session);
/* What the program is for, and what the commands of a group are; not translated. */
const char *cli_commands_get_summary (void);
const char *cli_commands_get_group_title (CliCommandGroup group);
/* For gmcp --help: what the program is for, and its commands by groups. */
char *cli_commands_describe (void);

extern const CliCommand cli_add_command;
extern const CliCommand cli_import_command;
extern const CliCommand cli_connect_command;
extern const CliCommand cli_disconnect_command;
extern const CliCommand cli_status_command;
extern const CliCommand cli_tools_command;
extern const CliCommand cli_call_command;
extern const CliCommand cli_search_command;
extern const CliCommand cli_shell_command;
extern const CliCommand cli_resources_command;
extern const CliCommand cli_read_command;
extern const CliCommand cli_prompts_command;
extern const CliCommand cli_prompt_command;
extern const CliCommand cli_complete_command;
extern const CliCommand cli_context_command;
extern const CliCommand cli_subscribe_command;
extern const CliCommand cli_doctor_command;
extern const CliCommand cli_test_command;
extern const CliCommand cli_discover_command;
extern const CliCommand cli_start_command;
extern const CliCommand cli_stop_command;
extern const CliCommand cli_restart_command;
extern const CliCommand cli_logs_command;
extern const CliCommand cli_audit_command;
extern const CliCommand cli_replay_command;
extern const CliCommand cli_show_command;
extern const CliCommand cli_edit_command;
extern const CliCommand cli_enable_command;
extern const CliCommand cli_disable_command;
extern const CliCommand cli_remove_command;
extern const CliCommand cli_config_command;
extern const CliCommand cli_secret_command;
extern const CliCommand cli_dashboard_command;
extern const CliCommand cli_questions_command;
extern const CliCommand cli_gateway_command;
extern const CliCommand cli_sync_command;
extern const CliCommand cli_role_command;
extern const CliCommand cli_export_command;
extern const CliCommand cli_pins_command;
extern const CliCommand cli_approve_command;
extern const CliCommand cli_completion_command;
extern const CliCommand cli_complete_words_command;
extern const CliCommand cli_describe_command;

G_END_DECLS
