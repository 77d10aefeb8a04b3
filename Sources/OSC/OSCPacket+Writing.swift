// SPDX-License-Identifier: MIT

internal import CLiblo
internal import Glibc

/// Writing of packets through liblo. [any-thread]
extension OSCPacket {
  /// The bytes of the packet, without any framing.
  ///
  /// Zeros within texts end them.
  package var bytes: [UInt8] {
    switch self {
    case .message(let message): message.bytes
    case .bundle(let bundle): bundle.bytes
    }
  }
}

extension OSCMessage {
  fileprivate var bytes: [UInt8] {
    guard let message = unsafe made() else { return [] }
    defer { unsafe lo_message_free(message) }
    var size = 0
    guard let start = unsafe lo_message_serialise(message, path, nil, &size) else { return [] }
    defer { unsafe free(start) }
    var bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
    // liblo does not know colours, which have the size of a whole number.
    let firstTag = ((path.utf8.prefix { $0 != 0 }.count + 4) & ~3) + 1
    for (index, value) in values.enumerated() {
      if case .color = value { bytes[firstTag + index] = UInt8(ascii: "r") }
    }
    return bytes
  }

  /// The message in liblo's form; it belongs to the caller.
  func made() -> lo_message? {
    guard let message = unsafe lo_message_new() else { return nil }
    for value in values { unsafe value.add(to: message) }
    return unsafe message
  }
}

extension OSCBundle {
  fileprivate var bytes: [UInt8] {
    // liblo serialises bundles of messages in its own form, which has no colours: their bytes are put together here.
    guard let header = unsafe lo_bundle_new(lo_timetag(time)) else { return [] }
    defer { unsafe lo_bundle_free(header) }
    var size = 0
    guard let start = unsafe lo_bundle_serialise(header, nil, &size) else { return [] }
    defer { unsafe free(start) }
    var bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: size))
    for element in elements {
      let part = element.bytes
      unsafe withUnsafeBytes(of: UInt32(part.count).bigEndian) {
        unsafe bytes.append(contentsOf: $0)
      }
      bytes += part
    }
    return bytes
  }
}

extension lo_timetag {
  fileprivate init(_ time: OSCTime) {
    self.init(sec: UInt32(time.bits >> 32), frac: UInt32(truncatingIfNeeded: time.bits))
  }
}

extension OSCValue {
  fileprivate func add(to message: lo_message) {
    switch self {
    case .text(let text): unsafe lo_message_add_string(message, text)
    case .integer(let number): unsafe lo_message_add_int32(message, number)
    case .float(let number): unsafe lo_message_add_float(message, number)
    case .blob(let bytes):
      let blob = unsafe bytes.withUnsafeBytes { raw in
        unsafe lo_blob_new(Int32(raw.count), raw.baseAddress)
      }
      // liblo makes no empty blobs.
      guard let blob = unsafe blob else {
        unsafe lo_message_add_nil(message)
        return
      }
      unsafe lo_message_add_blob(message, blob)
      unsafe lo_blob_free(blob)
    case .long(let number): unsafe lo_message_add_int64(message, number)
    case .double(let number): unsafe lo_message_add_double(message, number)
    case .time(let time): unsafe lo_message_add_timetag(message, lo_timetag(time))
    case .symbol(let text): unsafe lo_message_add_symbol(message, text)
    case .character(let character):
      unsafe lo_message_add_char(message, CChar(bitPattern: character))
    case .color(let color): unsafe lo_message_add_int32(message, Int32(bitPattern: color))
    case .midi(let bits):
      var bytes = bits.bigEndian
      _ = unsafe withUnsafeMutableBytes(of: &bytes) { raw in
        unsafe lo_message_add_midi(
          message,
          raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
      }
    case .flag(true): unsafe lo_message_add_true(message)
    case .flag(false): unsafe lo_message_add_false(message)
    case .null: unsafe lo_message_add_nil(message)
    case .impulse: unsafe lo_message_add_infinitum(message)
    }
  }
}
