// SPDX-License-Identifier: MIT

internal import CLiblo
internal import Glibc

/// Receives OSC messages on a UDP port, and sends from the same port. [any-thread]
@safe
package final class OSCPeer: @unchecked Sendable {
  /// A received message.
  package struct Message: Sendable {
    /// The path.
    package let path: String
    /// The values.
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
    guard let message = unsafe OSCMessage(path, values).made() else {
      throw OSCError("out of memory")
    }
    defer { unsafe lo_message_free(message) }
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
  guard let path = unsafe path, let context = unsafe context, let message = unsafe message else {
    return 1
  }
  let values = unsafe OSCValue.values(of: message)
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
