/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

#ifdef HAVE_GIREPOSITORY_2
#include <girepository/girepository.h>
#else
#include <girepository.h>
#endif

G_BEGIN_DECLS

/* What is called of girepository, without its prefix; it is loaded when the first method becomes a tool. It is a part of
 * GLib since 2.80, and came with gobject-introspection before that. A process cannot have both. */
#define GMCP_GIREPOSITORY_SHARED(F)                                                                \
  F (arg_info_get_direction)                                                                       \
  F (arg_info_get_ownership_transfer)                                                              \
  F (arg_info_is_caller_allocates)                                                                 \
  F (arg_info_may_be_null)                                                                         \
  F (base_info_get_attribute)                                                                      \
  F (base_info_get_container)                                                                      \
  F (base_info_get_name)                                                                           \
  F (base_info_get_namespace)                                                                      \
  F (base_info_get_type)                                                                           \
  F (base_info_is_deprecated)                                                                      \
  F (base_info_unref)                                                                              \
  F (callable_info_get_arg)                                                                        \
  F (callable_info_get_caller_owns)                                                                \
  F (callable_info_get_instance_ownership_transfer)                                                \
  F (callable_info_get_n_args)                                                                     \
  F (callable_info_get_return_type)                                                                \
  F (callable_info_is_method)                                                                      \
  F (callable_info_may_return_null)                                                                \
  F (enum_info_get_n_values)                                                                       \
  F (enum_info_get_storage_type)                                                                   \
  F (enum_info_get_value)                                                                          \
  F (function_info_invoke)                                                                         \
  F (interface_info_find_method)                                                                   \
  F (object_info_find_method)                                                                      \
  F (registered_type_info_get_g_type)                                                              \
  F (type_info_get_array_type)                                                                     \
  F (type_info_get_interface)                                                                      \
  F (type_info_get_param_type)                                                                     \
  F (type_info_get_tag)                                                                            \
  F (type_info_is_pointer)                                                                         \
  F (type_info_is_zero_terminated)                                                                 \
  F (type_tag_to_string)                                                                           \
  F (value_info_get_value)

#ifdef HAVE_GIREPOSITORY_2

#if GLIB_CHECK_VERSION(2, 86, 0)
#define GMCP_GIREPOSITORY_DEFAULT repository_dup_default
#else
#define GMCP_GIREPOSITORY_DEFAULT repository_new
#endif

#define GMCP_GIREPOSITORY_FUNCTIONS(F)                                                             \
  GMCP_GIREPOSITORY_SHARED (F)                                                                     \
  F (arg_info_get_type_info)                                                                       \
  F (type_info_get_array_length_index)                                                             \
  F (enum_info_get_type)                                                                           \
  F (flags_info_get_type)                                                                          \
  F (interface_info_get_type)                                                                      \
  F (object_info_get_type)                                                                         \
  F (repository_find_by_gtype)                                                                     \
  F (repository_require)                                                                           \
  F (struct_info_get_type)                                                                         \
  F (GMCP_GIREPOSITORY_DEFAULT)
#define GMCP_GIREPOSITORY_NAME(name) gi_##name

#else

#define GMCP_GIREPOSITORY_FUNCTIONS(F)                                                             \
  GMCP_GIREPOSITORY_SHARED (F)                                                                     \
  F (arg_info_get_type)                                                                            \
  F (type_info_get_array_length)                                                                   \
  F (irepository_find_by_gtype)                                                                    \
  F (irepository_require)
#define GMCP_GIREPOSITORY_NAME(name) g_##name

#endif

/* The default repository is of a version of GLib that nothing else here needs. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

typedef struct
{
#define GMCP_GIREPOSITORY_MEMBER(name) __typeof__ (&GMCP_GIREPOSITORY_NAME (name)) name;
  GMCP_GIREPOSITORY_FUNCTIONS (GMCP_GIREPOSITORY_MEMBER)
#undef GMCP_GIREPOSITORY_MEMBER
} GmcpGirepository;

G_GNUC_END_IGNORE_DEPRECATIONS

/* NULL with an error where girepository cannot be loaded. */
const GmcpGirepository *gmcp_girepository_load (GError **error);

typedef enum
{
  GMCP_GI_OTHER,
  GMCP_GI_ENUM,
  GMCP_GI_FLAGS,
  GMCP_GI_INTERFACE,
  GMCP_GI_OBJECT,
  GMCP_GI_STRUCT,
} GmcpGiKind;

/* What only one of the two has in that way. */
GmcpGiKind gmcp_girepository_get_kind (const GmcpGirepository *gi, gpointer info);
GITypeInfo *gmcp_girepository_get_argument_type (const GmcpGirepository *gi, GIArgInfo *info);
gboolean gmcp_girepository_has_length (const GmcpGirepository *gi, GITypeInfo *array);
GIBaseInfo *gmcp_girepository_find_type (const GmcpGirepository *gi, GType type);
gboolean gmcp_girepository_require (const GmcpGirepository *gi,
                                    const char *namespace_name,
                                    const char *version,
                                    GError **error);

G_END_DECLS
