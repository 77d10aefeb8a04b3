// SPDX-License-Identifier: MIT

public import Synchronization

extension SPSCQueue {
  /// The receiving end of a queue.
  ///
  /// Made by the queue, used by the receiving thread: [any-thread].
  @safe
  public struct Consumer: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let header: UnsafeMutablePointer<SPSCPositions>
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int

    @inlinable
    init(
      header: UnsafeMutablePointer<SPSCPositions>,
      slots: UnsafeMutablePointer<Element>,
      mask: Int,
    ) {
      unsafe self.header = header
      unsafe self.slots = slots
      self.mask = mask
    }

    /// Elements that can be read right now; the producer can only make it more.
    ///
    /// [any-thread], exact on the consuming one.
    @inlinable
    public var availableCount: Int {
      writtenPosition - position
    }

    /// Elements read since the start.
    ///
    /// [any-thread], exact on the consuming one.
    @inlinable
    public var position: Int {
      unsafe header.pointee.read.load(ordering: .relaxed)
    }

    /// Elements sent since the start, as far as they can be seen now.
    ///
    /// [any-thread]
    @inlinable
    public var writtenPosition: Int {
      // Only a number: `peek` and `pop` acquire the elements.
      unsafe header.pointee.written.load(ordering: .relaxed)
    }

    /// The oldest element, which stays in the queue; nil from an empty queue.
    ///
    /// [any-thread] but one at a time; never waits, never allocates.
    @inlinable
    public func peek() -> Element? {
      let read = unsafe header.pointee.read.load(ordering: .relaxed)
      let written = unsafe header.pointee.written.load(ordering: .acquiring)
      return unsafe read == written ? nil : slots[read & mask]
    }

    /// Takes the oldest element; nil from an empty queue.
    ///
    /// [any-thread] but one at a time; never waits, never allocates.
    @inlinable
    public func pop() -> Element? {
      let read = unsafe header.pointee.read.load(ordering: .relaxed)
      let written = unsafe header.pointee.written.load(ordering: .acquiring)
      guard read != written else { return nil }
      let element = unsafe slots[read & mask]
      unsafe header.pointee.read.store(read + 1, ordering: .releasing)
      return element
    }
  }
}
