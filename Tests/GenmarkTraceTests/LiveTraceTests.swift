// SPDX-License-Identifier: MIT
//
// Marks from outside, and reading while another process writes: with small C programs that map a built trace.

import CTraceFormat
import Foundation
import GenmarkModel
import GenmarkTestSupport
import GenmarkTrace
import Testing

@Suite struct LiveTraceTests {
  /// The program of a trace: maps the file that it is given, writes itself down in it, says "ready", does what its second
  /// argument says until its input ends, and exits with 5.
  private static let source = """
    #include "genmark_mark.h"
    #include "genmark_trace_access.h"
    #include <fcntl.h>
    #include <poll.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/prctl.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static uint64_t ticks(void) {
        char text[1024] = "";
        FILE *file = fopen("/proc/self/stat", "r");
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        char *at = strrchr(text, ')');
        for (int field = 2; field < 22; field++) at = strchr(at + 1, ' ');
        return strtoull(at, 0, 10);
    }
    static int is_over(void) {
        struct pollfd input = {0, POLLIN, 0};
        return poll(&input, 1, 0) > 0;
    }
    int main(int argc, char **argv) {
        int fd = open(argv[1], O_RDWR);
        struct stat status;
        if (fd < 0 || fstat(fd, &status)) return 1;
        struct gm_file file = {mmap(0, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), status.st_size};
        close(fd);
        struct gm_header *header = (struct gm_header *)file.base;
        header->pid = getpid();
        header->process_start_ticks = ticks();
        prctl(PR_SET_NAME, "a) Z 1 (b\\n", 0, 0, 0);
        if (argc > 2 && !strcmp(argv[2], "unmap")) munmap(file.base, file.size);
        if (argc > 5 && setuid(atoi(argv[5]))) return 1;
        puts("ready");
        fflush(stdout);
        const char *what = argc > 2 ? argv[2] : "";
        unsigned long turns = 0;
        while (!is_over()) {
            if (!strcmp(what, "mark")) {
                struct gm_sample sample = {.time_ns = ++turns};
                gm_mark_take(&file, "turn", 4, &sample, getpid());
                if (turns % 16 == 0) usleep(1);
            } else if (!strcmp(what, "churn")) {
                /* Born in one shard, freed in the other: at no moment is more than one block alive. */
                struct gm_extent *shards[2];
                shards[0] = (struct gm_extent *)(file.base + strtoul(argv[3], 0, 10));
                shards[1] = (struct gm_extent *)(file.base + strtoul(argv[4], 0, 10));
                struct gm_counter *a = (struct gm_counter *)((uint8_t *)(shards[0] + 1) + 64) + 1;
                struct gm_counter *b = (struct gm_counter *)((uint8_t *)(shards[1] + 1) + 64) + 1;
                for (int i = 0; i < 1000; i++) {
                    gm_store_release_u64(&a->born_blocks, a->born_blocks + 1);
                    gm_store_release_u64(&b->freed_blocks, b->freed_blocks + 1);
                }
            } else {
                poll(&(struct pollfd){0, POLLIN, 0}, 1, -1);
            }
        }
        if (!strcmp(what, "end")) {
            header->end_value = 5;
            gm_store_release_u32(&header->end_kind, GM_END_EXIT);
        }
        return 5;
    }
    """

  private static func program() throws -> Program {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let marks = try FileManager.default.contentsOfDirectory(atPath: root + "/CShims/Mark").filter { $0.hasSuffix(".c") }
    return try Program(
      c: source,
      flags: ["-O1", "-I\(root)/CShims/Mark/include", "-I\(root)/CShims/TraceFormat/include", "-I\(root)/CShims/Mark"]
        + marks.sorted().map { "\(root)/CShims/Mark/\($0)" })
  }

  /// A trace of a program that has not ended, with room for marks.
  private static func liveTrace() -> TraceBuilder {
    var trace = TraceBuilder()
    trace.header.end_kind = UInt32(GM_END_NONE)
    trace.unusedBytes = 1 << 20
    let cell = trace.cell(site: trace.node(address: 0x40_1000), birth: 0)
    trace.count(cell, shard: 0, born: (1, 0))
    trace.count(cell, shard: 1, freed: (1, 0))
    return trace
  }

  private struct Started {
    var program: Program
    var running: RunningProgram
    var file: String
  }

  private func start(
    _ what: String = "wait", trace: TraceBuilder = liveTrace(), asUser user: uid_t? = nil
  ) throws -> Started {
    let program = try Self.program()
    let image = trace.build()
    let file = try program.directory.write(image.bytes, to: "live trace.genmark")
    let running = try program.start(
      [file, what] + image.offsets(GM_EXTENT_COUNTERS).map(String.init) + (user.map { [String($0)] } ?? []))
    #expect(running.readLine() == "ready")
    return Started(program: program, running: running, file: file)
  }

