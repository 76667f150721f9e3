/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-girepository-private.h"

#include "gmcp-library-private.h"

#ifdef HAVE_GIREPOSITORY_2
#define SONAME "libgirepository-2.0.so.0"
#else
#define SONAME "libgirepository-1.0.so.1"
#endif

#define TEXT(name)    #name
#define TEXT_OF(name) TEXT (name)
#define NAME(name)    TEXT_OF (GMCP_GIREPOSITORY_NAME (name)),

GMCP_LIBRARY_NOTE ("girepository", SONAME, "suggested")

const GmcpGirepository *
gmcp_girepository_load (GError **error)
{
  static const char *const names[] = { GMCP_GIREPOSITORY_FUNCTIONS (NAME) NULL };
  static GmcpGirepository functions;
  static GmcpLibrary library = { SONAME, names, (gpointer *) &functions, 0 };

  return gmcp_library_load (&library, error) ? &functions : NULL;
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
