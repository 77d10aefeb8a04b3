// SPDX-License-Identifier: MIT

internal import CMediaFiles
internal import Glibc

/// Files of one kind that were joined to one file: the links of a chain, read one after the other with the rate and the channels of
/// the first one.
///
/// One link is open at a time. One thread at a time: [any-thread] except the audio thread.
final class ChainedReading: SampleReading {
  private struct Link {
    /// Its bytes, and the rate and channels of the first one.
    var request: media_request
    /// The frame of the file that it begins with; `Int.max` behind a link of unknown length.
    var firstFrame: Int
  }

  /// Each link is opened to learn its length, so a file of millions of them would take minutes.
  private static let maximumLinks = 1024

  private let descriptor: Int32
  private let channels: Int
  private let links: [Link]
  /// Why not all links are read; nil where they are.
  private let missing: String?
  /// The link that is read, and its reader; nil where it could not be opened again.
  private var number = 0
  private var current: MediaReading?
  /// The first fault, and the damaged packets, of the links before the present one.
  private var earlierFault: String?
  private var earlierLeftOut = 0

  private init(
    _ descriptor: Int32,
    _ first: MediaReading,
    _ links: [Link],
    missing: String?,
  ) {
    self.descriptor = descriptor
    channels = Int(first.info.channels)
    self.links = links
    self.missing = missing
    current = first
  }

  /// Opens a file that FFmpeg's libraries read.
  ///
  /// - Parameters:
  ///   - descriptor: The file, which stays the caller's and must stay open.
  ///   - searches: Whether the sound may begin behind other data: for a file that libsndfile has refused.
  /// - Returns: The file, with the format of its first link and the frames of all; nil for one of another kind.
  /// - Throws: The reason why no link could be opened.
  static func open(
    _ descriptor: Int32,
    searches: Bool,
  ) throws(MediaReading.Refusal) -> (file: any SampleReading, info: media_info)? {
    var request = media_request()
    unsafe request.kind = media_find_kind(descriptor, searches, &request.begin)
    guard request.kind != MEDIA_NONE else { return nil }
    var first: MediaReading?
    var links: [Link] = []
    var frames = 0
    var refusal: MediaReading.Refusal?
    var next: Int64? = request.begin
    for _ in 0..<maximumLinks {
      guard let begin = next else { break }
      request.begin = begin
      do throws(MediaReading.Refusal) {
        let link = try MediaReading(descriptor, request)
        next = link.info.next
        request.rate_hz = link.info.rate_hz
        request.channels = link.info.channels
        links.append(Link(request: request, firstFrame: frames))
        links[links.count - 1].request.end = link.info.end
        let isKnown = link.info.frames >= 0 && frames < .max
        frames = isKnown ? frames + Int(link.info.frames) : .max
        first = first ?? link
      } catch {
        next = error.next
        refusal = refusal ?? error
      }
    }
    guard let first else {
      throw refusal ?? MediaReading.Refusal(reason: "has no sound that can be read")
    }
    var info = first.info
    info.frames = frames < .max ? Int64(frames) : -1
    let missing =
      next != nil
      ? "it has more than \(maximumLinks) parts" : refusal.map { "a part of it \($0.reason)" }
    guard links.count > 1 || missing != nil else { return (first, info) }
    return (ChainedReading(descriptor, first, links, missing: missing), info)
  }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    var done = 0
    while true {
      if let current {
        done += unsafe current.read(samples + done * channels, frames: frames - done)
      }
      guard done < frames, number + 1 < links.count else { return done }
      earlierFault = fault
      earlierLeftOut = leftOut
      open(number + 1)
    }
  }

  func seek(toFrame frame: Int) -> Bool {
    guard let index = links.lastIndex(where: { $0.firstFrame <= frame }) else { return false }
    if index != number || current == nil { open(index) }
    earlierFault = nil
    earlierLeftOut = 0
    return current?.seek(toFrame: frame - links[index].firstFrame) ?? false
  }

  var fault: String? {
    earlierFault ?? current?.fault ?? (number == links.count - 1 ? missing : nil)
  }

  var leftOut: Int { earlierLeftOut + (current?.leftOut ?? 0) }

  private func open(_ index: Int) {
    number = index
    // The one before is closed first: a link can have megabytes of places.
    current = nil
    do throws(MediaReading.Refusal) {
      current = try MediaReading(descriptor, links[index].request)
    } catch {
      earlierFault = earlierFault ?? error.reason
    }
  }
}
