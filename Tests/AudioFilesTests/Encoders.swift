// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import TestSupport
import Testing

/// A way to make a sound file with a program that is not ours.
struct Encoding: Sendable, CustomTestStringConvertible {
  /// The name of the file.
  var name: String
  /// The program and its arguments, with `IN` and `OUT` for the files.
  var command: [String]
  /// The largest difference of a sample from what the ffmpeg program decodes.
  var bound = Self.sameDecoder

  var testDescription: String { "\(command[0]): \(name)" }

  /// The bound where both decode with FFmpeg's libraries.
  ///
  /// Two builds of them can add floats in another order: that is a few units of the last place.
  static let sameDecoder: Float = 1e-6
  /// The bound where libsndfile decodes Vorbis with libvorbis: the same sums, in another order.
  static let otherDecoder: Float = 1e-5

  /// Makes the file from another one.
  ///
  /// - Returns: The path of the new file.
  @discardableResult
  func encode(_ original: String, in folder: TemporaryFolder, as name: String? = nil) async throws
    -> String
  {
    let path = folder.file(name ?? self.name)
    let files = ["IN": original, "OUT": path]
    let words = command.map { files[$0] ?? $0 }
    let end = try await runProgram(words[0], Array(words.dropFirst()))
    guard end.status == 0 else { throw TestFailure("\(words): \(end.errors)") }
    return path
  }

  static let headlessMP3 = Encoding(
    name: "headless.mp3",
    command: ["lame", "--quiet", "-V", "4", "-t", "IN", "OUT"],
  )
  static let mp3 = Encoding(name: "vbr.mp3", command: ["lame", "--quiet", "-V", "4", "IN", "OUT"])
  static let aac = Encoding(
    name: "stream.aac",
    command: ["ffmpeg", "-v", "error", "-nostdin", "-i", "IN", "-c:a", "aac", "OUT"],
  )

  /// Ogg of a codec, with a serial number of its own.
  static func ogg(_ suffix: String, serial: Int) -> Encoding {
    switch suffix {
    case "ogg":
      Encoding(
        name: "\(serial).ogg",
        command: ["oggenc", "-Q", "--serial", "\(serial)", "IN", "-o", "OUT"],
      )
    case "opus":
      Encoding(
        name: "\(serial).opus",
        command: ["opusenc", "--quiet", "--serial", "\(serial)", "IN", "OUT"],
      )
    default:
      Encoding(
        name: "\(serial).oga",
        command: ["flac", "-s", "--ogg", "--serial-number=\(serial)", "IN", "-o", "OUT"],
        bound: 0,
      )
    }
  }

  private static func ffmpeg(_ name: String, _ codec: String, bound: Float = sameDecoder)
    -> Encoding
  {
    Encoding(
      name: name,
      command: ["ffmpeg", "-v", "error", "-nostdin", "-i", "IN", "-c:a", codec, "OUT"],
      bound: bound,
    )
  }

  /// Six encoders, and the formats of each that players read.
  static let all: [Encoding] =
    [
      mp3, headlessMP3,
      Encoding(name: "cbr.mp3", command: ["lame", "--quiet", "-b", "128", "IN", "OUT"]),
      Encoding(name: "abr.mp3", command: ["lame", "--quiet", "--abr", "150", "-t", "IN", "OUT"]),
      Encoding(
        name: "mpeg2.mp3",
        command: ["lame", "--quiet", "--resample", "22.05", "-m", "m", "-V", "5", "IN", "OUT"],
      ),
      Encoding(name: "plain.flac", command: ["flac", "-s", "IN", "-o", "OUT"], bound: 0),
      .ogg("oga", serial: 1),
      Encoding(
        name: "vorbis.ogg",
        command: ["oggenc", "-Q", "IN", "-o", "OUT"],
        bound: otherDecoder,
      ),
      .ogg("opus", serial: 1),
      aac,
      ffmpeg("lossless.m4a", "alac", bound: 0), ffmpeg("flac.oga", "flac", bound: 0),
      ffmpeg("layer2.mp2", "mp2"), ffmpeg("mp3.wav", "libmp3lame"),
    ]
    + ["wav", "aiff", "w64", "caf", "au"].map {
      Encoding(name: "sox." + $0, command: ["sox", "-R", "-D", "IN", "OUT"], bound: 0)
    }
}

/// The ffmpeg program, which says what is in a file.
enum FFmpeg {
  /// Decodes a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: Options of the output, such as `-ar`.
  ///   - folder: Where it may write.
  /// - Returns: Its interleaved samples.
  /// - Throws: ``TestFailure`` where the program fails.
  static func decode(_ path: String, _ options: String..., in folder: TemporaryFolder) async throws
    -> [Float]
  {
    let raw = folder.file("decoded.f32")
    let end = try await runProgram(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-y", "-i", path] + options + ["-f", "f32le", raw],
    )
    guard end.status == 0 else { throw TestFailure("ffmpeg \(path): \(end.errors)") }
    let data = try Data(contentsOf: URL(filePath: raw))
    return unsafe data.withUnsafeBytes { unsafe Array($0.assumingMemoryBound(to: Float.self)) }
  }
}
