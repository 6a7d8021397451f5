# jansson by pkg-config, as a target with the same name here and in projects that use the installed
# package. Defines nuce::jansson.
find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NuceJansson REQUIRED_VARS JANSSON_LINK_LIBRARIES)
if(NOT TARGET nuce::jansson)
    add_library(nuce::jansson INTERFACE IMPORTED)
    target_link_libraries(nuce::jansson INTERFACE PkgConfig::JANSSON)
endif()
