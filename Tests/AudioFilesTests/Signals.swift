// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc

/// Signals to write into files, and to find in the output.
enum Signals {
  /// A frame is known by its values: every sample is another multiple of 2⁻²³, so that 24 bit files
  /// hold it exactly.
  static func counting(frames: Int, channels: Int, from start: Int = 0) -> [Float] {
    (start * channels..<(start + frames) * channels).map { index in
      Float((index &* 7919) % 16_000_000 - 8_000_000) / 8_388_608
    }
  }

  /// A mono sine with a peak of `peak`.
  static func sine(frames: Int, frequencyHz: Double, sampleRateHz: Double, peak: Double) -> [Float]
  {
    (0..<frames).map { frame in
      Float(peak * sin(2 * .pi * frequencyHz * Double(frame) / sampleRateHz))
    }
  }

  /// The ratio of a sine of known frequency to everything else, in dB.
  ///
  /// Amplitude and phase are fitted by least squares.
  static func sinadDB(_ samples: ArraySlice<Float>, frequencyHz: Double, sampleRateHz: Double)
    -> Double
  {
    let step = 2 * Double.pi * frequencyHz / sampleRateHz
    var (cosCos, cosSin, sinSin, cosX, sinX) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let (c, s, x) = (cos(step * Double(index)), sin(step * Double(index)), Double(sample))
      cosCos += c * c
      cosSin += c * s
      sinSin += s * s
      cosX += c * x
      sinX += s * x
    }
    let determinant = cosCos * sinSin - cosSin * cosSin
    let a = (cosX * sinSin - sinX * cosSin) / determinant
    let b = (sinX * cosCos - cosX * cosSin) / determinant
    var (signal, rest) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let fit = a * cos(step * Double(index)) + b * sin(step * Double(index))
      signal += fit * fit
      rest += (Double(sample) - fit) * (Double(sample) - fit)
    }
    return 10 * log10(signal / rest)
  }

  /// Writes interleaved samples to a new file.
  static func write(
    _ samples: [Float],
    to path: String,
    format: AudioFileFormat = .wavFloat32,
    sampleRateHz: Double = 48_000,
    channels: Int,
  ) throws {
    let writer = try AudioFileWriter(
      path: path,
      format: format,
      sampleRateHz: sampleRateHz,
      channels: channels,
      overwrites: true,
    )
    try writer.write(samples.span)
    try writer.close()
  }

  /// Reads a whole file, interleaved, in chunks of an odd size.
  static func read(_ path: String) throws -> [Float] {
    let reader = try AudioFileReader(path: path)
    var samples: [Float] = []
    while case let chunk = read(reader, frames: 1237), !chunk.isEmpty { samples += chunk }
    return samples
  }

  /// Reads the next frames of a file, interleaved.
  static func read(_ reader: AudioFileReader, frames: Int) -> [Float] {
    var chunk = [Float](repeating: .nan, count: frames * reader.info.channels)
    var room = chunk.mutableSpan
    let count = reader.read(into: &room)
    return Array(chunk.prefix(count * reader.info.channels))
  }
}
