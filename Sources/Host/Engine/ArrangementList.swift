// SPDX-License-Identifier: MIT

internal import JACK

/// The arrangements that the audio thread uses or may still use, oldest first; the address of one is the
/// tag of a mix.
///
/// Belongs to the control thread.
@safe
struct ArrangementList {
  private var arrangements: [UnsafeMutablePointer<PortArrangement>]

  init() { unsafe arrangements = [] }

  /// Makes an arrangement, the newest from now on.
  ///
  /// - Parameters:
  ///   - inputs: The ports that are read.
  ///   - gates: What keeps each input silent at times; shorter where the rest has none.
  ///   - outputs: The ports that are written.
  /// - Returns: Its tag.
  mutating func add(
    inputs: [AudioInputPort],
    gates: [InputGateCell?] = [],
    outputs: [AudioOutputPort],
  ) -> UInt64 {
    let arrangement = unsafe PortArrangement.make(inputs: inputs, gates: gates, outputs: outputs)
    unsafe arrangements.append(arrangement)
    return UInt64(UInt(bitPattern: arrangement))
  }

  /// Frees what the audio thread has left, now that it uses the arrangement of this tag.
  ///
  /// - Returns: The tags of all arrangements up to this one; none where there is no such arrangement.
  mutating func adopted(tag: UInt64) -> Set<UInt64> {
    let tags = unsafe arrangements.map { UInt64(UInt(bitPattern: $0)) }
    guard let place = tags.firstIndex(of: tag) else { return [] }
    for index in 0..<place { unsafe PortArrangement.free(arrangements[index]) }
    unsafe arrangements.removeFirst(place)
    return Set(tags[...place])
  }

  /// Frees all, when no callback runs any more.
  mutating func removeAll() {
    for index in unsafe arrangements.indices { unsafe PortArrangement.free(arrangements[index]) }
    unsafe arrangements.removeAll()
  }
}
