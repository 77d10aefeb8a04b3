// SPDX-License-Identifier: MIT

import Synchronization

/// What a node's callback has received, and at which frame; outlives the node.
@safe
final class MIDILog {
  /// What a callback writes through.
  @safe
  struct Writer: BitwiseCopyable {
    fileprivate static var capacity: Int { @_noLocks @_noAllocation get { 16_384 } }
    fileprivate let frames: UnsafeMutablePointer<UInt32>
    fileprivate let values: UnsafeMutablePointer<UInt16>
    fileprivate let count: UnsafeMutablePointer<Atomic<Int>>

    /// Notes a message; what is more than the log holds is left out. [audio-thread]
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

  /// What has arrived so far.
  var arrivals: [(frame: UInt32, value: UInt16)] {
    let arrived = unsafe writer.count.pointee.load(ordering: .acquiring)
    return (0..<arrived).map { unsafe (writer.frames[$0], writer.values[$0]) }
  }
}
