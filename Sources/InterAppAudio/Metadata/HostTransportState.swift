// SPDX-License-Identifier: MIT

/// What a host says of its transport that JACK's does not carry: recording, and the cycle.
///
/// A host announces a change ahead of time, with the JACK frame it holds from, so that all nodes
/// take it in the same cycle.
public struct HostTransportState: BitwiseCopyable, Equatable, Sendable {
  /// The JACK frame time it holds from; wraps at 2³².
  public var fromFrame: UInt32
  /// Whether the host records.
  public var isRecording: Bool
  /// Whether the host plays the beats from `cycleStartBeat` to `cycleEndBeat` again and again.
  public var isCycling: Bool
  /// In quarter notes from the beginning.
  public var cycleStartBeat: Double
  /// In quarter notes from the beginning.
  public var cycleEndBeat: Double

  /// Makes a state.
  @_noLocks @_noAllocation
  public init(
    fromFrame: UInt32 = 0,
    isRecording: Bool = false,
    isCycling: Bool = false,
    cycleStartBeat: Double = 0,
    cycleEndBeat: Double = 0,
  ) {
    self.fromFrame = fromFrame
    self.isRecording = isRecording
    self.isCycling = isCycling
    self.cycleStartBeat = cycleStartBeat
    self.cycleEndBeat = cycleEndBeat
  }
}

extension HostTransportState {
  /// The value in the metadata: `FRAME RECORDING CYCLING START END`.
  var text: String {
    "\(fromFrame) \(isRecording ? 1 : 0) \(isCycling ? 1 : 0) \(cycleStartBeat) \(cycleEndBeat)"
  }

  /// Reads the value in the metadata; nil where it is not one.
  init?(text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 5, let frame = UInt32(parts[0]), let start = Double(parts[3]),
      let end = Double(parts[4])
    else { return nil }
    self.init(
      fromFrame: frame,
      isRecording: parts[1] == "1",
      isCycling: parts[2] == "1",
      cycleStartBeat: start,
      cycleEndBeat: end,
    )
  }
}
