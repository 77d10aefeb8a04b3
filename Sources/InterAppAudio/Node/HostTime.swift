// SPDX-License-Identifier: MIT

/// The host's transport at the first frame of a cycle, as a node's callback sees it (IAA-5).
///
/// The same for every node within a cycle.
public struct HostTime: BitwiseCopyable, Sendable {
  /// Whether a host is connected.
  public var isConnected = false
  /// Whether the transport moves.
  public var isPlaying = false
  /// Whether playing, recording or cycling is not what it was in the cycle before, or the position
  /// has jumped.
  public var stateChanged = false
  /// Whether the host records.
  public var isRecording = false
  /// The frame on the host's time line.
  public var sampleInTimeline = 0.0
  /// Whether the host plays a part again and again.
  public var isCycling = false
  /// In quarter notes from the beginning.
  public var cycleStartBeat = 0.0
  /// In quarter notes from the beginning.
  public var cycleEndBeat = 0.0
  /// Whether the host has a musical time at all: the values below hold then.
  public var hasMusicalTime = false
  /// Beats from the beginning.
  public var beat = 0.0
  /// Beats a minute.
  public var tempo = 120.0
  /// Frames until the next beat.
  public var samplesToNextBeat: UInt32 = 0
  /// The upper number of the time signature.
  public var timeSignatureNumerator: Float = 4
  /// The lower number of the time signature.
  public var timeSignatureDenominator: UInt32 = 4
  /// The beat at which the current bar began.
  public var measureDownbeat = 0.0

  /// Makes the time of a host that stands still.
  @_noLocks @_noAllocation
  public init() {}
}
