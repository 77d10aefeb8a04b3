// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// The state of the process callback of the source client: the arrangement that it plays.
@safe
struct SourceProcess: ~Copyable {
  /// A newer arrangement, which the next cycle takes.
  let newest: PlanCell<SourceArrangement>
  /// The address of the arrangement of the last cycle, for the control thread.
  let used: Atomic<UInt>
  /// The arrangement of the present cycle, for the audio thread.
  var present: UnsafeMutablePointer<SourceArrangement>

  /// Allocates a state that begins with an arrangement; `free` releases the state alone. [control-thread]
  static func make(
    _ first: UnsafeMutablePointer<SourceArrangement>
  ) -> UnsafeMutablePointer<SourceProcess> {
    let pointer = UnsafeMutablePointer<SourceProcess>.allocate(capacity: 1)
    unsafe pointer.initialize(
      to: SourceProcess(
        newest: PlanCell(),
        used: Atomic(UInt(bitPattern: first)),
        present: first,
      )
    )
    return unsafe pointer
  }

  /// Releases the state of a client that is no longer active. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<SourceProcess>) {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// Takes a newer arrangement, if there is one.
  ///
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  mutating func beginCycle() {
    guard let next = unsafe newest.endpoint.take() else { return }
    unsafe present = next
    used.store(UInt(bitPattern: next), ordering: .releasing)
  }
}

/// The process callback of the source client.
///
/// [audio-thread & active] — never blocks, never allocates.
@c(multiroute_source_process) @_noLocks @_noAllocation
func sourceProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: SourceProcess.self) { state, scope in
    unsafe state.pointee.beginCycle()
    unsafe state.pointee.present.pointee.play(frames: Int(frames), in: scope)
  }
}
