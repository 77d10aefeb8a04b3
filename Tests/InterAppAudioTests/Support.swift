// SPDX-License-Identifier: MIT

internal import Foundation
internal import InterAppAudio
internal import Synchronization

/// The MIDI messages that a node's callback received, with their frames; outlives the node.
@safe
final class MIDILog {
  /// The callback's end of the log.
  @safe
  struct Writer: BitwiseCopyable {
    fileprivate static var capacity: Int { @_noLocks @_noAllocation get { 16_384 } }
    fileprivate let frames: UnsafeMutablePointer<UInt32>
    fileprivate let values: UnsafeMutablePointer<UInt16>
    fileprivate let count: UnsafeMutablePointer<Atomic<Int>>

    /// Writes a message; messages beyond the capacity are dropped. [audio-thread]
    @_noLocks @_noAllocation
    func append(_ value: UInt16, atFrame frame: UInt32) {
      let count = unsafe self.count.pointee.load(ordering: .relaxed)
      guard count < Self.capacity else { return }
      unsafe frames[count] = frame
      unsafe values[count] = value
      unsafe self.count.pointee.store(count + 1, ordering: .releasing)
    }
  }

  let writer: Writer

  init() {
    unsafe writer = Writer(
      frames: .allocate(capacity: Writer.capacity),
      values: .allocate(capacity: Writer.capacity),
      count: .allocate(capacity: 1),
    )
    unsafe writer.count.initialize(to: Atomic(0))
  }

  deinit {
    unsafe writer.frames.deallocate()
    unsafe writer.values.deallocate()
    unsafe writer.count.deinitialize(count: 1)
    unsafe writer.count.deallocate()
  }

  /// The messages that have arrived so far.
  var arrivals: [(frame: UInt32, value: UInt16)] {
    let arrived = unsafe writer.count.pointee.load(ordering: .acquiring)
    return (0..<arrived).map { unsafe (writer.frames[$0], writer.values[$0]) }
  }
}

/// A temporary folder of node files for one test.
final class NodeFolder {
  let folders: NodeFolders
  private let path: String

  init(shipped: [InstalledNode] = []) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "nodes-\(UUID())").path()
    try FileManager.default.createDirectory(
      atPath: path + "/multiroute/nodes",
      withIntermediateDirectories: true,
    )
    let environment = [
      "XDG_DATA_HOME": path, "XDG_DATA_DIRS": path + "/none", "XDG_STATE_HOME": path,
    ]
    folders = NodeFolders(environment: environment, shipped: shipped)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to file: String) throws {
    let url = URL(filePath: "\(path)/multiroute/nodes/\(file)")
    try Data(text.utf8).write(to: url)
  }
}
