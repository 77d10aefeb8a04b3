// SPDX-License-Identifier: MIT

internal import CMediaFiles
internal import CSndfile
internal import Glibc

/// Writes interleaved Float frames to a WAV, RF64, FLAC, MPEG-4 or AAC file that can be played at any moment.
///
/// The header of a WAV is brought up to date with every `write`, so after a kill everything that
/// was written plays. A FLAC is a stream of blocks of 4096 frames: after a kill all but the last,
/// unfinished block plays, and its header says "length unknown" until `close`. MPEG-4 consists of fragments of a second until
/// `close` makes it one piece: after a kill all whole fragments play.
///
/// One thread at a time; it writes the disk, so never the audio thread.
///
/// Not for the audio thread: [any-thread].
@safe
public final class AudioFileWriter {
  /// The path as it was given.
  public let path: String

  /// Frames handed to the file so far.
  public private(set) var framesWritten = 0

  private let channels: Int
  private let descriptor: Int32
  private let format: AudioFileFormat
  /// Nil once closed.
  private var file: (any SampleWriting)?

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - path: The file to create.
  ///   - format: The sample format.
  ///   - sampleRateHz: Rounded to whole Hz, 1…655,350; for AAC one of ``AudioFileFormat/aacSampleRatesHz``.
  ///   - channels: 1…1024 for WAV, 1…8 for FLAC, 1…2 for AAC.
  ///   - overwrites: Whether a file of that name is replaced, or an error.
  /// - Throws: `AudioFileError` with `invalidPath`, `invalidSetting`, `alreadyExists`,
  ///   `cannotCreate` or `diskFull`.
  public init(
    path: String,
    format: AudioFileFormat,
    sampleRateHz: Double,
    channels: Int,
    overwrites: Bool = false,
  ) throws(AudioFileError) {
    try AudioFileError.checkPath(path)
    guard (1...format.maximumChannels).contains(channels) else {
      throw .setting(
        "cannot store \(channels) channels",
        allowed: "1…\(format.maximumChannels)",
        path: path,
      )
    }
    guard (1...655_350).contains(sampleRateHz.rounded()) else {
      throw .setting("cannot store \(sampleRateHz) Hz", allowed: "1…655350 Hz", path: path)
    }
    let rateHz = Int(sampleRateHz.rounded())
    if format.sampleFormat == .aac { try Self.checkAAC(format, rateHz, path) }
    let descriptor = try Self.create(path, overwrites: overwrites)
    do throws(AudioFileError) {
      file = try Self.open(descriptor, format, sampleRateHz: rateHz, channels: channels, path)
    } catch {
      Glibc.close(descriptor)
      unsafe unlink(path)
      throw error
    }
    self.path = path
    self.channels = channels
    self.descriptor = descriptor
    self.format = format
  }

  private static func checkAAC(
    _ format: AudioFileFormat,
    _ rateHz: Int,
    _ path: String,
  ) throws(AudioFileError) {
    let rates = AudioFileFormat.aacSampleRatesHz
    guard rates.contains(rateHz) else {
      let allowed = rates.map(String.init).joined(separator: ", ")
      throw .setting("AAC cannot have \(rateHz) Hz", allowed: allowed + " Hz", path: path)
    }
    let bits = AudioFileFormat.aacBitsPerSecond
    guard bits.contains(format.bitsPerSecond) else {
      throw .setting(
        "AAC cannot have \(format.bitsPerSecond) bits per second",
        allowed: "\(bits.lowerBound)…\(bits.upperBound)",
        path: path,
      )
    }
  }

  private static func open(
    _ descriptor: Int32,
    _ format: AudioFileFormat,
    sampleRateHz: Int,
    channels: Int,
    _ path: String,
  ) throws(AudioFileError) -> any SampleWriting {
    let allowed = "a rate and channels that the format takes"
    guard let code = format.code else {
      do throws(MediaReading.Refusal) {
        return try MediaWriting(
          descriptor,
          format,
          sampleRateHz: sampleRateHz,
          channels: channels,
        )
      } catch {
        throw .setting(error.reason, allowed: allowed, path: path)
      }
    }
    var raw = SF_INFO()
    raw.samplerate = Int32(sampleRateHz)
    raw.channels = Int32(channels)
    raw.format = code
    do throws(SndfileOpening.Refusal) {
      return unsafe SndfileWriting(
        try SndfileOpening.open(descriptor, Int32(SFM_WRITE), &raw)
      )
    } catch {
      errno = error.systemCode
      if errno != 0 { throw systemError(path: path) }
      throw .setting(error.reason, allowed: allowed, path: path)
    }
  }

