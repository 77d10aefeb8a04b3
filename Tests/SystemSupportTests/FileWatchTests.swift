// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SystemSupport

/// Files whose changes are told.
@Suite(.timeLimit(.minutes(1)))
struct FileWatchTests {
  /// A folder with files, and a count of what a watch has told.
  private final class Bench: Sendable {
    let folder = "/tmp/mr-watch-\(UUID().uuidString)"
    private let count = Atomic<Int>(0)

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var told: Int { count.load(ordering: .acquiring) }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a file in place.
    func write(_ text: String, to name: String) throws {
      try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    func watch(_ names: String...) throws -> FileWatch {
      try FileWatch.start(names.map(path)) { [weak self] in
        self?.count.wrappingAdd(1, ordering: .acquiringAndReleasing)
      }
    }

    /// Waits until a further change is told, beyond `before`.
    func isTold(after before: Int, _ what: String) async throws {
      try await waitUntil(what) { told > before }
    }
  }

  @Test func `a file that is written, replaced by rename, linked anew or made is told`()
    async throws
  {
    let bench = try Bench()
    try bench.write("1", to: "graph.yaml")
    let watch = try bench.watch("graph.yaml", "later.yaml", "link.yaml")
    defer { watch.end() }
    try bench.write("2", to: "graph.yaml")
    try await bench.isTold(after: 0, "a file that is written in place")

    var before = bench.told
    try bench.write("3", to: ".graph.yaml.swp")
    #expect(unsafe rename(bench.path(".graph.yaml.swp"), bench.path("graph.yaml")) == 0)
    try await bench.isTold(after: before, "a file that another one replaces")

    before = bench.told
    try bench.write("4", to: "later.yaml")
    try await bench.isTold(after: before, "a file that was not there")

    before = bench.told
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("link.yaml"),
      withDestinationPath: "graph.yaml",
    )
    try await bench.isTold(after: before, "a link")
  }

  @Test func `other files of the folder are not told, and a burst is told together`() async throws {
    let bench = try Bench()
    try bench.write("1", to: "graph.yaml")
    let watch = try bench.watch("graph.yaml")
    defer { watch.end() }
    try bench.write("1", to: "other.yaml")
    for number in 0..<50 { try bench.write("\(number)", to: "graph.yaml") }
    try await bench.isTold(after: 0, "the burst")
    #expect(bench.told < 50)
    // inotify keeps the order: an event of the other file would have come before the burst.
    let settled = bench.told
    try bench.write("2", to: "other.yaml")
    try bench.write("end", to: "graph.yaml")
    try await bench.isTold(after: settled, "the last change")
  }

  @Test func `a file behind a link is told, and a watch can follow other files`() async throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(
      atPath: bench.path("real"),
      withIntermediateDirectories: true,
    )
    try bench.write("1", to: "real/graph.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("link.yaml"),
      withDestinationPath: "real/graph.yaml",
    )
    let watch = try bench.watch("link.yaml")
    defer { watch.end() }
    try bench.write("2", to: "real/graph.yaml")
    try await bench.isTold(after: 0, "the file behind the link")

    try bench.write("1", to: "second.yaml")
    watch.follow([bench.path("second.yaml")])
    let before = bench.told
    try bench.write("2", to: "second.yaml")
    try await bench.isTold(after: before, "another file")
  }

  @Test func `a folder that comes later is watched from then on`() async throws {
    let bench = try Bench()
    let watch = try bench.watch("new/graph.yaml")
    defer { watch.end() }
    try FileManager.default.createDirectory(
      atPath: bench.path("new"),
      withIntermediateDirectories: true,
    )
    try await waitUntil("the file in the new folder is told", every: .milliseconds(50)) {
      try bench.write("1", to: "new/graph.yaml")
      return bench.told > 0
    }
  }

  @Test func `an ended watch leaves no descriptor`() async throws {
    let bench = try Bench()
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\($0)"
        )
        return target?.contains("inotify") == true
      }
    }
    let before = try descriptors()
    for _ in 0..<20 { try bench.watch("graph.yaml").end() }
    // Other tests of this process watch files, too.
    try await waitUntil("their descriptors are closed") { try descriptors() < before + 20 }
  }
}
