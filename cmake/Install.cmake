# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where (the toto command installs itself):
#   lib/toto/<mpi>/libtoto_pmpi.so   one a MPI
#   lib/libtoto_pmpi.so              of the default MPI: what -ltoto_pmpi and a plain LD_PRELOAD find
#   lib/cmake/toto/                  find_package(toto): toto::pmpi (default MPI), toto::pmpi_<mpi>
#   lib/pkgconfig/                   toto_pmpi.pc (default MPI), toto_pmpi-<mpi>.pc
include(CMakePackageConfigHelpers)

set(_toto_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/toto)
set(TOTO_PACKAGE_TARGETS "")

foreach(mpi IN LISTS TOTO_MPIS)
  install(TARGETS toto_pmpi_${mpi} EXPORT totoTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/toto/${mpi})
  set_target_properties(toto_pmpi_${mpi} PROPERTIES EXPORT_NAME pmpi_${mpi})
  list(APPEND TOTO_PACKAGE_TARGETS pmpi_${mpi})
endforeach()
if(TOTO_MPIS)
  set(TOTO_PACKAGE_DEFAULT pmpi_${TOTO_DEFAULT_MPI})
  set(TOTO_PACKAGE_MPI ${TOTO_DEFAULT_MPI})
  install(FILES ${CMAKE_BINARY_DIR}/lib/libtoto_pmpi.so DESTINATION ${CMAKE_INSTALL_LIBDIR})  # a link, kept as one
else()
  set(TOTO_PACKAGE_TARGETS pmpi_posix)
  set(TOTO_PACKAGE_DEFAULT pmpi_posix)
  set(TOTO_PACKAGE_MPI none)
  install(TARGETS toto_pmpi_posix EXPORT totoTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(toto_pmpi_posix PROPERTIES EXPORT_NAME pmpi_posix)
endif()
install(EXPORT totoTargets NAMESPACE toto:: DESTINATION ${_toto_package_dir})

configure_package_config_file(cmake/totoConfig.cmake.in ${CMAKE_BINARY_DIR}/totoConfig.cmake
  INSTALL_DESTINATION ${_toto_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/totoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/totoConfig.cmake ${CMAKE_BINARY_DIR}/totoConfigVersion.cmake
  DESTINATION ${_toto_package_dir})

# Found by its own place, so that the installed tree can be moved; unless the library folder is elsewhere.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(TOTO_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(TOTO_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH _toto_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" _toto_up "${_toto_up}")
  set(TOTO_PC_PREFIX "\${pcfiledir}/${_toto_up}")
  set(TOTO_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()

function(_toto_pkg_config name mpi folder)
  set(TOTO_PC_NAME ${name})
  set(TOTO_PC_MPI ${mpi})
  set(TOTO_PC_FOLDER ${folder})
  configure_file(cmake/toto_pmpi.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

_toto_pkg_config(toto_pmpi ${TOTO_PACKAGE_MPI} "\${libdir}")
foreach(mpi IN LISTS TOTO_MPIS)
  _toto_pkg_config(toto_pmpi-${mpi} ${mpi} "\${libdir}/toto/${mpi}")
endforeach()