  deinit {
    try? close()
  }

  /// Appends frames.
  ///
  /// Integer formats clip at full scale.
  ///
  /// - Parameter interleaved: The samples; the count is a multiple of the channels.
  /// - Throws: `AudioFileError` with `diskFull` or `cannotWrite`. The file so far can be played.
  public func write(_ interleaved: Span<Float>) throws(AudioFileError) {
    guard let file else { return }
    let frames = interleaved.count / channels
    guard frames > 0 else { return }
    let written = unsafe interleaved.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe file.write($0, frames: frames) } ?? 0
    }
    framesWritten += written
    if written < frames { throw Self.systemError(path: path) }
  }

  /// Finishes the file; the object is spent afterwards.
  ///
  /// `deinit` calls it, too.
  ///
  /// - Throws: `AudioFileError` with `diskFull` or `cannotWrite`.
  public func close() throws(AudioFileError) {
    guard let file else { return }
    self.file = nil
    file.close()
    let error = errno == 0 ? nil : Self.systemError(path: path)
    if error == nil, format.container == .mpeg4 { defragment() }
    let isClosed = Glibc.close(descriptor) == 0
    if let error { throw error }
    if !isClosed { throw Self.systemError(path: path) }
  }

  /// Replaces a file of fragments by one of one piece; the fragments stay where that is not possible, and play too.
  private func defragment() {
    let whole = path + ".part"
    let target = unsafe Glibc.open(whole, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard target >= 0 else { return }
    let isWhole = media_defragment(descriptor, target, Int64(framesWritten)) == 0
    Glibc.close(target)
    let isReplaced = unsafe isWhole && rename(whole, path) == 0
    if !isReplaced { unsafe unlink(whole) }
  }

  /// Refuses places in which no file may be made: the folders of devices and of the kernel.
  ///
  /// Memory in `/dev/shm` is allowed.
  /// - Throws: `AudioFileError` with `notARegularFile`.
  public static func checkPlace(of path: String) throws(AudioFileError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    let resolved = unsafe realpath(folder, nil)
    defer { unsafe free(resolved) }
    let place = (unsafe resolved.map { unsafe String(cString: $0) } ?? folder) + "/"
    let isForbidden = ["/dev/", "/proc/", "/sys/"].contains { place.hasPrefix($0) }
    guard isForbidden, !place.hasPrefix("/dev/shm/") else { return }
    throw AudioFileError(
      code: .notARegularFile,
      path: path,
      reason: "is in a folder of devices or of the kernel",
      allowed: "a regular file in another folder",
    )
  }

  private static func create(_ path: String, overwrites: Bool) throws(AudioFileError) -> Int32 {
    try checkPlace(of: path)
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | (overwrites ? 0 : O_EXCL)
    let descriptor = unsafe Glibc.open(path, flags, 0o644)
    if descriptor < 0, errno == EEXIST {
      var facts = stat()
      let kinds = [S_IFREG, S_IFDIR]
      guard unsafe stat(path, &facts) != 0 || kinds.contains(facts.st_mode & S_IFMT) else {
        throw notARegularFile(path)
      }
      throw AudioFileError(
        code: .alreadyExists,
        path: path,
        reason: "exists already",
        allowed: "a new name, or overwriting",
      )
    }
    guard descriptor >= 0 else {
      throw .system(
        .cannotCreate,
        path: path,
        doing: "cannot be created",
        allowed: "a file in a folder that you may write",
      )
    }
    var status = stat()
    // Emptied only now that it is known to be a file.
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      ftruncate(descriptor, 0) == 0
    else {
      Glibc.close(descriptor)
      throw notARegularFile(path)
    }
    return descriptor
  }

  private static func notARegularFile(_ path: String) -> AudioFileError {
    AudioFileError(
      code: .notARegularFile,
      path: path,
      reason: "is a pipe or a device",
      allowed: "a regular file",
    )
  }

  private static func systemError(path: String) -> AudioFileError {
    .system(.cannotWrite, path: path, doing: "cannot be written", allowed: "a disk that works")
  }
}
