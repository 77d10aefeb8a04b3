// SPDX-License-Identifier: MIT

internal import Sessions

/// A fader, knob, encoder or button of a MIDI controller: the messages that it sends.
///
/// Pure value: [any-thread].
public struct MIDIControl: Hashable, Sendable {
  /// The kind of message, with its number.
  public enum Kind: Hashable, Sendable {
    /// A control change 0…127.
    case controlChange(UInt8)
    /// A pair of control changes, by the number 0…31 of the upper 7 bits; the lower ones come with the number + 32.
    case controlChangePair(UInt8)
    /// A registered parameter number, 0…16,383.
    case registered(UInt16)
    /// A non-registered parameter number, 0…16,383.
    case nonRegistered(UInt16)
    /// A note 0…127.
    case note(UInt8)
    /// Pitch bend.
    case pitchBend
    /// A program change 0…127.
    case program(UInt8)
    /// A control change 0…127 whose values are steps.
    case relative(UInt8, RelativeEncoding)
  }

  /// The way in which an endless encoder writes its steps; the raw value is the name in files.
  public enum RelativeEncoding: String, Sendable, CaseIterable {
    /// 1…63 are steps up, 127…64 are −1…−64.
    case twosComplement = "twos-complement"
    /// 65…127 are steps up, 63…0 are −1…−64.
    case binaryOffset = "binary-offset"
    /// 1…63 are steps up, 65…127 are −1…−63.
    case signMagnitude = "sign-magnitude"
  }

  /// The kind of message.
  public let kind: Kind
  /// The channel, 0…15; files count from 1.
  public let channel: UInt8

  /// Makes a control.
  ///
  /// - Parameters:
  ///   - kind: The kind of message; its numbers must be in their ranges.
  ///   - channel: The channel; its lower 4 bits count.
  public init(_ kind: Kind, channel: UInt8) {
    self.kind = kind
    self.channel = channel & 0xF
  }

  /// The greatest value of its messages: 127, or 16,383.
  public var highestValue: Int {
    switch kind {
    case .controlChangePair, .registered, .nonRegistered, .pitchBend: 16_383
    case .controlChange, .note, .program, .relative: 127
    }
  }
}

/// The text of a control, such as `cc 1/7`: the kind, the channel from 1, and the number.
///
/// Pure value: [any-thread].
extension MIDIControl: CustomStringConvertible {
  /// The forms of the text, for messages.
  static let allowed =
    "cc, cc14, nrpn, rpn, note, program or relative with CHANNEL/NUMBER, or bend CHANNEL"

  /// Reads the text of a control.
  ///
  /// - Parameter text: Such as `cc 1/7`, `bend 1` or `relative 1/20 twos-complement`.
  /// - Throws: The fault, with what is allowed.
  public init(_ text: String) throws(Fault) {
    let words = text.split(separator: " ")
    guard let word = words.first else { throw Fault(text, Self.allowed) }
    let word1 = words.dropFirst().first ?? ""
    let numbers = word1.split(separator: "/", omittingEmptySubsequences: false)
    guard let channel = numbers.first.flatMap({ Self.number($0, in: 1...16) }) else {
      throw Fault(text, "a channel 1 … 16 after the kind, such as cc 1/7")
    }
    func number(_ limit: UInt16) throws(Fault) -> UInt16 {
      guard numbers.count == 2, let number = Self.number(numbers[1], in: 0...limit) else {
        throw Fault(text, "'\(word)' with a channel and a number 0 … \(limit), as in \(word) 1/7")
      }
      return number
    }
    var rest = words.dropFirst(2)
    let kind: Kind
    switch word {
    case "cc": kind = .controlChange(UInt8(try number(127)))
    case "cc14": kind = .controlChangePair(UInt8(try number(31)))
    case "rpn": kind = .registered(try number(16_382))
    case "nrpn": kind = .nonRegistered(try number(16_382))
    case "note": kind = .note(UInt8(try number(127)))
    case "program": kind = .program(UInt8(try number(127)))
    case "bend" where numbers.count == 1: kind = .pitchBend
    case "relative":
      guard let name = rest.popFirst(), let encoding = RelativeEncoding(rawValue: String(name))
      else {
        let names = RelativeEncoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw Fault(text, "one of \(names) at the end, as in relative 1/20 twos-complement")
      }
      kind = .relative(UInt8(try number(127)), encoding)
    default: throw Fault(text, Self.allowed)
    }
    guard rest.isEmpty else { throw Fault(text, Self.allowed) }
    self.init(kind, channel: UInt8(channel - 1))
  }

  /// The text of the control as a file writes it.
  public var description: String {
    let channel = channel + 1
    return switch kind {
    case .controlChange(let number): "cc \(channel)/\(number)"
    case .controlChangePair(let number): "cc14 \(channel)/\(number)"
    case .registered(let number): "rpn \(channel)/\(number)"
    case .nonRegistered(let number): "nrpn \(channel)/\(number)"
    case .note(let number): "note \(channel)/\(number)"
    case .pitchBend: "bend \(channel)"
    case .program(let number): "program \(channel)/\(number)"
    case .relative(let number, let encoding): "relative \(channel)/\(number) \(encoding.rawValue)"
    }
  }

  private static func number(_ text: Substring, in range: ClosedRange<UInt16>) -> UInt16? {
    // The initializer takes a sign, too.
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt16(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// The reason why a text is no control.
  public struct Fault: Error, Equatable, CustomStringConvertible {
    /// One sentence with what is allowed.
    public let description: String

    fileprivate init(_ text: String, _ allowed: String) {
      description = "\(MessageText.quoted(text)) is not a control; write \(allowed)"
    }
  }
}
