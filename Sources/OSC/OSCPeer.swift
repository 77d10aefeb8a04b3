// SPDX-License-Identifier: MIT

internal import CLiblo
internal import Glibc

/// A failure of an OSC port, or of a message on its way.
///
/// Pure value: [any-thread].
package struct OSCError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Makes an error from its sentence.
  package init(_ description: String) { self.description = description }
}

/// A value in an OSC message, of the two types that session managers use.
///
/// Pure value: [any-thread].
package enum OSCValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int32)

  /// The text; empty for a number.
  package var text: String {
    guard case .text(let text) = self else { return "" }
    return text
  }
}

/// Receives OSC messages on a UDP port, and sends from the same port. [any-thread]
@safe
package final class OSCPeer: @unchecked Sendable {
  /// A received message.
  package struct Message: Sendable {
    /// The path.
    package let path: String
    /// The values; values of other types are left out.
    package let values: [OSCValue]
    /// The sender's address.
    package let sender: String
  }

  private final class Handler: Sendable {
    let take: @Sendable (Message) -> Void
    init(_ take: @escaping @Sendable (Message) -> Void) { self.take = take }
  }

  private let thread: lo_server_thread
  private let handler: Handler

  /// The address of this peer: `osc.udp://…`.
  package let url: String

  /// Starts to listen; `take` is called on liblo's thread.
  package init(_ take: @escaping @Sendable (Message) -> Void) throws(OSCError) {
    guard let thread = unsafe lo_server_thread_new(nil, nil) else {
      throw OSCError("no UDP port can be opened for OSC; check the network settings")
    }
    unsafe self.thread = unsafe thread
    handler = Handler(take)
    let text = unsafe lo_server_thread_get_url(thread)
    url = unsafe text.map { unsafe String(cString: $0) } ?? ""
    if let text = unsafe text { unsafe free(text) }
    let context = unsafe Unmanaged.passUnretained(handler).toOpaque()
    unsafe lo_server_thread_add_method(thread, nil, nil, receive, context)
    unsafe lo_server_thread_start(thread)
  }

  deinit { unsafe lo_server_thread_free(thread) }

  /// Sends a message from this peer's port.
  package func send(_ path: String, _ values: [OSCValue], to url: String) throws(OSCError) {
    guard let address = unsafe lo_address_new_from_url(url) else {
      throw OSCError("'\(url)' is not an OSC address; an example is osc.udp://localhost:12345/")
    }
    defer { unsafe lo_address_free(address) }
    guard let message = unsafe lo_message_new() else { throw OSCError("out of memory") }
    defer { unsafe lo_message_free(message) }
    for value in values {
      switch value {
      case .text(let text): unsafe lo_message_add_string(message, text)
      case .integer(let number): unsafe lo_message_add_int32(message, number)
      }
    }
    let server = unsafe lo_server_thread_get_server(thread)
    guard unsafe lo_send_message_from(address, server, path, message) >= 0 else {
      throw OSCError("the message \(path) cannot be sent to \(url)")
    }
  }

  fileprivate static func take(_ message: Message, _ context: UnsafeMutableRawPointer) {
    unsafe Unmanaged<Handler>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.take(message) }
  }
}

@c(multiroute_osc_receive)
private func receive(
  _ path: UnsafePointer<CChar>?,
  _ types: UnsafePointer<CChar>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?,
  _ count: Int32,
  _ message: lo_message?,
  _ context: UnsafeMutableRawPointer?,
) -> Int32 {
  guard let path = unsafe path, let context = unsafe context else { return 1 }
  var values: [OSCValue] = []
  for index in 0..<Int(count) {
    guard let types = unsafe types, let argument = unsafe arguments?[index] else { break }
    switch unsafe UInt8(bitPattern: types[index]) {
    case UInt8(ascii: "s"):
      let start = unsafe UnsafeRawPointer(argument).assumingMemoryBound(to: CChar.self)
      unsafe values.append(.text(String(cString: start)))
    case UInt8(ascii: "i"):
      unsafe values.append(.integer(argument.pointee.i))
    default:
      break
    }
  }
  var sender = ""
  if let source = unsafe lo_message_get_source(message),
    let text = unsafe lo_address_get_url(source)
  {
    sender = unsafe String(cString: text)
    unsafe free(text)
  }
  let taken = unsafe OSCPeer.Message(path: String(cString: path), values: values, sender: sender)
  unsafe OSCPeer.take(taken, context)
  return 0
}
