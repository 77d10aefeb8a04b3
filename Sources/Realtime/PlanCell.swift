// SPDX-License-Identifier: MIT

public import Synchronization

/// Hands the newest plan from the control side to the audio thread.
///
/// One atomic swap on each side; the latest plan wins. A plan that was replaced before it was taken returns
/// to the publisher at once; one that was taken returns when the audio thread reports that it no longer uses it.
@safe
public struct PlanCell<Plan>: ~Copyable {
  @usableFromInline let pointer: UnsafeMutablePointer<Slot>

  /// The shared pointer, alone in its cache lines.
  ///
  /// Made with its cell: [any-thread].
  @safe
  @usableFromInline
  struct Slot: ~Copyable {
    @usableFromInline let plan: Atomic<UnsafeMutablePointer<Plan>?>
    @usableFromInline let padding = InlineArray<15, Int>(repeating: 0)

    @inlinable
    init() {
      unsafe plan = Atomic(nil)
    }
  }

  /// Allocates an empty cell.
  ///
  /// [control-thread]
  @inlinable
  public init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: Slot())
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The audio thread's handle on the cell, which must outlive it.
  @inlinable
  public var endpoint: Endpoint {
    unsafe Endpoint(pointer: pointer)
  }

  /// Makes `plan` the one to be taken next.
  ///
  /// - Returns: The plan that was waiting and will now never be taken, if any.
  ///
  /// [control-thread]
  @inlinable
  public func publish(_ plan: UnsafeMutablePointer<Plan>) -> UnsafeMutablePointer<Plan>? {
    // This side has made the plan that comes back, so it has nothing to acquire.
    unsafe pointer.pointee.plan.exchange(plan, ordering: .releasing)
  }

  /// The taking side of a cell.
  ///
  /// Made by the cell, used by the taking thread: [any-thread].
  @safe
  public struct Endpoint: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let pointer: UnsafeMutablePointer<Slot>

    @inlinable
    init(pointer: UnsafeMutablePointer<Slot>) {
      unsafe self.pointer = pointer
    }

    /// Takes the waiting plan; nil without a new one.
    ///
    /// [audio-thread] never waits, never allocates.
    @inlinable
    public func take() -> UnsafeMutablePointer<Plan>? {
      // A plain load first: the usual cycle must not pull the line away from the other core.
      guard unsafe pointer.pointee.plan.load(ordering: .relaxed) != nil else { return nil }
      return unsafe pointer.pointee.plan.exchange(nil, ordering: .acquiring)
    }
  }
}
