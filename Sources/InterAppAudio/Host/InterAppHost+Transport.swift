// SPDX-License-Identifier: MIT

internal import JACK

/// The transport, tempo, recording and loop that nodes see.
extension InterAppHost {
  /// Starts or stops the transport.
  public func setPlaying(_ isPlaying: Bool) throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in
      if isPlaying { try connection.startTransport() } else { try connection.stopTransport() }
    }
  }

  /// Sets tempo and time signature as JACK's timebase master.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: 1 … 999.
  ///   - beatsPerBar: 1 … 64.
  ///   - beatType: 1, 2, 4, 8, 16 or 32.
  /// - Throws: ``InterAppAudioError`` `invalidProperty` or `jack`.
  public func setTempo(
    _ beatsPerMinute: Double,
    beatsPerBar: Int = 4,
    beatType: Int = 4,
  ) throws(InterAppAudioError) {
    guard (1...999).contains(beatsPerMinute), (1...64).contains(beatsPerBar),
      [1, 2, 4, 8, 16, 32].contains(beatType)
    else {
      throw InterAppAudioError(
        .invalidProperty,
        "tempo \(beatsPerMinute), \(beatsPerBar)/\(beatType): allowed are 1 … 999 beats per minute, "
          + "1 … 64 beats of 1, 2, 4, 8, 16 or 32",
      )
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try client.setTempo(
        beatsPerMinute: beatsPerMinute,
        beatsPerBar: beatsPerBar,
        beatType: beatType,
      )
    }
  }

  /// Announces recording and loop; all nodes adopt them in the same JACK cycle.
  ///
  /// - Returns: The announced state, with the first frame for which it is valid.
  @discardableResult
  public func announce(
    _ state: HostTransportState
  ) throws(InterAppAudioError) -> HostTransportState {
    try InterAppAudioError.wrapping { () throws(JACKError) in try connection.announce(state) }
  }
}