  private func error(_ body: () throws(TraceError) -> Void) -> TraceError? {
    do throws(TraceError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func marksFromOutsideByPidAndByPath() throws {
    let started = try start()
    let byPid = try LiveTrace(pid: started.running.pid)
    #expect(byPid.file == started.file)
    #expect(try byPid.mark("first") == 1)
    let byPath = try LiveTrace(path: started.file)
    #expect(byPath.pid == started.running.pid)
    #expect(try byPath.mark("second") == 2)
    #expect(try byPid.mark("first") == 3)
    #expect(byPid.marksTaken == 3)

    let recording = try Recording(trace: started.file)
    #expect(recording.process.end == .running)
    #expect(recording.marks.indices.map { recording.label(ofMark: $0) } == ["first", "second", "first"])
    #expect(recording.marks.map(\.ordinal) == [1, 1, 2])
    let resident = try #require(recording.marks.last?.residentBytes)
    #expect(resident > Bytes(100_000) && resident < Bytes(1 << 30))
    #expect(recording.marks.last?.threads == 1)
    #expect(recording.process.duration >= recording.marks[2].time)
  }

  @Test func anEndedProgramIsNotMarked() throws {
    let started = try start("end")
    let live = try LiveTrace(pid: started.running.pid)
    #expect(live.isRunning)
    let pid = started.running.pid
    #expect(started.running.wait() == 5)
    #expect(!live.isRunning)
    let ended = TraceError.ended(file: started.file, pid: UInt32(pid), end: .exit(status: 5))
    #expect(error { () throws(TraceError) in _ = try LiveTrace(path: started.file) } == ended)
    #expect(error { () throws(TraceError) in _ = try LiveTrace(pid: pid) } == .noProcess(pid: pid))
    if case .ended = error({ () throws(TraceError) in _ = try live.mark("late") }) {
    } else {
      Issue.record("a mark after the end is refused")
    }
    #expect(try Recording(trace: started.file).marks.isEmpty)
  }

  @Test func aKilledProgramHasAnUnknownEndUntilItIsWrittenDown() throws {
    let started = try start()
    _ = try LiveTrace(pid: started.running.pid).mark("only")
    let pid = started.running.pid
    started.running.signal(SIGKILL)
    started.running.wait()
    #expect(try Recording(trace: started.file).process.end == .unknown)
    let before = try #require(FileManager.default.contents(atPath: started.file))
    try LiveTrace.finish(path: started.file, pid: pid, end: .signal(9))
    let after = try #require(FileManager.default.contents(atPath: started.file))
    #expect(after.count < before.count - (1 << 19))
    let recording = try Recording(trace: started.file)
    #expect(recording.process.end == .signal(9))
    #expect(recording.marks.count == 1)
    #expect(recording.notes == [])
    // What is written down stays.
    try LiveTrace.finish(path: started.file, pid: pid, end: .exit(status: 0))
    #expect(try Recording(trace: started.file).process.end == .signal(9))
    #expect(
      error { () throws(TraceError) in try LiveTrace.finish(path: started.file, pid: pid + 1, end: .exec) }
        == .otherProcess(file: started.file, pid: UInt32(pid), named: pid + 1))
  }

  @Test func readingWhileMarksAreTakenGivesAWholeHistory() throws {
    var trace = Self.liveTrace()
    // For three banks of the size at which history is thinned.
    trace.unusedBytes = 4 << 20
    let started = try start("mark", trace: trace)
    var newest: GenerationNumber = 0
    var read = 0
    while read < 60 || newest < 6000, read < 2000 {
      let recording = try Recording(trace: started.file)
      read += 1
      let merged = recording.marks.reduce(0) { $0 + $1.merged }
      #expect(merged == recording.marksTaken)
      #expect(recording.marksTaken >= newest)
      #expect(zip(recording.marks, recording.marks.dropFirst()).allSatisfy { $0.generation < $1.generation })
      newest = recording.marksTaken
    }
    started.running.wait()
    #expect(newest > 1000)
  }

  @Test func readingWhileBlocksComeAndGoNeverFindsThemFreedBeforeBorn() throws {
    let started = try start("churn")
    for _ in 0..<200 {
      let cell = try #require(try Recording(trace: started.file).cells.first)
      #expect(cell.live.blocks >= .zero)
      #expect(cell.live.blocks <= Blocks(1))
    }
    started.running.wait()
    let cell = try #require(try Recording(trace: started.file).cells.first)
    #expect(cell.live == .zero)
    #expect(cell.born.blocks > Blocks(1000))
  }

  @Test func whatCanNotBeMarkedIsSaid() throws {
    #expect(error { () throws(TraceError) in _ = try LiveTrace(pid: 0) } == .noProcess(pid: 0))
    #expect(error { () throws(TraceError) in _ = try LiveTrace(pid: .max) } == .noProcess(pid: .max))
    let own = getpid()
    #expect(error { () throws(TraceError) in _ = try LiveTrace(pid: own) } == .notRecorded(pid: own))

    let directory = try TemporaryDirectory()
    let file = try directory.write(TraceBuilder.example().build().bytes, to: "ended.genmark")
    guard case .ended = error({ () throws(TraceError) in _ = try LiveTrace(path: file) }) else {
      Issue.record("an ended program can not be marked")
      return
    }
    let reused = try directory.write(Self.liveTrace().build().bytes, to: "gone.genmark")
    guard case .ended = error({ () throws(TraceError) in _ = try LiveTrace(path: reused) }) else {
      Issue.record("a program that is gone can not be marked")
      return
    }
  }

  @Test func aTraceWithoutRoomIsRefusedAndStaysSound() throws {
    var trace = Self.liveTrace()
    trace.unusedBytes = 0
    let started = try start(trace: trace)
    let live = try LiveTrace(pid: started.running.pid)
    // Eight marks fit into the bank that is there.
    var refusal: TraceError?
    for _ in 0..<100 where refusal == nil {
      refusal = error { () throws(TraceError) in _ = try live.mark("a label") }
    }
    #expect(refusal == .markRefused(file: started.file))
    let recording = try Recording(trace: started.file)
    #expect(recording.losses.contains { $0.kind == .marks })
  }

  @Test func anotherUsersTraceIsRefused() throws {
    // Only root can give a file away.
    guard geteuid() == 0 else { return }
    let started = try start()
    try #require(chown(started.file, 65534, 65534) == 0)
    let refusal = TraceError.otherUsersFile(file: started.file, user: 65534)
    #expect(error { () throws(TraceError) in _ = try LiveTrace(path: started.file) } == refusal)
    #expect(error { () throws(TraceError) in _ = try LiveTrace(pid: started.running.pid) } == refusal)
    #expect(
      error { () throws(TraceError) in try LiveTrace.finish(path: started.file, pid: started.running.pid, end: .exec) }
        == refusal)
  }

