// SPDX-License-Identifier: MIT

import AudioFiles

/// The sounds of the story, as files that both systems play.
///
/// Pure value: [any-thread].
struct RoleSounds {
  /// The level of all of them.
  static let levelLinear: Float = 0.25
  /// The sample rate of all of them.
  static let sampleRateHz = 48_000
  /// Seconds of a prompt.
  static let promptSeconds = 0.5

  /// Music, on the first channel.
  let music: String
  /// A prompt, on the second channel.
  let prompt: String
  /// A prompt that does not end by itself in time.
  let endless: String

  /// Writes the files.
  ///
  /// - Parameters:
  ///   - folder: The target folder, which must exist.
  ///   - musicSeconds: The length of the music.
  /// - Throws: ``LabError`` `badFile`.
  init(in folder: String, musicSeconds: Int) throws(LabError) {
    music = try Self.write("\(folder)/music.wav", [Self.levelLinear, 0], Double(musicSeconds))
    prompt = try Self.write("\(folder)/prompt.wav", [0, Self.levelLinear], Self.promptSeconds)
    endless = try Self.write("\(folder)/endless.wav", [0, Self.levelLinear], Self.endlessSeconds)
  }

  private static func write(
    _ path: String,
    _ frame: [Float],
    _ seconds: Double,
  ) throws(LabError) -> String {
    do throws(AudioFileError) {
      let writer = try AudioFileWriter(
        path: path,
        format: .wavFloat32,
        sampleRateHz: Double(sampleRateHz),
        channels: frame.count,
        overwrites: true,
      )
      let block = Array(repeatElement(frame, count: blockFrames).joined())
      for _ in 0..<Int(seconds * Double(sampleRateHz)) / blockFrames {
        try writer.write(block.span)
      }
      try writer.close()
    } catch {
      throw LabError(.badFile, error.description)
    }
    return path
  }

  /// A hundredth of a second.
  private static let blockFrames = sampleRateHz / 100
  private static let endlessSeconds = 30.0
}
