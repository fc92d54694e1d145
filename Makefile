# SPDX-License-Identifier: MIT
# Builds, tests, measures and installs genmark. SwiftPM builds the command; the preload library is linked here with cc
# (CShims/recorder.mk), since a dynamic product of SwiftPM brings the Swift runtime into the program it is loaded into.
#
#   make              the command and the library, in .build/release
#   make demo         installs what is missing, builds, records two leaking programs and shows what grows
#   make test         every test; make accuracy, make compat and make fuzz are the long ones
#   make bench        what recording costs, beside other recorders: WORKLOADS=churn,perl,memory RUNS=3
#   make install      PREFIX=/usr/local DESTDIR=
#   make deps         installs what building needs from Debian (the others install what they need themselves)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

VERSION := 0.1.0
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := .build/release
OUT := .build/make

# Debian packages by what needs them.
DEPS_BUILD := gcc g++ libc6-dev make pkg-config binutils git libunwind8 libdw-dev libelf-dev zlib1g-dev libzstd-dev libiberty-dev
# What the tools of a Swift toolchain need.
DEPS_SWIFT := libncurses6 libcurl4 libxml2 libsqlite3-0
DEPS_TEST := chromium valgrind zstd python3-jsonschema dwz libdebuginfod1 python3 perl libunwind-dev libglib2.0-dev libxml2-dev libsqlite3-dev libjansson-dev libperl-dev file procps \
    libjemalloc2 libtcmalloc-minimal4 libmimalloc2.0 cmake protobuf-compiler python3-protobuf python3-lxml python3-yaml
DEPS_COMPAT := $(DEPS_TEST) sqlite3 tcl redis-server redis-tools nginx-light wrk postgresql stress-ng libpython3.11-testsuite nodejs default-jdk-headless php-cli ruby curl \
    musl-tools gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
DEPS_BENCH := $(DEPS_TEST) heaptrack liblsan0 sqlite3 tcl redis-server redis-tools time

# A Swift 6 toolchain: SWIFT=…/swift, else the one on the PATH, else where they are usually unpacked.
SWIFT ?= $(firstword $(shell command -v swift) \
    $(wildcard /opt/swift/usr/bin/swift /opt/swift*/usr/bin/swift /usr/local/swift/usr/bin/swift /usr/local/bin/swift \
    /usr/lib/swift*/bin/swift /usr/libexec/swift/*/bin/swift $(HOME)/.local/share/swiftly/bin/swift))
export PATH := $(if $(SWIFT),$(dir $(SWIFT)):)$(PATH)

.PHONY: all command library deps deps-test deps-compat deps-bench swift-found
all: command library

deps:
	@.ci/install-packages $(DEPS_BUILD) $(DEPS_SWIFT)
deps-test: deps
	@.ci/install-packages $(DEPS_TEST)
deps-compat: deps-test
	@.ci/install-packages $(DEPS_COMPAT)
deps-bench: deps-test
	@.ci/install-packages $(DEPS_BENCH)

swift-found:
	@test -n "$(SWIFT)" || { \
	  echo "no Swift toolchain found: get Swift 6 from https://www.swift.org/install, then put swift on the PATH" \
	       "or call make SWIFT=/path/to/swift" >&2; exit 1; }

# The Swift runtime is linked in, so that the command runs where no toolchain is.
command: swift-found
	$(SWIFT) build -c release --static-swift-stdlib --product genmark

-include CShims/recorder.mk

# SwiftPM makes .build/release a link to where it builds, and would replace a folder of that name with all that is in it.
TRIPLE := $(shell uname -m)-unknown-linux-gnu
$(LIBRARY): | $(BUILD)
$(BUILD):
	@mkdir -p .build/$(TRIPLE)/release && ln -sfn $(TRIPLE)/release $(BUILD)

# --- Demo: two leaking programs, recorded and shown -----------------------------------------------------------------

.PHONY: demo
demo: deps
	@$(MAKE) --no-print-directory -s all
	@Tests/Demo/run $(BUILD)/genmark

# --- Tests ----------------------------------------------------------------------------------------------------------

# SUITES='swift corpus' runs some of them only.
SUITES ?= recorder counts verify swift corpus compat situations programs gate fuzz browser
SECONDS ?= 60

.PHONY: test accuracy compat fuzz bench
test: deps-test
	@$(MAKE) --no-print-directory all
	@SWIFT=$(SWIFT) MAKE='$(MAKE)' Tests/run $(SUITES)

# Verdicts on the corpus at 7 to 2,000 cycles and on drawn series; kept in Tests/Corpus/ACCURACY.md. PARTS='corpus series'.
accuracy: deps-test
	@$(MAKE) --no-print-directory all
	@SWIFT=$(SWIFT) Tests/Corpus/accuracy.py --genmark $(BUILD)/genmark $(PARTS)

compat: deps-test
	@$(MAKE) --no-print-directory all
	@SWIFT=$(SWIFT) MAKE='$(MAKE)' Tests/run musl aarch64 compat situations-all programs-all browser-timed

# Every stack of real programs against libunwind, until each has given so many. make test does it with 20,000.
STACKS ?= 1000000
.PHONY: verify
verify: deps-bench
	@$(MAKE) --no-print-directory all
	@STACKS=$(STACKS) Tests/Compat/verify $(BUILD)/genmark

# Damaged input of every kind: SECONDS=600, or COUNT=10000000 mutations; SEED=2 for others.
COUNT ?=
SEED ?= 1
INPUTS ?= 500
MARKS := $(OUT)/plain/test/mark_damage_test
.PHONY: fuzz-driver fuzz-all
fuzz-driver: swift-found $(MARKS)
	$(SWIFT) build -c release --static-swift-stdlib --product genmark-fuzz
fuzz: deps-test
	@$(MAKE) --no-print-directory all fuzz-driver
	@$(MAKE) --no-print-directory -s fuzz-all
fuzz-all:
	@Tests/Fuzz/run --genmark $(BUILD)/genmark --driver $(BUILD)/genmark-fuzz --marks $(MARKS) --seed $(SEED) \
	  --inputs $(INPUTS) $(if $(COUNT),--count $(COUNT),--seconds $(SECONDS))

# Names of WORKLOADS apart by blanks or commas: programs of the table, or what is promised beside it. heaptrack and LSan take
# part in the first OTHERS_TURNS of RUNS turns.
WORKLOADS ?=
RUNS ?= 5
OTHERS_TURNS ?= 3
bench: deps-bench
	@$(MAKE) --no-print-directory all
	@Tests/Benchmarks/run --genmark $(BUILD)/genmark --runs $(RUNS) --others $(OTHERS_TURNS) $(WORKLOADS)

# --- Install --------------------------------------------------------------------------------------------------------

.PHONY: install uninstall
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -s -m 755 $(BUILD)/genmark $(DESTDIR)$(PREFIX)/bin/genmark
	install -m 755 $(BUILD)/libgenmark.so $(DESTDIR)$(PREFIX)/lib/libgenmark.so
	install -m 644 CShims/API/include/genmark.h $(DESTDIR)$(PREFIX)/include/genmark.h
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' CShims/API/genmark.pc.in \
	  > $(DESTDIR)$(PREFIX)/lib/pkgconfig/genmark.pc
	chmod 644 $(DESTDIR)$(PREFIX)/lib/pkgconfig/genmark.pc

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/genmark lib/libgenmark.so include/genmark.h lib/pkgconfig/genmark.pc)

# --- Care -----------------------------------------------------------------------------------------------------------

.PHONY: format clean
format: swift-found
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

clean:
	rm -rf .build Tests/Corpus/bin