  @Test func anotherUsersProcessIsRefusedUnlessItsTraceIsOurs() throws {
    guard geteuid() == 0 else { return }
    let other = try start("unmap", asUser: 65534)
    #expect(
      error { () throws(TraceError) in _ = try LiveTrace(pid: other.running.pid) }
        == .otherUsersProcess(pid: other.running.pid, user: 65534))
    // A server that has given up its privileges.
    let server = try start(asUser: 65534)
    #expect(try LiveTrace(pid: server.running.pid).mark("x") == 1)
  }

  @Test func aLockThatIsNeverLetGoOfIsNotWaitedForForEver() throws {
    let started = try start()
    let live = try LiveTrace(pid: started.running.pid)
    // The program itself lives and holds the lock, as it would when it was stopped while it marked.
    let handle = try #require(FileHandle(forUpdatingAtPath: started.file))
    try handle.seek(toOffset: UInt64(try #require(MemoryLayout<gm_header>.offset(of: \.lock))))
    handle.write(withUnsafeBytes(of: UInt32(started.running.pid)) { Data($0) })
    #expect(
      error { () throws(TraceError) in _ = try live.mark("x") }
        == .locked(file: started.file, thread: UInt32(started.running.pid)))
    #expect(try Recording(trace: started.file).marks.isEmpty)
    // An owner that has died is no owner.
    try handle.seek(toOffset: UInt64(try #require(MemoryLayout<gm_header>.offset(of: \.lock))))
    handle.write(withUnsafeBytes(of: UInt32(1 << 22) + 7) { Data($0) })
    #expect(try live.mark("y") == 1)
  }

  @Test func aFileThatSomeoneElseHasCutIsNotTouched() throws {
    let started = try start()
    let live = try LiveTrace(pid: started.running.pid)
    try #require(truncate(started.file, 0) == 0)
    #expect(!live.isRunning)
    guard case .truncated = error({ () throws(TraceError) in _ = try live.mark("x") }) else {
      Issue.record("a mark in a file that was cut is refused")
      return
    }
  }
}
