// SPDX-License-Identifier: MIT

import JACK
import Synchronization
import TestSupport
import Testing

@testable import InterAppAudio

@Suite(.serialized, .timeLimit(.minutes(1)))
struct CloseTests {
  @Test(
    "IAA-1: a node that closes while it reads its new host leaves freed memory alone",
    .jackServer()
  )
  func closeWhileReading() async throws {
    let server = try testServer().name
    let closing = Closing()
    let node = try unsafe PublishedNode(
      NodeDescription(kind: .generator, subtype: "clos", manufacturer: "mrte", name: "closing"),
      client: nil,
      server: server,
      process: silentProcess,
      hostWasRead: { closing.close() },
    ) { _, _ in Silence() }
    closing.node = node
    let host = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "host")
    try host.connection.setMetadata(
      MetadataValue("\(server)/host"),
      for: NodeMetadata.connectedHost,
      of: node.connection.uuid,
    )
    // The events end with the task that reads the host, after its last write.
    var events: [NodeEvent] = []
    for await event in node.events { events.append(event) }
    #expect(!closing.bytes.isEmpty)
    #expect(closing.bytes.allSatisfy { $0 == 0 })
    #expect(events.isEmpty)
    #expect(!node.isConnected)
    closing.node = nil
    host.close()
  }

  @Test("IAA-5: a MIDI output that a program drops lives until its host is closed", .jackServer())
  func droppedOutput() async throws {
    let folder = try NodeFolder()
    let host = try InterAppHost(
      HostDescription(name: "dropper"),
      server: testServer().name,
      folders: folder.folders,
    )
    weak let output = try await host.midiOutput(named: "dropped")
    // The callback reads its queue in every cycle.
    #expect(output != nil)
    await host.close()
  }
}

/// Closes a node from within its reading of a host, and takes the callback's memory for itself.
private final class Closing: @unchecked Sendable {
  // Set before the node gets its host, whose reading is the first to use it.
  var node: PublishedNode<Silence>?
  private var blocks: [Block] = []

  /// Closes the node, then fills blocks of the callback's size with zeros: one of them is the memory just freed,
  /// which the allocator gives out again among the next few requests of the same size and thread.
  func close() {
    node?.close()
    blocks = (0..<16).map { _ in Block() }
  }

  /// The contents of the blocks; empty before the node is closed.
  var bytes: [UInt8] { blocks.flatMap(\.bytes) }
}

/// Memory of a callback's size, full of zeros at first.
@safe
private final class Block {
  private let size = MemoryLayout<NodeCallback<Silence>>.size
  private let memory = UnsafeMutablePointer<NodeCallback<Silence>>.allocate(capacity: 1)

  init() {
    let raw = unsafe UnsafeMutableRawPointer(memory)
    unsafe raw.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit { unsafe memory.deallocate() }

  var bytes: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: memory, count: size)) }
}

/// The state of an idle node.
private struct Silence: ~Copyable {}

/// The callback of an idle node. [audio-thread]
@c(multiroute_test_silent_node) @_noLocks @_noAllocation
private func silentProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 { 0 }
