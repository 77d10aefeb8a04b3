// SPDX-License-Identifier: MIT

internal import Glibc
public import InterAppAudio
internal import JACK

/// An effect: up to eight peaking filters in series, after Robert Bristow-Johnson's "Cookbook formulae for audio
/// equalizer biquad filter coefficients".
///
/// Belongs to the audio thread after publishing.
public struct ParametricEqualizer: ~Copyable {
  /// One peak or dip.
  ///
  /// Pure value: [any-thread].
  public struct Band: Hashable, Sendable {
    /// The center frequency, 10 Hz … 0.45 × the sample rate.
    public var frequencyHz: Double
    /// The gain at the center, −24 … 24 dB; a band of 0 dB is left out.
    public var gainDB: Double
    /// The quality Q, 0.1 … 20.
    public var quality: Double

    /// Makes a band.
    public init(frequencyHz: Double, gainDB: Double, quality: Double = 1) {
      self.frequencyHz = frequencyHz
      self.gainDB = gainDB
      self.quality = quality
    }
  }

  /// The largest number of bands.
  public static let bandLimit = 8

  private var left = InlineArray<8, Biquad>(repeating: Biquad())
  private var right = InlineArray<8, Biquad>(repeating: Biquad())
  private let bandCount: Int

  init(_ bands: [Band], sampleRateHz: Double) {
    let heard = bands.filter { $0.gainDB != 0 }.prefix(Self.bandLimit)
    bandCount = heard.count
    for (index, band) in heard.enumerated() {
      left[index] = Biquad(band, sampleRateHz: sampleRateHz)
      right[index] = left[index]
    }
  }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: borrowing NodeIO, _ scope: borrowing ProcessScope) {
    let inputs = unsafe (io.input(0, scope), io.input(1, scope))
    let outputs = unsafe (io.output(0, scope), io.output(1, scope))
    let frameCount = unsafe min(outputs.0.count, outputs.1.count)
    for index in 0..<frameCount {
      var (first, second) = unsafe (inputs.0[index], inputs.1[index])
      for band in 0..<bandCount {
        first = left[band].next(first)
        second = right[band].next(second)
      }
      unsafe outputs.0[index] = first
      unsafe outputs.1[index] = second
    }
  }

  /// Publishes an equalizer. [control-thread]
  public static func publish(
    _ description: NodeDescription = ShippedNode.equalizer.description,
    bands: [Band],
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<ParametricEqualizer> {
    try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: equalizerProcess,
    ) { rate, _ in
      for band in bands {
        guard (10...(0.45 * rate)).contains(band.frequencyHz), (-24...24).contains(band.gainDB),
          (0.1...20).contains(band.quality), bands.count <= bandLimit
        else {
          throw InterAppAudioError(
            .invalidProperty,
            "band \(band.frequencyHz) Hz, \(band.gainDB) dB, Q \(band.quality): allowed are up to "
              + "\(bandLimit) bands of 10 … \(0.45 * rate) Hz, -24 … 24 dB, Q 0.1 … 20",
          )
        }
      }
      return ParametricEqualizer(bands, sampleRateHz: rate)
    }
  }
}

/// A filter of second order, in transposed direct form II.
///
/// Belongs to the audio thread.
struct Biquad: BitwiseCopyable {
  private var b0: Float = 1
  private var b1: Float = 0
  private var b2: Float = 0
  private var a1: Float = 0
  private var a2: Float = 0
  private var s1: Float = 0
  private var s2: Float = 0

  init() {}

  /// The peaking filter of the cookbook.
  init(_ band: ParametricEqualizer.Band, sampleRateHz: Double) {
    let amplitude = pow(10, band.gainDB / 40)
    let omega = 2 * Double.pi * band.frequencyHz / sampleRateHz
    let alpha = sin(omega) / (2 * band.quality)
    let a0 = 1 + alpha / amplitude
    b0 = Float((1 + alpha * amplitude) / a0)
    b1 = Float(-2 * cos(omega) / a0)
    b2 = Float((1 - alpha * amplitude) / a0)
    a1 = b1
    a2 = Float((1 - alpha / amplitude) / a0)
  }

  /// Filters one sample. [audio-thread]
  @_noLocks @_noAllocation
  mutating func next(_ input: Float) -> Float {
    let output = b0 * input + s1
    s1 = b1 * input - a1 * output + s2
    s2 = b2 * input - a2 * output
    return output
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
