// SPDX-License-Identifier: MIT

internal import CLiblo

/// Reading of packets through liblo. [any-thread]
extension OSCPacket {
  private static let bundleMark = Array("#bundle\0".utf8)

  /// Reads a packet.
  ///
  /// - Parameter bytes: The packet, without any framing.
  /// - Throws: ``OSCError`` for the first fault; nothing of a faulty packet is used.
  package init(bytes: [UInt8]) throws(OSCError) {
    var left = OSCLimits.elements
    try self.init(bytes, depth: 0, left: &left)
  }

  private init(_ bytes: [UInt8], depth: Int, left: inout Int) throws(OSCError) {
    left -= 1
    guard left >= 0 else {
      throw OSCError("the packet has more than \(OSCLimits.elements) messages")
    }
    guard bytes.starts(with: Self.bundleMark) else {
      self = .message(try OSCMessage(bytes: bytes))
      return
    }
    guard depth < OSCLimits.depth else {
      throw OSCError("the bundle is nested more than \(OSCLimits.depth) deep")
    }
    guard bytes.count >= 16 else { throw OSCError("the bundle ends within its time") }
    let time = bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var bundle = OSCBundle(at: OSCTime(bits: time), [])
    // liblo has no function that reads a bundle without a server; each message goes through it.
    var place = 16
    while place < bytes.count {
      let size = try OSCLayout.number(bytes, at: place)
      let end = place + 4 + size
      guard end <= bytes.count else { throw OSCError("a part is longer than its bundle") }
      bundle.elements.append(
        try OSCPacket(Array(bytes[(place + 4)..<end]), depth: depth + 1, left: &left)
      )
      place = end
    }
    self = .bundle(bundle)
  }
}

extension OSCMessage {
  fileprivate init(bytes: [UInt8]) throws(OSCError) {
    let layout = try OSCLayout.message(bytes)
    guard let tags = layout.tags else {
      self.init(layout.path)
      return
    }
    // liblo does not know colours, which have the size of a whole number.
    var known = bytes
    for index in tags where known[index] == UInt8(ascii: "r") { known[index] = UInt8(ascii: "i") }
    let read = unsafe known.withUnsafeMutableBytes { raw in
      unsafe lo_message_deserialise(raw.baseAddress, raw.count, nil)
    }
    guard let message = unsafe read else { throw OSCError("the message cannot be read") }
    defer { unsafe lo_message_free(message) }
    var values = unsafe OSCValue.values(of: message)
    for (index, tag) in tags.enumerated() where bytes[tag] == UInt8(ascii: "r") {
      if case .integer(let number) = values[index] {
        values[index] = .color(UInt32(bitPattern: number))
      }
    }
    self.init(layout.path, values)
  }
}

extension OSCValue {
  /// The values of a message that liblo has read.
  static func values(of message: lo_message) -> [OSCValue] {
    let count = unsafe Int(lo_message_get_argc(message))
    guard let types = unsafe lo_message_get_types(message),
      let arguments = unsafe lo_message_get_argv(message)
    else { return [] }
    return (0..<count).map { index in
      let argument = unsafe arguments[index]
      return unsafe value(UInt8(bitPattern: types[index]), argument)
    }
  }

  private static func value(_ tag: UInt8, _ argument: UnsafeMutablePointer<lo_arg>?) -> OSCValue {
    switch tag {
    case UInt8(ascii: "T"): return .flag(true)
    case UInt8(ascii: "F"): return .flag(false)
    case UInt8(ascii: "I"): return .impulse
    default: break
    }
    guard let argument = unsafe argument else { return .null }
    // Arguments stand at multiples of four bytes, also those of eight.
    let bytes = UnsafeRawPointer(argument)
    switch tag {
    case UInt8(ascii: "s"): return unsafe .text(text(bytes))
    case UInt8(ascii: "S"): return unsafe .symbol(text(bytes))
    case UInt8(ascii: "i"): return unsafe .integer(bytes.loadUnaligned(as: Int32.self))
    case UInt8(ascii: "f"): return unsafe .float(bytes.loadUnaligned(as: Float.self))
    case UInt8(ascii: "h"): return unsafe .long(bytes.loadUnaligned(as: Int64.self))
    case UInt8(ascii: "d"): return unsafe .double(bytes.loadUnaligned(as: Double.self))
    case UInt8(ascii: "c"): return unsafe .character(bytes.loadUnaligned(as: UInt8.self))
    case UInt8(ascii: "m"):
      return unsafe .midi(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    case UInt8(ascii: "t"):
      let time = unsafe bytes.loadUnaligned(as: lo_timetag.self)
      return .time(OSCTime(bits: UInt64(time.sec) << 32 | UInt64(time.frac)))
    case UInt8(ascii: "b"):
      let blob = UnsafeMutableRawPointer(argument)
      let size = unsafe Int(lo_blob_datasize(blob))
      let start = unsafe UnsafeRawPointer(lo_blob_dataptr(blob))
      return unsafe .blob(Array(UnsafeRawBufferPointer(start: start, count: size)))
    default: return .null
    }
  }

  private static func text(_ bytes: UnsafeRawPointer) -> String {
    unsafe String(cString: bytes.assumingMemoryBound(to: CChar.self))
  }
}
