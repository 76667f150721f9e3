// SPDX-License-Identifier: LGPL-2.1-or-later

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <glib/gstdio.h>

#include <gmcp/gmcp.h>

namespace
{

template <typename T> struct Unref
{
  void operator() (T *object) const { g_object_unref (object); }
};

struct ErrorFree
{
  void operator() (GError *error) const { g_error_free (error); }
};

using Error = std::unique_ptr<GError, ErrorFree>;

// What a host in C++ does with the module: one provider, and a main loop that runs until an answer is there.
class Module : public ::testing::Test
{
protected:
  void SetUp () override
  {
    GError *error = nullptr;
    folder = g_dir_make_tmp ("gmcp-cxx-XXXXXX", &error);
    ASSERT_EQ (error, nullptr);
    config = std::string (folder) + "/servers.json";

    std::string json = "{\"mcpServers\": {\"tools\": {\"command\": \"" GMCP_TOOLS_SERVER "\"}}}";
    ASSERT_TRUE (g_file_set_contents (config.c_str (), json.c_str (), -1, &error));

    GFile *file = g_file_new_for_path (config.c_str ());
    providers = gmcp_load_tool_providers ("org.example.Host", file, &error);
    g_object_unref (file);
    ASSERT_NE (providers, nullptr) << error->message;
    ASSERT_EQ (providers->len, 1u);
    provider = GMCP_TOOL_PROVIDER (g_ptr_array_index (providers, 0));
  }

  void TearDown () override
  {
    g_clear_pointer (&providers, g_ptr_array_unref);
    g_main_loop_unref (loop);
    g_remove (config.c_str ());
    g_rmdir (folder);
    g_free (folder);
  }

  static void on_ready (GObject *, GAsyncResult *result, gpointer data)
  {
    auto *self = static_cast<Module *> (data);
    self->result.reset (G_ASYNC_RESULT (g_object_ref (result)));
    g_main_loop_quit (self->loop);
  }

  GmcpToolResult *call (const char *name, const char *arguments, Error &error)
  {
    GError *raw = nullptr;
    gmcp_tool_provider_call_tool_json_async (provider, name, arguments, nullptr, nullptr, on_ready,
                                             this);
    g_main_loop_run (loop);
    GmcpToolResult *answer = gmcp_tool_provider_call_tool_finish (provider, result.get (), &raw);
    error.reset (raw);
    return answer;
  }

  char *folder = nullptr;
  std::string config;
  GPtrArray *providers = nullptr;
  GmcpToolProvider *provider = nullptr;
  std::unique_ptr<GAsyncResult, Unref<GAsyncResult> > result;
  GMainLoop *loop = g_main_loop_new (nullptr, FALSE);
};

TEST_F (Module, ListsTheToolsOfAConfiguredServer)
{
  GError *raw = nullptr;
  gmcp_tool_provider_load_async (provider, nullptr, on_ready, this);
  g_main_loop_run (loop);
  EXPECT_TRUE (gmcp_tool_provider_load_finish (provider, result.get (), &raw));
  EXPECT_EQ (raw, nullptr);

  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  std::vector<std::string> names;
  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      std::unique_ptr<GmcpTool, Unref<GmcpTool> > tool (
        GMCP_TOOL (g_list_model_get_item (tools, i)));
      names.push_back (gmcp_definition_get_name (GMCP_DEFINITION (tool.get ())));
    }
  EXPECT_NE (std::find (names.begin (), names.end (), "tools__echo"), names.end ());
}

TEST_F (Module, CallsATool)
{
  Error error;
  GmcpToolResult *answer = call ("tools__echo", "{\"text\": \"Water the plants\"}", error);

  ASSERT_NE (answer, nullptr) << error->message;
  EXPECT_FALSE (gmcp_tool_result_is_error (answer));
  char *text = gmcp_tool_result_dup_text (answer);
  EXPECT_STREQ (text, "Water the plants");
  g_free (text);
  gmcp_tool_result_unref (answer);
}

TEST_F (Module, SaysThatAToolIsUnknown)
{
  Error error;

  EXPECT_EQ (call ("tools__no_such_tool", "{}", error), nullptr);
  ASSERT_NE (error, nullptr);
  EXPECT_TRUE (g_error_matches (error.get (), GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
    << error->message;
}

} // namespace
