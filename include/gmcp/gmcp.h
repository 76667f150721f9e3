/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/client/gmcp-response-cache.h>
#include <gmcp/client/gmcp-subscription.h>
#include <gmcp/core/gmcp-enums.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/gmcp-config-load.h>
#include <gmcp/manager/gmcp-config-source.h>
#include <gmcp/manager/gmcp-json-config-source.h>
#include <gmcp/manager/gmcp-managed-server.h>
#include <gmcp/manager/gmcp-manager-enums.h>
#include <gmcp/manager/gmcp-manager.h>
#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/manager/gmcp-settings-config-source.h>
#include <gmcp/protocol/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-capabilities.h>
#include <gmcp/protocol/gmcp-content.h>
#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/protocol/gmcp-task-handle.h>
#include <gmcp/protocol/gmcp-tool-result.h>
#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/provider/gmcp-tool-call.h>
#include <gmcp/provider/gmcp-tool-load.h>
#include <gmcp/provider/gmcp-tool-provider.h>
#include <gmcp/server/gmcp-server-request.h>
#include <gmcp/server/gmcp-server.h>
#include <gmcp/transport/gmcp-fd-transport.h>
#include <gmcp/transport/gmcp-memory-transport.h>
#include <gmcp/transport/gmcp-stdio-transport.h>
#include <gmcp/transport/gmcp-stream-transport.h>
#include <gmcp/transport/gmcp-transport.h>
