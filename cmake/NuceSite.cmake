# The documents as web pages: cmake --build --preset release --target site. Nothing else needs them.
find_program(PANDOC_EXECUTABLE pandoc)
mark_as_advanced(PANDOC_EXECUTABLE)
set(NUCE_SITE_FIGURES ${PROJECT_SOURCE_DIR}/figures CACHE PATH
    "Folder of the gallery's pictures, as 'nuce figure all --format svg' draws them")
if(PANDOC_EXECUTABLE)
    add_custom_target(site
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/site/make-site.sh ${PANDOC_EXECUTABLE} $<TARGET_FILE:nuce>
            ${PROJECT_SOURCE_DIR} ${NUCE_SITE_FIGURES} ${PROJECT_BINARY_DIR}/site
        DEPENDS nuce VERBATIM)
else()
    add_custom_target(site
        COMMAND ${CMAKE_COMMAND} -E echo "pandoc not found: no site (Debian: apt install pandoc)"
        COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
