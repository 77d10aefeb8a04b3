// SPDX-License-Identifier: MIT

public import InterAppAudio
internal import JACK

/// An effect: eight peaking filters in series.
///
/// Frequency, gain and quality of each can be changed while it runs.
///
/// Belongs to the audio thread after publishing.
public struct ParametricEqualizer: ~Copyable {
  /// One peak or dip.
  ///
  /// Pure value: [any-thread].
  public struct Band: Hashable, Sendable {
    /// The center frequency, 10 Hz … 20 kHz, and at most 0.45 × the sample rate.
    public var frequencyHz: Double
    /// The gain at the center, −24 … 24 dB; a band of 0 dB changes nothing.
    public var gainDB: Double
    /// The quality Q, 0.1 … 20.
    public var quality: Double

    /// The range of center frequencies in Hz that can be set while it runs.
    public static let frequencyRangeHz = 10.0...20_000.0
    /// The range of gains in dB.
    public static let gainRangeDB = -24.0...24.0
    /// The range of qualities.
    public static let qualityRange = 0.1...20.0

    /// Makes a band.
    public init(frequencyHz: Double, gainDB: Double, quality: Double = 1) {
      self.frequencyHz = frequencyHz
      self.gainDB = gainDB
      self.quality = quality
    }
  }

  /// The largest number of bands.
  public static var bandLimit: Int { @_noLocks @_noAllocation get { 8 } }

  /// The frames between two steps of a change; between them the coefficients go straight.
  private static var stepFrames: Int { @_noLocks @_noAllocation get { 16 } }

  private var filters: InlineArray<8, PeakFilter>

  init(_ bands: [Band], sampleRateHz: Double) {
    let bands = Self.all(bands)
    filters = InlineArray { PeakFilter(bands[$0], sampleRateHz: sampleRateHz) }
  }

  /// Eight bands: those given, and flat ones.
  private static func all(_ bands: [Band]) -> [Band] {
    let flat = [60.0, 120, 250, 500, 1_000, 2_000, 4_000, 8_000]
    return (bands + flat.dropFirst(bands.count).map { Band(frequencyHz: $0, gainDB: 0) })
      .prefix(bandLimit).map(\.self)
  }

  /// The parameters of eight bands: frequency, gain and quality of each.
  private static func parameters(_ bands: [Band]) -> [NodeParameter] {
    all(bands).enumerated().flatMap { index, band in
      [
        NodeParameter(
          "band-\(index + 1)-frequency",
          range: Band.frequencyRangeHz,
          unit: "Hz",
          taper: .logarithmic,
          description: "the center of the band",
          value: band.frequencyHz,
        ),
        NodeParameter(
          "band-\(index + 1)-gain",
          range: Band.gainRangeDB,
          unit: "dB",
          description: "the gain at the center; 0 changes nothing",
          value: band.gainDB,
        ),
        NodeParameter(
          "band-\(index + 1)-q",
          range: Band.qualityRange,
          taper: .logarithmic,
          description: "the quality: the higher, the narrower",
          value: band.quality,
        ),
      ]
    }
  }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: borrowing NodeIO, _ scope: borrowing ProcessScope) {
    let inputs = unsafe (io.input(0, scope), io.input(1, scope))
    let outputs = unsafe (io.output(0, scope), io.output(1, scope))
    let frameCount = unsafe min(outputs.0.count, outputs.1.count)
    for band in 0..<Self.bandLimit {
      filters[band].head(
        frequencyHz: io.parameter(3 * band),
        gainDB: io.parameter(3 * band + 1),
        quality: io.parameter(3 * band + 2),
      )
    }
    for index in 0..<frameCount {
      unsafe outputs.0[index] = inputs.0[index]
      unsafe outputs.1[index] = inputs.1[index]
    }
    var start = 0
    while start < frameCount {
      let end = min(start + Self.stepFrames, frameCount)
      for band in 0..<Self.bandLimit {
        unsafe filters[band].render(outputs.0, outputs.1, from: start, to: end)
      }
      start = end
    }
  }

  /// Refuses bands that an equalizer cannot have.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidProperty`.
  private static func check(
    _ bands: [Band],
    highestHz: Double = .infinity,
  ) throws(InterAppAudioError) {
    guard bands.count <= bandLimit else {
      throw InterAppAudioError(
        .invalidProperty,
        "\(bands.count) bands: allowed are up to \(bandLimit)",
      )
    }
    let highestHz = min(highestHz, Band.frequencyRangeHz.upperBound)
    for band in bands {
      guard Band.frequencyRangeHz.contains(band.frequencyHz), band.frequencyHz <= highestHz,
        Band.gainRangeDB.contains(band.gainDB), Band.qualityRange.contains(band.quality)
      else {
        throw InterAppAudioError(
          .invalidProperty,
          "band \(band.frequencyHz) Hz, \(band.gainDB) dB, Q \(band.quality): allowed are "
            + "10 … \(highestHz) Hz, -24 … 24 dB, Q 0.1 … 20",
        )
      }
    }
  }

  /// Publishes an equalizer. [control-thread]
  public static func publish(
    _ description: NodeDescription = ShippedNode.equalizer.description,
    bands: [Band],
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<ParametricEqualizer> {
    var description = description
    try check(bands)
    description.parameters = parameters(bands)
    return try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: equalizerProcess,
    ) { rate, _ in
      try check(bands, highestHz: 0.45 * rate)
      return ParametricEqualizer(bands, sampleRateHz: rate)
    }
  }
}

/// The callback of the equalizer. [audio-thread]
@c(multiroute_node_equalizer) @_noLocks @_noAllocation
func equalizerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<ParametricEqualizer>.self) {
    node,
    scope in
    unsafe node.pointee.state.render(node.pointee.io, scope)
  }
}
