// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import Foundation

/// The dictionary of a recorder's settings, checked.
///
/// Pure value: [any-thread].
struct RecorderSettings: Sendable {
  let format: AudioFileFormat
  let channels: Int
  /// The file's sample rate; nil for that of the hardware.
  let sampleRateHz: Double?

  /// Checks settings for a file.
  ///
  /// The extension decides the kind of file. Numbers may have any of Swift's types.
  ///
  /// - Throws: `badParam` with the value and the allowed ones.
  init(_ settings: [String: Any], for url: URL) throws {
    let name = url.pathExtension.lowercased()
    let number = { (key: String) in settingNumber(settings[key]) }
    let channels = number(AVNumberOfChannelsKey).map { Int(exactly: $0) ?? 0 } ?? 2
    let rate = number(AVSampleRateKey) ?? 0
    guard rate == 0 || (1...655_350).contains(rate) else {
      throw Self.refusal("\(rate) Hz", allowed: ["1…655350 Hz", "0 for the hardware's"])
    }
    if let id = number(AVFormatIDKey), !Self.fits(id, name) {
      throw Self.refusal(
        "format \(Self.text(id)) in a file '.\(name)'",
        allowed: [
          "kAudioFormatMPEG4AAC in m4a, mp4 or aac", "kAudioFormatLinearPCM in wav",
          "kAudioFormatFLAC in flac",
        ],
      )
    }
    format = try Self.format(name, url, channels: channels, number)
    guard (1...format.maximumChannels).contains(channels) else {
      throw Self.refusal("\(channels) channels", allowed: ["1…\(format.maximumChannels)"])
    }
    if format.sampleFormat == .aac, rate > 0,
      !AudioFileFormat.aacSampleRatesHz.contains(where: { Double($0) == rate })
    {
      throw Self.refusal(
        "AAC with \(rate) Hz",
        allowed: AudioFileFormat.aacSampleRatesHz.map { "\($0) Hz" },
      )
    }
    self.channels = channels
    sampleRateHz = rate > 0 ? rate : nil
  }

  private static func refusal(_ what: String, allowed: [String]) -> NSError {
    NSError.session(
      .badParam,
      "a recording cannot have \(what); allowed: \(allowed.joined(separator: ", "))",
      offending: what,
      allowed: allowed,
      rule: "SES-2",
    )
  }

  /// Whether a file of an extension can have a format; formats that the recorder does not know are the extension's matter.
  private static func fits(_ id: Double, _ name: String) -> Bool {
    switch AudioFormatID(exactly: id) {
    case kAudioFormatMPEG4AAC: ["m4a", "mp4", "aac"].contains(name)
    case kAudioFormatLinearPCM: name == "wav"
    case kAudioFormatFLAC: name == "flac"
    default: false
    }
  }

  /// A number of a format as its four characters.
  private static func text(_ id: Double) -> String {
    guard let id = AudioFormatID(exactly: id) else { return "\(id)" }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "\(id)" }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
  }

  private static func format(
    _ name: String,
    _ url: URL,
    channels: Int,
    _ number: (String) -> Double?,
  ) throws -> AudioFileFormat {
    if ["m4a", "mp4", "aac"].contains(name) {
      let bits = try bitsPerSecond(channels: channels, number)
      return name == "aac" ? .aacStream(bitsPerSecond: bits) : .mpeg4(bitsPerSecond: bits)
    }
    let depth = number(AVLinearPCMBitDepthKey) ?? 24
    switch (name, depth) {
    case ("wav", 16): return .wavPCM16
    case ("wav", 24): return .wavPCM24
    case ("wav", 32): return .wavFloat32
    case ("flac", 16): return .flacPCM16
    // Floats have no place in FLAC; 24 bits come nearest.
    case ("flac", 24), ("flac", 32): return .flacPCM24
    default:
      throw NSError.session(
        .badParam,
        "a recording cannot be '\(url.lastPathComponent)' with \(Int(depth)) bits",
        offending: name,
        allowed: [
          "m4a, mp4 or aac", "wav with 16, 24 or 32 bits", "flac with 16 or 24 bits",
        ],
        rule: "SES-2",
      )
    }
  }

  /// The bits of a second of AAC: as asked for, else by the quality.
  private static func bitsPerSecond(
    channels: Int,
    _ number: (String) -> Double?,
  ) throws -> Int {
    let channels = min(max(channels, 1), 2)
    let perChannel = number(AVEncoderBitRatePerChannelKey).map { $0 * Double(channels) }
    if let wanted = number(AVEncoderBitRateKey) ?? perChannel {
      let allowed = AudioFileFormat.aacBitsPerSecond
      guard let bits = Int(exactly: wanted.rounded()), allowed.contains(bits) else {
        throw refusal(
          "\(wanted) bits per second",
          allowed: ["\(allowed.lowerBound)…\(allowed.upperBound)"],
        )
      }
      return bits
    }
    let quality = number(AVEncoderAudioQualityKey).flatMap { AVAudioQuality(rawValue: Int($0)) }
    let bits =
      switch quality ?? .high {
      case .min: 32_000
      case .low: 48_000
      case .medium: 64_000
      case .high: 96_000
      case .max: 128_000
      }
    return bits * channels
  }
}
