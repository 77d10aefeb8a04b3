// SPDX-License-Identifier: MIT

internal import Synchronization

/// Going to another place of the file from the audio thread.
extension FilePlayerSource {
  /// Goes to a frame of the file; until ``isReady()`` says so, nothing is to be read.
  ///
  /// - Parameter frame: 0…length; values outside are clamped.
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func seek(toFrame frame: Int) {
    // What follows is heard from its first frame on, and nothing of what was heard before.
    unsafe state.pointee.rt.level = 0
    unsafe state.pointee.wantedFrame.store(frame, ordering: .relaxed)
    unsafe state.pointee.seeksAsked.wrappingAdd(1, ordering: .releasing)
  }

  /// Whether what is read next is what the last `seek` of the audio thread has asked for.
  ///
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  public func isReady() -> Bool {
    let asked = unsafe state.pointee.seeksAsked.load(ordering: .relaxed)
    guard unsafe state.pointee.seeksDone.load(ordering: .acquiring) == asked else { return false }
    takeUpcoming()
    // One that was asked for before may be in its way.
    guard unsafe state.pointee.next.load(ordering: .relaxed) != nil else { return true }
    if let upcoming = unsafe state.pointee.rt.upcoming,
      unsafe state.pointee.retired.load(ordering: .acquiring) == nil
    {
      unsafe state.pointee.retired.store(state.pointee.rt.stream, ordering: .releasing)
      unsafe state.pointee.rt.stream = upcoming
      unsafe state.pointee.rt.upcoming = nil
    }
    return false
  }
}
