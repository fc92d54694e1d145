# SPDX-License-Identifier: MIT
# The C half of genmark: libgenmark.so, what is checked about the finished file, and the C unit tests. Included by
# ../Makefile, which sets BUILD (where the library goes) and OUT (where objects go).
#
#   library          BUILD/libgenmark.so
#   check-library    what a preloaded library must be: needs libc only, shows only what libgenmark.map lists, …
#   test-musl, test-aarch64   the units with musl, and for aarch64 under qemu-user; skipped where these are not installed
#   test-recorder    Tests/CRecorder, plain and under the sanitizers, the hooks in real processes, then check-library

RECORDER_DIRECTORIES := TraceFormat Mark Recorder
RECORDER_SOURCES := $(sort $(wildcard $(RECORDER_DIRECTORIES:%=CShims/%/*.c)))
LIBRARY_SOURCES := $(RECORDER_SOURCES) $(sort $(wildcard CShims/Interpose/*.c))
LIBRARY := $(BUILD)/libgenmark.so
LIBRARY_MAP := CShims/Interpose/libgenmark.map

# Frame pointers: the hooks tell the unwinder where their caller's frame is (RECORDER_CALLER). Unwind tables: the program
# can unwind through our hooks.
RECORDER_FLAGS := -std=gnu11 -O2 -g -fPIC -fvisibility=hidden -fno-omit-frame-pointer -fasynchronous-unwind-tables \
    -fno-strict-aliasing \
    -Wall -Wextra -Werror -Wundef -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla \
    -ICShims/TraceFormat/include -ICShims/Mark/include -ICShims/Recorder -ICShims/Interpose $(RECORDER_EXTRA)
# nodelete: a program that closes a library may not take its malloc away. now: no lazy look-up in a hook.
LIBRARY_LINK := -shared -Wl,-soname,libgenmark.so -Wl,--version-script=$(LIBRARY_MAP) -Wl,-z,now -Wl,-z,relro \
    -Wl,-z,nodelete -Wl,-z,defs -Wl,-z,noexecstack -Wl,--hash-style=gnu -Wl,--build-id

.PHONY: library check-library test-recorder
library: $(LIBRARY)

LIBRARY_OBJECTS := $(LIBRARY_SOURCES:CShims/%.c=$(OUT)/library/%.o)
$(LIBRARY_OBJECTS): $(OUT)/library/%.o: CShims/%.c CShims/recorder.mk
	@mkdir -p $(@D)
	$(CC) $(RECORDER_FLAGS) $(HOOK_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
# No builtins in the hooks: malloc and its kind are functions like any other there.
$(OUT)/library/Interpose/%.o: HOOK_FLAGS := -fno-builtin

# A new file takes the place of the old one: programs that run with it keep theirs.
$(LIBRARY): $(LIBRARY_OBJECTS) $(LIBRARY_MAP)
	@mkdir -p $(@D)
	$(CC) $(LIBRARY_LINK) $(LDFLAGS) -o $@.new $(LIBRARY_OBJECTS)
	mv -f $@.new $@

check-library: $(LIBRARY)
	Tests/CRecorder/check-library $(LIBRARY) $(LIBRARY_MAP)

# --- Unit tests: Tests/CRecorder/NAME_test.c, with the recorder as an archive, so that a test may bring its own part in
# place of one of ours, and with none of its hooks -------------------------------------------------------------------

RECORDER_TESTS := $(sort $(wildcard Tests/CRecorder/*_test.c))
TEST_VARIANTS := plain address thread
TEST_FLAGS_plain :=
TEST_FLAGS_address := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# gcc's ThreadSanitizer knows no fences; where one is used, the fields around it are atomic (module.c).
TEST_FLAGS_thread := -fsanitize=thread $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,-Wno-tsan)
TEST_PROGRAMS :=

define test_variant
TEST_OBJECTS_$(1) := $(RECORDER_SOURCES:CShims/%.c=$(OUT)/$(1)/%.o)
TEST_PROGRAMS_$(1) := $(RECORDER_TESTS:Tests/CRecorder/%.c=$(OUT)/$(1)/test/%)
TEST_PROGRAMS += $$(TEST_PROGRAMS_$(1))
$$(TEST_OBJECTS_$(1)): $(OUT)/$(1)/%.o: CShims/%.c CShims/recorder.mk
	@mkdir -p $$(@D)
	$$(CC) $$(RECORDER_FLAGS) $$(TEST_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(OUT)/$(1)/recorder.a: $$(TEST_OBJECTS_$(1))
	rm -f $$@
	$$(AR) rcs $$@ $$^
$$(TEST_PROGRAMS_$(1)): $(OUT)/$(1)/test/%: Tests/CRecorder/%.c $(OUT)/$(1)/recorder.a
	@mkdir -p $$(@D)
	$$(CC) $$(RECORDER_FLAGS) -Wno-unused-function $$(TEST_FLAGS_$(1)) -MMD -MP -MF $$@.d -o $$@ $$< $(OUT)/$(1)/recorder.a -pthread
-include $$(TEST_OBJECTS_$(1):.o=.d) $$(TEST_PROGRAMS_$(1):=.d)
endef
$(foreach variant,$(TEST_VARIANTS),$(eval $(call test_variant,$(variant))))

$(OUT)/plain/hooks: Tests/CRecorder/hooks.c CShims/TraceFormat/include/genmark_trace.h
	@mkdir -p $(@D)
	$(CC) $(RECORDER_FLAGS) -fno-builtin -Wno-unused-function -o $@ $< -pthread

# Operator new and delete need a C++ compiler, and are tested with the allocators that are installed.
ALLOCATORS := $(foreach name,jemalloc.so.2 tcmalloc_minimal.so.4 mimalloc.so.2,$(firstword $(wildcard \
    /usr/lib/*-linux-gnu/lib$(name) /usr/lib64/lib$(name) /usr/lib/lib$(name))))
CXX_TEST_FLAGS := -std=c++17 -O1 -g -Wall -Wextra -Werror -fno-builtin -ICShims/TraceFormat/include
$(OUT)/plain/operators: Tests/CRecorder/operators.cpp CShims/TraceFormat/include/genmark_trace.h
	@mkdir -p $(@D)
	$(CXX) $(CXX_TEST_FLAGS) -o $@ $<
$(OUT)/plain/operators.so: Tests/CRecorder/operators.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXX_TEST_FLAGS) -DPLUGIN -shared -fPIC -o $@ $<
$(OUT)/plain/operators-host: Tests/CRecorder/operators-host.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Werror -o $@ $<

test-recorder: $(TEST_PROGRAMS) $(LIBRARY) $(addprefix $(OUT)/plain/,hooks operators operators.so operators-host)
	@Tests/CRecorder/run $(TEST_PROGRAMS) -- $(OUT)/plain/hooks $(LIBRARY) \
	  -- $(OUT)/plain/operators $(abspath $(LIBRARY) $(OUT)/plain/operators-host $(OUT)/plain/operators.so) $(ALLOCATORS) \
	  -- Tests/CRecorder/check-library $(LIBRARY) $(LIBRARY_MAP)

-include $(LIBRARY_OBJECTS:.o=.d)

# --- Another C library, another processor: the units only, built plain. Each step is skipped, and says so, where what it
# needs is not installed ------------------------------------------------------------------------------------------------

# RUNNER stands before each program.
.PHONY: test-units test-musl test-aarch64
UNITS ?= $(notdir $(TEST_PROGRAMS_plain))
test-units: $(addprefix $(OUT)/plain/test/,$(UNITS))
	@failed=0 passed=0; for unit in $^; do \
	  if $(RUNNER) $$unit >$$unit.log 2>&1; then passed=$$((passed + 1)); \
	  else failed=$$((failed + 1)); echo "FAIL $$(basename $$unit): $$(tail -n 2 $$unit.log | tr '\n' ' ')"; fi; \
	done; echo "passed $$passed, failed $$failed"; test $$failed = 0

# musl-gcc sees musl's headers only; the kernel's are the machine's own, after them. Its linker leaves the index of unwind
# tables out unless told. What the tests of unwinding and of modules leave out there is said where it is: musl has no
# swapcontext, no unwind tables of its own code, unloads no library, and there is no libunwind for it.
test-musl:
	@if command -v musl-gcc >/dev/null; then \
	  $(MAKE) --no-print-directory -s test-units CC=musl-gcc OUT=$(OUT)/musl \
	    RECORDER_EXTRA='-idirafter /usr/include -idirafter /usr/include/$(shell uname -m)-linux-gnu -Wl,--eh-frame-hdr'; \
	else echo 'skip: no musl-gcc here (Debian: musl-tools)'; echo 'passed 0, failed 0'; fi

AARCH64 := aarch64-linux-gnu
test-aarch64:
	@if command -v $(AARCH64)-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then \
	  $(MAKE) --no-print-directory -s test-units CC=$(AARCH64)-gcc AR=$(AARCH64)-ar OUT=$(OUT)/aarch64 \
	    RUNNER='qemu-aarch64 -L /usr/$(AARCH64)'; \
	else echo 'skip: no $(AARCH64)-gcc or qemu-aarch64 here (Debian: gcc-aarch64-linux-gnu qemu-user)'; echo 'passed 0, failed 0'; fi
