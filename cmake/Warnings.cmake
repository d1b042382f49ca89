# SPDX-License-Identifier: BSD-3-Clause
# Warnings are errors, on g++ and clang alike.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror)

# Code of the preloaded library: nothing is exported unless a wrapper says so, no exceptions of ours, thread
# variables in the static block (no __tls_get_addr, which may allocate).
function(toto_library_code target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -O2 -fno-exceptions -fno-rtti -fno-threadsafe-statics -ftls-model=initial-exec
    -fno-semantic-interposition -ffunction-sections -fdata-sections -fno-plt -U_FORTIFY_SOURCE)
endfunction()
