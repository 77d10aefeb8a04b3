// SPDX-License-Identifier: MIT

internal import CMediaFiles
internal import CSndfile
internal import Glibc

/// Reads any sound file that libsndfile or FFmpeg's libraries read whole, as interleaved Float frames.
///
/// WAV, RF64, AIFF, CAF, FLAC, Ogg with Vorbis, Opus or FLAC, MP3, AAC, Apple Lossless and more; the format is found from the
/// content, never from the name. Integer formats are scaled to −1…1, float formats are given as they
/// are stored. Files that were joined are read to the end of the last one, with the rate and the channels of the first one.
///
/// An MP3, a stream of AAC and an Ogg file are read through once when they are opened, about half a second for an hour of
/// sound: only their packets tell their length.
///
/// One thread at a time; it reads the disk, so never the audio thread.
///
/// Not for the audio thread: [any-thread].
@safe
public final class AudioFileReader {
  /// Rate, channels, length and format of the file.
  public let info: AudioFileInfo

  /// The frame that the next `read` starts with.
  public private(set) var positionFrame = 0

  /// The damage of the file, once `read` has found it.
  ///
  /// A file that ends before its length counts as damaged, and one with packets that cannot be decoded: these are left out.
  public private(set) var damage: AudioFileError?

  private let file: any SampleReading
  private let descriptor: Int32
  private let hasExactLength: Bool

  /// Opens a file.
  ///
  /// Only regular files are opened, so that a pipe or a device cannot make the caller wait for ever.
  ///
  /// - Parameter path: The file, absolute or relative to the working directory.
  /// - Throws: `AudioFileError` with `invalidPath`, `cannotOpen`, `notARegularFile`,
  ///   `unknownFormat` or `damaged`.
  public init(path: String) throws(AudioFileError) {
    let descriptor = try Self.openRegularFile(path)
    self.descriptor = descriptor
    do throws(AudioFileError) {
      (file, info, hasExactLength) = try Self.openSound(descriptor, path)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  private typealias Opened = (file: any SampleReading, info: AudioFileInfo, hasExactLength: Bool)

  private static func openSound(
    _ descriptor: Int32,
    _ path: String,
  ) throws(AudioFileError) -> Opened {
    if let media = try openMedia(descriptor, path, searches: false) { return media }
    do throws(AudioFileError) {
      return try openSndfile(descriptor, path)
    } catch {
      // A stream that was cut out of a longer one need not begin with a whole frame.
      guard error.code == .unknownFormat,
        let media = try openMedia(descriptor, path, searches: true)
      else { throw error }
      return media
    }
  }

  private static func unreadable(_ path: String, _ reason: String) -> AudioFileError {
    AudioFileError(
      code: .unknownFormat,
      path: path,
      reason: "cannot be read as audio: \(reason)",
      allowed: allowedFormats,
    )
  }

  private static func openMedia(
    _ descriptor: Int32,
    _ path: String,
    searches: Bool,
  ) throws(AudioFileError) -> Opened? {
    let found: (file: any SampleReading, info: media_info)?
    do throws(MediaReading.Refusal) {
      found = try ChainedReading.open(descriptor, searches: searches)
    } catch {
      throw unreadable(path, error.reason)
    }
    guard let found else { return nil }
    var raw = found.info
    let info = AudioFileInfo(
      path: path,
      sampleRateHz: Double(raw.rate_hz),
      channels: Int(raw.channels),
      frames: raw.frames < 0 ? nil : Int(raw.frames),
      formatName: unsafe withUnsafePointer(to: &raw.name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 96) { unsafe String(cString: $0) }
      },
    )
    return (found.file, info, true)
  }

  private static func openSndfile(
    _ descriptor: Int32,
    _ path: String,
  ) throws(AudioFileError) -> Opened {
    var raw = SF_INFO()
    let file: SndfileReading
    do throws(SndfileOpening.Refusal) {
      file = unsafe SndfileReading(try SndfileOpening.open(descriptor, Int32(SFM_READ), &raw))
    } catch {
      throw unreadable(path, error.reason)
    }
    guard raw.channels > 0, raw.samplerate > 0, raw.frames >= 0 else {
      throw AudioFileError(
        code: .damaged,
        path: path,
        reason: "the header says \(raw.channels) channels, \(raw.samplerate) Hz and "
          + "\(raw.frames) frames",
        allowed: "at least 1 channel, 1 Hz and 0 frames",
      )
    }
    // MP3 of free format, which FFmpeg does not decode.
    let hasExactLength = raw.format & Int32(SF_FORMAT_TYPEMASK) != Int32(SF_FORMAT_MPEG)
    let info = AudioFileInfo(
      path: path,
      sampleRateHz: Double(raw.samplerate),
      channels: Int(raw.channels),
      frames: raw.frames == sf_count_t.max ? nil : Int(raw.frames),
      formatName: formatName(raw.format),
    )
    return (file, info, hasExactLength)
  }

  deinit { Glibc.close(descriptor) }

  /// Reads the next frames.
  ///
  /// - Parameter interleaved: The memory for the samples; its count is a multiple of the channels.
  /// - Returns: The frames read, fewer than asked for only at the end of the file or of what can be
  ///   read of it; then see `damage`.
  public func read(into interleaved: inout MutableSpan<Float>) -> Int {
    let wanted = interleaved.count / info.channels
    guard wanted > 0 else { return 0 }
    let file = file
    let frames = unsafe interleaved.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe file.read($0, frames: wanted) } ?? 0
    }
    positionFrame += frames
    if frames < wanted { noteDamage() }
    return frames
  }

  /// Goes to a frame, so that the next `read` starts with it.
  ///
  /// - Parameter frame: 0 up to the length of the file.
  /// - Throws: `AudioFileError` with `cannotSeek`.
  public func seek(toFrame frame: Int) throws(AudioFileError) {
    let isInside = frame >= 0 && frame <= info.frames ?? .max
    guard isInside, file.seek(toFrame: frame) else {
      throw AudioFileError(
        code: .cannotSeek,
        path: info.path,
        reason: "cannot go to frame \(frame)",
        allowed:
          "0…\(info.frames.map(String.init) ?? "the length") of a file that can be positioned",
      )
    }
    positionFrame = frame
  }

  private func noteDamage() {
    let reason: String
    if let text = file.fault {
      reason = "cannot be read past frame \(positionFrame): \(text)"
    } else if file.leftOut > 0 {
      reason = "damaged packets are left out: \(file.leftOut)"
    } else if hasExactLength, let frames = info.frames, positionFrame < frames {
      reason = "ends after \(positionFrame) of its \(frames) frames"
    } else {
      return
    }
    damage = AudioFileError(
      code: .damaged,
      path: info.path,
      reason: reason,
      allowed: "a complete file",
    )
  }
}

