// SPDX-License-Identifier: MIT

internal import CMediaFiles
internal import CSndfile
internal import Glibc

/// A library's view of a file that is read.
///
/// One thread at a time: [any-thread] except the audio thread.
protocol SampleReading: AnyObject {
  /// Reads interleaved frames; fewer than asked for only at the end, or where the file is damaged.
  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int
  /// Goes to a frame, exactly.
  func seek(toFrame frame: Int) -> Bool
  /// The damage that ended reading, in the library's words; nil for none.
  var fault: String? { get }
  /// Damaged packets that the sound lacks, since the last change of place.
  var leftOut: Int { get }
}

/// A library's view of a file that is written.
///
/// One thread at a time: [any-thread] except the audio thread.
protocol SampleWriting: AnyObject {
  /// Appends interleaved frames, and returns how many it took; `errno` says why it took fewer.
  func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int
  /// Writes what is left, once; `errno` is the fault, 0 for none.
  func close()
}

/// A file that libsndfile reads.
///
/// One thread at a time: [any-thread] except the audio thread.
@safe
final class SndfileReading: SampleReading {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

  deinit { unsafe sf_close(handle) }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    unsafe Int(sf_readf_float(handle, samples, sf_count_t(frames)))
  }

  func seek(toFrame frame: Int) -> Bool {
    unsafe sf_seek(handle, sf_count_t(frame), SEEK_SET) == sf_count_t(frame)
  }

  var fault: String? {
    let number = unsafe sf_error(handle)
    guard number != Int32(SF_ERR_NO_ERROR) else { return nil }
    return unsafe String(cString: sf_error_number(number))
  }

  var leftOut: Int { 0 }
}

/// A file that libsndfile writes.
///
/// One thread at a time: [any-thread] except the audio thread.
@safe
final class SndfileWriting: SampleWriting {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = unsafe handle
    unsafe sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    unsafe sf_command(handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
    unsafe sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
  }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
    errno = 0
    return unsafe Int(sf_writef_float(handle, samples, sf_count_t(frames)))
  }

  func close() {
    errno = 0
    // libsndfile does not report a failure of its last writes, but the system's own error stays.
    unsafe sf_close(handle)
  }
}

/// A link that FFmpeg's libraries read: a file, or one of those that were joined to a file.
///
/// One thread at a time: [any-thread] except the audio thread.
@safe
final class MediaReading: SampleReading {
  /// Why a link could not be opened, or a file not be begun.
  struct Refusal: Error {
    /// The reason, in FFmpeg's words or ours.
    var reason: String
    /// The byte at which the next link of the file begins; nil without one.
    var next: Int64?
  }

  /// Rate, channels and format.
  let info: media_info

  private let reader: OpaquePointer

  /// Opens a link through the descriptor of its file, which stays the caller's and must stay open.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - request: The link, and the rate and channels to give.
  /// - Throws: ``Refusal``.
  init(_ descriptor: Int32, _ request: media_request) throws(Refusal) {
    var reason = [CChar](repeating: 0, count: 256)
    var info = media_info()
    var opened: OpaquePointer?
    let status = unsafe withUnsafePointer(to: request) { request in
      unsafe media_reader_open(descriptor, request, &info, &opened, &reason, reason.count)
    }
    guard status == 0, let opened = unsafe opened else {
      throw Refusal(reason: String(reason), next: info.next)
    }
    self.info = info
    unsafe reader = opened
  }

  deinit { unsafe media_reader_close(reader) }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    unsafe Int(media_reader_read(reader, samples, Int64(frames)))
  }

  func seek(toFrame frame: Int) -> Bool { unsafe media_reader_seek(reader, Int64(frame)) == 0 }

  var fault: String? {
    guard let text = unsafe media_reader_fault(reader) else { return nil }
    return unsafe String(cString: text)
  }

  var leftOut: Int { unsafe Int(media_reader_left_out(reader)) }
}

/// A file of AAC that FFmpeg's libraries write.
///
/// One thread at a time: [any-thread] except the audio thread.
@safe
final class MediaWriting: SampleWriting {
  private let writer: OpaquePointer

  /// Begins a file in an empty one that the descriptor has open; it stays the caller's and must stay open.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - format: A format of AAC.
  ///   - sampleRateHz: One of ``AudioFileFormat/aacSampleRatesHz``.
  ///   - channels: 1 or 2.
  /// - Throws: ``MediaReading/Refusal``.
  init(
    _ descriptor: Int32,
    _ format: AudioFileFormat,
    sampleRateHz: Int,
    channels: Int,
  ) throws(MediaReading.Refusal) {
    var reason = [CChar](repeating: 0, count: 256)
    var opened: OpaquePointer?
    let status = unsafe media_writer_open(
      descriptor,
      format.container == .mpeg4,
      Int32(sampleRateHz),
      Int32(channels),
      Int64(format.bitsPerSecond),
      &opened,
      &reason,
      reason.count,
    )
    guard status == 0, let opened = unsafe opened else {
      throw MediaReading.Refusal(reason: String(reason))
    }
    unsafe writer = opened
  }

  func write(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
    errno = unsafe media_writer_write(writer, samples, Int64(frames))
    return errno == 0 ? frames : 0
  }

  func close() { errno = unsafe media_writer_close(writer) }
}

extension media_info {
  /// The byte at which the next link of the file begins; nil without one.
  var next: Int64? { is_last ? nil : end }
}

extension String {
  /// The text of a C buffer up to its NUL.
  fileprivate init(_ buffer: [CChar]) {
    self.init(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self,
    )
  }
}
