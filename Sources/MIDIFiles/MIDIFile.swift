// SPDX-License-Identifier: MIT

internal import CSMF

/// The channel messages of a standard MIDI file, in the order of their times.
///
/// The times include all tempo changes. System exclusive messages are left out. Pure value.
public struct MIDIFile: Sendable {
  /// One message of two or three bytes.
  public struct Event: Sendable, Hashable {
    /// The time in seconds from the beginning.
    public let seconds: Double
    /// The status byte, 0x80 … 0xef.
    public let status: UInt8
    /// The first data byte.
    public let data1: UInt8
    /// The second data byte; 0 for a message of two bytes.
    public let data2: UInt8
  }

  /// The reason why a file cannot be played.
  public struct Fault: Error, CustomStringConvertible {
    /// One sentence: file, fault and limit.
    public let description: String
  }

  /// The longest allowed duration in seconds: 30 days.
  public static let longestSeconds = 2_592_000.0

  /// The messages of all tracks.
  public let events: [Event]
  /// The duration in seconds.
  public let seconds: Double

  /// Reads a file. [control-thread]
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``Fault``.
  public init(path: String) throws(Fault) {
    // The thrown error has all that libsmf would print.
    multiroute_smf_be_silent()
    guard let file = unsafe smf_load(path) else {
      throw Fault(description: "\(path): there is no standard MIDI file that can be read")
    }
    defer { unsafe smf_delete(file) }
    var events: [Event] = []
    while let event = unsafe smf_get_next_event(file) {
      let count = unsafe Int(event.pointee.midi_buffer_length)
      guard unsafe smf_event_is_metadata(event) == 0, (2...3).contains(count),
        let bytes = unsafe event.pointee.midi_buffer, unsafe bytes[0] < 0xf0
      else { continue }
      unsafe events.append(
        Event(
          seconds: event.pointee.time_seconds,
          status: bytes[0],
          data1: bytes[1],
          data2: count == 3 ? bytes[2] : 0,
        )
      )
    }
    let length = unsafe max(smf_get_length_seconds(file), events.last?.seconds ?? 0)
    let range = 0...Self.longestSeconds
    guard range.contains(length), events.allSatisfy({ range.contains($0.seconds) }) else {
      throw Fault(description: "\(path): it lasts \(length) s; at most 30 days are played")
    }
    self.events = events
    seconds = length
  }
}