// MARK: - Opening

extension AudioFileReader {
  private static let allowedFormats =
    "WAV, AIFF, CAF, FLAC, Ogg, MP3, AAC and the like"

  /// Opens without waiting for a writer of a pipe, then refuses everything but a regular file.
  private static func openRegularFile(_ path: String) throws(AudioFileError) -> Int32 {
    try AudioFileError.checkPath(path)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw .system(
        .cannotOpen,
        path: path,
        doing: "cannot be opened",
        allowed: "a file that you may read",
      )
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw AudioFileError(
        code: .notARegularFile,
        path: path,
        reason: "is a directory, a pipe or a device",
        allowed: "a regular file",
      )
    }
    guard status.st_size > 0 else {
      Glibc.close(descriptor)
      throw AudioFileError(
        code: .unknownFormat,
        path: path,
        reason: "the file is empty",
        allowed: allowedFormats,
      )
    }
    return descriptor
  }

  private static func formatName(_ format: Int32) -> String {
    [Int32(SF_FORMAT_TYPEMASK), Int32(SF_FORMAT_SUBMASK)].compactMap { mask in
      var entry = unsafe SF_FORMAT_INFO()
      unsafe entry.format = format & mask
      let size = unsafe Int32(MemoryLayout<SF_FORMAT_INFO>.size)
      let fault = unsafe sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &entry, size)
      guard fault == 0, let name = unsafe entry.name else { return nil }
      return unsafe String(cString: name)
    }.joined(separator: ", ")
  }
}
