// SPDX-License-Identifier: MIT

/// The host's transport at the first frame of a cycle, as a node's callback sees it (IAA-5).
///
/// All nodes see the same values in a cycle. Pure value: [any-thread].
public struct HostTime: BitwiseCopyable, Sendable {
  /// Whether a host is connected.
  public var isConnected = false
  /// Whether the transport rolls.
  public var isPlaying = false
  /// Whether playing, recording or cycling has changed since the cycle before, or the position
  /// has jumped.
  public var stateChanged = false
  /// Whether the host records.
  public var isRecording = false
  /// The frame on the host's timeline.
  public var sampleInTimeline = 0.0
  /// Whether the host loops a range.
  public var isCycling = false
  /// The start of the loop, in quarter notes from the beginning.
  public var cycleStartBeat = 0.0
  /// The end of the loop, in quarter notes from the beginning.
  public var cycleEndBeat = 0.0
  /// Whether the host has a musical time; only then are the values below valid.
  public var hasMusicalTime = false
  /// The position in beats from the beginning.
  public var beat = 0.0
  /// The tempo in beats per minute.
  public var tempo = 120.0
  /// The frames until the next beat.
  public var samplesToNextBeat: UInt32 = 0
  /// The upper number of the time signature.
  public var timeSignatureNumerator: Float = 4
  /// The lower number of the time signature.
  public var timeSignatureDenominator: UInt32 = 4
  /// The beat at which the current bar began.
  public var measureDownbeat = 0.0

  /// Makes the time of a stopped host.
  @_noLocks @_noAllocation
  public init() {}
}

/// The part of a host's transport that JACK's transport lacks: recording, and a loop.
///
/// A host announces a change ahead of time, with the first JACK frame for which it is valid, so that all
/// nodes adopt it in the same cycle. Pure value: [any-thread].
public struct HostTransportState: BitwiseCopyable, Equatable, Sendable {
  /// The first JACK frame time for which the state is valid; wraps at 2³².
  public var fromFrame: UInt32
  /// Whether the host records.
  public var isRecording: Bool
  /// Whether the host loops the beats from `cycleStartBeat` to `cycleEndBeat`.
  public var isCycling: Bool
  /// The start of the loop, in quarter notes from the beginning.
  public var cycleStartBeat: Double
  /// The end of the loop, in quarter notes from the beginning.
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

  /// Reads the value in the metadata; nil for any other text.
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
