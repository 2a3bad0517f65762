# entrain::onednn: products by oneDNN, if it is installed (Debian: libdnnl-dev). kernel::FastGemm is then OneDnnGemm.
find_library(ENTRAIN_DNNL dnnl)
find_path(ENTRAIN_DNNL_INCLUDE dnnl.h)
mark_as_advanced(ENTRAIN_DNNL ENTRAIN_DNNL_INCLUDE)
if(ENTRAIN_WITH_ONEDNN AND ENTRAIN_DNNL AND ENTRAIN_DNNL_INCLUDE AND NOT TARGET entrain::onednn)
  add_library(entrain::onednn INTERFACE IMPORTED GLOBAL)
  target_compile_definitions(entrain::onednn INTERFACE ENTRAIN_ONEDNN)
  target_include_directories(entrain::onednn SYSTEM INTERFACE "${ENTRAIN_DNNL_INCLUDE}")
  target_link_libraries(entrain::onednn INTERFACE "${ENTRAIN_DNNL}" gomp)  # the OpenMP runtime that it was built with
endif()
