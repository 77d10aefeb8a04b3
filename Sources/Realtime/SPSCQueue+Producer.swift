// SPDX-License-Identifier: MIT

public import Synchronization

extension SPSCQueue {
  /// The sending end of a queue.
  ///
  /// Made by the queue, used by the sending thread: [any-thread].
  @safe
  public struct Producer: BitwiseCopyable, @unchecked Sendable {
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

    /// Elements that fit right now; the consumer can only make it more.
    ///
    /// [any-thread], exact on the producing one.
    @inlinable
    public var freeCount: Int {
      let written = unsafe header.pointee.written.load(ordering: .relaxed)
      // Only a number: `push` acquires the slots.
      let read = unsafe header.pointee.read.load(ordering: .relaxed)
      return mask + 1 - (written - read)
    }

    /// Elements sent since the start, read or not.
    ///
    /// [any-thread], exact on the producing one.
    @inlinable
    public var position: Int {
      unsafe header.pointee.written.load(ordering: .relaxed)
    }

    /// Appends one element.
    ///
    /// - Returns: Whether it was appended; false if the queue is full.
    ///
    /// [any-thread] but one at a time; never waits, never allocates.
    @inlinable
    public func push(_ element: Element) -> Bool {
      let written = unsafe header.pointee.written.load(ordering: .relaxed)
      let read = unsafe header.pointee.read.load(ordering: .acquiring)
      guard written - read <= mask else { return false }
      unsafe slots[written & mask] = element
      unsafe header.pointee.written.store(written + 1, ordering: .releasing)
      return true
    }

    /// Appends all elements at once, so that the consumer sees none or all of them.
    ///
    /// - Returns: Whether they were appended; false if they do not all fit.
    ///
    /// [any-thread] but one at a time; never waits, never allocates.
    @inlinable
    public func push(contentsOf elements: UnsafeBufferPointer<Element>) -> Bool {
      let written = unsafe header.pointee.written.load(ordering: .relaxed)
      let read = unsafe header.pointee.read.load(ordering: .acquiring)
      guard elements.count <= mask + 1 - (written - read) else { return false }
      for index in 0..<elements.count {
        unsafe slots[(written + index) & mask] = elements[index]
      }
      unsafe header.pointee.written.store(written + elements.count, ordering: .releasing)
      return true
    }
  }
}
