// SPDX-License-Identifier: MIT

/// The sizes of the parts of a packet, checked before liblo reads it.
///
/// liblo trusts lengths in packets that it has been given. Pure functions: [any-thread].
enum OSCLayout {
  /// The places of the parts of a message.
  struct Message {
    /// The address.
    var path: String
    /// The type tags, without the comma; nil if the message has no type tag string (OSC-3).
    var tags: Range<Int>?
  }

  /// Checks a message from its first to its last byte.
  static func message(_ bytes: [UInt8]) throws(OSCError) -> Message {
    guard bytes.first == UInt8(ascii: "/") else {
      throw OSCError("the address does not begin with '/'")
    }
    guard bytes.count.isMultiple(of: 4), bytes.count <= OSCLimits.packetBytes else {
      throw OSCError(
        "the message has \(bytes.count) bytes; allowed are multiples of 4 up to \(OSCLimits.packetBytes)"
      )
    }
    let path = try text(bytes, at: 0, "address")
    let name = String(decoding: bytes[0..<path.length], as: UTF8.self)
    guard path.end < bytes.count else { return Message(path: name, tags: nil) }
    guard bytes[path.end] == UInt8(ascii: ",") else {
      throw OSCError("the types do not begin with ','")
    }
    let types = try text(bytes, at: path.end, "types")
    let tags = (path.end + 1)..<(path.end + types.length)
    guard tags.count <= OSCLimits.values else {
      throw OSCError(
        "the message has \(tags.count) values; at most \(OSCLimits.values) are allowed"
      )
    }
    guard !bytes[tags].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") })
    else {
      throw OSCError("\(name): no parameter takes an array; send its values without '[' and ']'")
    }
    var place = types.end
    for tag in tags { place = try end(ofValue: bytes[tag], at: place, in: bytes) }
    guard place == bytes.count else {
      throw OSCError("the message has \(bytes.count) bytes, but its values end at byte \(place)")
    }
    return Message(path: name, tags: tags)
  }

  /// The place behind a value.
  private static func end(
    ofValue tag: UInt8,
    at place: Int,
    in bytes: [UInt8],
  ) throws(OSCError) -> Int {
    let end: Int
    switch tag {
    case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "r"),
      UInt8(ascii: "m"):
      end = place + 4
    case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"):
      end = place + 8
    case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"):
      end = place
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      end = try text(bytes, at: place, "text").end
    case UInt8(ascii: "b"):
      end = place + 4 + padded(try number(bytes, at: place))
    default:
      throw OSCError(
        "the type '\(Character(Unicode.Scalar(tag)))' is not known; known are ifsbhtdScrmTFNI"
      )
    }
    guard end <= bytes.count else { throw OSCError("the values are longer than the message") }
    return end
  }

  /// A big-endian number of 32 bits that is a size.
  static func number(_ bytes: [UInt8], at place: Int) throws(OSCError) -> Int {
    guard place + 4 <= bytes.count else { throw OSCError("the packet ends within a size") }
    let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    guard size <= OSCLimits.packetBytes else {
      throw OSCError("a part has \(size) bytes; at most \(OSCLimits.packetBytes) are allowed")
    }
    return size
  }

  private static func text(
    _ bytes: [UInt8],
    at place: Int,
    _ part: String,
  ) throws(OSCError) -> (length: Int, end: Int) {
    guard let zero = bytes[min(place, bytes.count)...].firstIndex(of: 0) else {
      throw OSCError("the \(part) does not end within the message")
    }
    let end = place + padded(zero - place + 1)
    // liblo wants the padding to be zeros, as the format does.
    guard end <= bytes.count, bytes[zero..<end].allSatisfy({ $0 == 0 }) else {
      throw OSCError("the \(part) is not filled up with zeros")
    }
    return (zero - place, end)
  }

  private static func padded(_ count: Int) -> Int { (count + 3) & ~3 }
}
