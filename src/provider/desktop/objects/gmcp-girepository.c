/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-girepository-private.h"

#include <dlfcn.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-library-private.h"

#define SONAME_1 "libgirepository-1.0.so.1"
#define SONAME_2 "libgirepository-2.0.so.0"
#ifdef HAVE_GIREPOSITORY_2
#define SONAME SONAME_2
#define OTHER  SONAME_1
#else
#define SONAME SONAME_1
#define OTHER  SONAME_2
#endif

#define TEXT(name)    #name
#define TEXT_OF(name) TEXT (name)
#define NAME(name)    TEXT_OF (GMCP_GIREPOSITORY_NAME (name)),

GMCP_LIBRARY_NOTE ("girepository", SONAME, "suggested")

/* Both have a type of the same name, and the binding of a language may have loaded the other. */
static gboolean
is_other_loaded (GError **error)
{
  gpointer other = dlopen (OTHER, RTLD_LAZY | RTLD_NOLOAD);

  if (other == NULL)
    return FALSE;

  dlclose (other);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
               _ ("gmcp was built for %s, and %s is in this process"), SONAME, OTHER);
  return TRUE;
}

const GmcpGirepository *
gmcp_girepository_load (GError **error)
{
  static const char *const names[] = { GMCP_GIREPOSITORY_FUNCTIONS (NAME) NULL };
  static GmcpGirepository functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return !is_other_loaded (error) && gmcp_library_load (&library, error) ? &functions : NULL;
}

#ifdef HAVE_GIREPOSITORY_2

/* That of the language's binding, where there is one for the whole process. */
static GIRepository *
get_repository (const GmcpGirepository *gi)
{
  static gsize repository = 0;

  if (g_once_init_enter (&repository))
    g_once_init_leave (&repository, (gsize) gi->GMCP_GIREPOSITORY_DEFAULT ());
  return (GIRepository *) repository;
}

GmcpGiKind
gmcp_girepository_get_kind (const GmcpGirepository *gi, gpointer info)
{
  const struct
  {
    GType type;
    GmcpGiKind kind;
  } kinds[] = {
    /* Flags are an enumeration, too. */
    { gi->flags_info_get_type (), GMCP_GI_FLAGS },
    { gi->enum_info_get_type (), GMCP_GI_ENUM },
    { gi->interface_info_get_type (), GMCP_GI_INTERFACE },
    { gi->object_info_get_type (), GMCP_GI_OBJECT },
    { gi->struct_info_get_type (), GMCP_GI_STRUCT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (G_TYPE_CHECK_INSTANCE_TYPE (info, kinds[i].type))
      return kinds[i].kind;
  return GMCP_GI_OTHER;
}

GITypeInfo *
gmcp_girepository_get_argument_type (const GmcpGirepository *gi, GIArgInfo *info)
{
  return gi->arg_info_get_type_info (info);
}

gboolean
gmcp_girepository_has_length (const GmcpGirepository *gi, GITypeInfo *array)
{
  guint position;

  return gi->type_info_get_array_length_index (array, &position);
}

GIBaseInfo *
gmcp_girepository_find_type (const GmcpGirepository *gi, GType type)
{
  return gi->repository_find_by_gtype (get_repository (gi), type);
}

gboolean
gmcp_girepository_require (const GmcpGirepository *gi,
                           const char *namespace_name,
                           const char *version,
                           GError **error)
{
  return gi->repository_require (get_repository (gi), namespace_name, version,
                                 GI_REPOSITORY_LOAD_FLAG_NONE, error)
         != NULL;
}

#else

GmcpGiKind
gmcp_girepository_get_kind (const GmcpGirepository *gi, gpointer info)
{
  switch (gi->base_info_get_type (info))
    {
    case GI_INFO_TYPE_ENUM:
      return GMCP_GI_ENUM;
    case GI_INFO_TYPE_FLAGS:
      return GMCP_GI_FLAGS;
    case GI_INFO_TYPE_INTERFACE:
      return GMCP_GI_INTERFACE;
    case GI_INFO_TYPE_OBJECT:
      return GMCP_GI_OBJECT;
    case GI_INFO_TYPE_STRUCT:
    case GI_INFO_TYPE_BOXED:
      return GMCP_GI_STRUCT;
    default:
      return GMCP_GI_OTHER;
    }
}

GITypeInfo *
gmcp_girepository_get_argument_type (const GmcpGirepository *gi, GIArgInfo *info)
{
  return gi->arg_info_get_type (info);
}

gboolean
gmcp_girepository_has_length (const GmcpGirepository *gi, GITypeInfo *array)
{
  return gi->type_info_get_array_length (array) >= 0;
}

GIBaseInfo *
gmcp_girepository_find_type (const GmcpGirepository *gi, GType type)
{
  return gi->irepository_find_by_gtype (NULL, type);
}

gboolean
gmcp_girepository_require (const GmcpGirepository *gi,
                           const char *namespace_name,
                           const char *version,
                           GError **error)
{
  return gi->irepository_require (NULL, namespace_name, version, 0, error) != NULL;
}

#endif
