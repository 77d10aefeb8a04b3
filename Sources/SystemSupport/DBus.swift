// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A method of an object on a bus.
///
/// Pure value: [any-thread].
package struct DBusMethod: Sendable, Hashable {
  /// Name of the program on the bus, such as `org.jackaudio.service`.
  package let destination: String
  /// Path of the object.
  package let path: String
  /// Interface that the method belongs to.
  package let interface: String
  /// Name of the method.
  package let name: String

  /// Makes the value from its parts.
  package init(destination: String, path: String, interface: String, name: String) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.name = name
  }
}

/// Reason why a call over a bus failed.
///
/// Pure value: [any-thread].
package struct DBusError: Error, Sendable, Equatable, CustomStringConvertible {
  /// D-Bus's name of the error, such as `org.freedesktop.DBus.Error.ServiceUnknown`; nil without
  /// one.
  package let name: String?
  /// The error in words.
  package let description: String

  init(_ description: String, name: String? = nil) {
    self.name = name
    self.description = description
  }

  /// Throws for a negative errno value.
  static func check(_ result: Int32, _ what: String) throws(DBusError) {
    guard result < 0 else { return }
    throw DBusError("\(what): \(SystemError(-result, "D-Bus").reason)")
  }
}

/// The user's session bus.
///
/// Each use has its own connection and thread, because calls block. Safe from any thread:
/// [any-thread].
package struct DBus: Sendable {
  private let address: String?
  private let limit: Duration

  /// Describes a session bus, without connecting to it.
  ///
  /// - Parameters:
  ///   - environment: Variables that differ from this process's environment; `DBUS_SESSION_BUS_ADDRESS` is the
  ///     address of the bus.
  ///   - limit: Time after which a call fails.
  package init(environment: [String: String] = [:], limit: Duration) {
    address = environment["DBUS_SESSION_BUS_ADDRESS"]
    self.limit = limit
  }

  /// Calls a method.
  ///
  /// - Returns: The values of its reply.
  /// - Throws: ``DBusError`` when there is no bus, the other side refuses, or the limit is over.
  package func call(
    _ method: DBusMethod,
    _ arguments: [DBusValue] = [],
  ) async throws(DBusError) -> [DBusValue] {
    try await perform { connection throws(DBusError) in
      try connection.call(method, arguments)
    }
  }

  /// Runs calls one after the other over one connection, each with the limit, regardless of cancellation.
  ///
  /// - Parameter body: Called on a separate thread.
  /// - Returns: The result of `body`.
  /// - Throws: ``DBusError`` of `body`; or when there is no bus, or the bus does not answer within the limit.
  package func perform<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing DBusConnection) throws(DBusError) -> Value
  ) async throws(DBusError) -> Value {
    let result: Result<Value, DBusError> = await withCheckedContinuation { continuation in
      let hasThread = BackgroundThread.start(name: "d-bus") {
        continuation.resume(
          returning: Result { () throws(DBusError) in
            try body(try DBusConnection.open(address: address, limit: limit))
          }
        )
      }
      if !hasThread {
        continuation.resume(returning: .failure(DBusError("the system has no thread for a call")))
      }
    }
    return try result.get()
  }
}

/// One connection to a bus, closed with the value.
///
/// Belongs to the one thread that has made it, which may be any: [any-thread].
@safe
package struct DBusConnection: ~Copyable {
  private let bus: OpaquePointer
  private let limitMicroseconds: UInt64

  private init(_ bus: OpaquePointer, limit: Duration) {
    unsafe self.bus = bus
    limitMicroseconds = UInt64(max(0, limit / .microseconds(1)))
  }

  /// Connects to the bus at an address, or to the user's where that is nil; blocks until it is there.
  ///
  /// - Parameters:
  ///   - address: The address; nil for the user's bus.
  ///   - limit: Time after which this and each call fails.
  /// - Returns: The connection.
  /// - Throws: ``DBusError`` when there is no bus, or it does not answer within the limit.
  package static func open(
    address: String? = nil,
    limit: Duration,
  ) throws(DBusError) -> DBusConnection {
    var opened: OpaquePointer?
    let result = unsafe address.map { unsafe Self.open($0, &opened) } ?? sd_bus_open_user(&opened)
    try DBusError.check(result, "there is no session bus")
    guard let opened = unsafe opened else { throw DBusError("there is no session bus") }
    let connection = unsafe DBusConnection(opened, limit: limit)
    try connection.awaitReady(until: ContinuousClock.now + limit)
    return connection
  }

  /// Waits until the bus has accepted the connection: a program at the other end may never answer.
  private borrowing func awaitReady(until deadline: ContinuousClock.Instant) throws(DBusError) {
    while unsafe sd_bus_is_ready(bus) == 0 {
      let worked = unsafe sd_bus_process(bus, nil)
      try DBusError.check(worked, "the session bus refuses the connection")
      guard worked == 0 else { continue }
      guard try pause(until: deadline) else { throw DBusError("the session bus does not answer") }
    }
  }

  private static func open(_ address: String, _ opened: inout OpaquePointer?) -> Int32 {
    var result = unsafe sd_bus_new(&opened)
    if result >= 0 { result = unsafe sd_bus_set_address(opened, address) }
    if result >= 0 { result = unsafe sd_bus_set_bus_client(opened, 1) }
    if result >= 0 { result = unsafe sd_bus_start(opened) }
    if result < 0 { unsafe opened = sd_bus_unref(opened) }
    return result
  }

  deinit { unsafe sd_bus_close_unref(bus) }

  /// Calls a method and waits for its reply.
  ///
  /// - Returns: The values of the reply.
  /// - Throws: ``DBusError`` when the other side refuses or the limit is over.
  package borrowing func call(
    _ method: DBusMethod,
    _ arguments: [DBusValue] = [],
  ) throws(DBusError) -> [DBusValue] {
    var made: OpaquePointer?
    try DBusError.check(
      unsafe sd_bus_message_new_method_call(
        bus,
        &made,
        method.destination,
        method.path,
        method.interface,
        method.name,
      ),
      "\(method.name) cannot be called",
    )
    guard let made = unsafe made else { throw DBusError("\(method.name) cannot be called") }
    let call = unsafe DBusMessage(made)
    for argument in arguments { try call.append(argument) }
    var error = unsafe sd_bus_error()
    defer { unsafe sd_bus_error_free(&error) }
    var answer: OpaquePointer?
    let result = unsafe call.withPointer { call in
      unsafe sd_bus_call(bus, call, limitMicroseconds, &error, &answer)
    }
    guard result >= 0, let answer = unsafe answer else {
      let name = unsafe error.name.map { unsafe String(cString: $0) }
      let message = unsafe error.message.map { unsafe String(cString: $0) }
      throw DBusError(message ?? SystemError(-result, method.name).reason, name: name)
    }
    let reply = unsafe DBusMessage(answer)
    return try reply.values()
  }

  /// Has the bus deliver an object's signals to this connection, for ``awaitMessage(until:)``.
  ///
  /// - Parameters:
  ///   - destination: Name of the program on the bus.
  ///   - path: Path of the object.
  ///   - interface: Interface that the signals belong to.
  /// - Throws: ``DBusError`` as ``call(_:_:)``.
  package borrowing func listen(
    to destination: String,
    path: String,
    interface: String,
  ) throws(DBusError) {
    let bus = "org.freedesktop.DBus"
    let addMatch = DBusMethod(
      destination: bus,
      path: "/org/freedesktop/DBus",
      interface: bus,
      name: "AddMatch",
    )
    let rule = "type='signal',sender='\(destination)',path='\(path)',interface='\(interface)'"
    _ = try call(addMatch, [.string(rule)])
  }

  /// Waits until a message has come, such as a signal that ``listen(to:path:interface:)`` asks for.
  ///
  /// - Returns: Whether one has come; otherwise the deadline has passed.
  /// - Throws: ``DBusError`` when the connection is lost.
  package borrowing func awaitMessage(
    until deadline: ContinuousClock.Instant
  ) throws(DBusError) -> Bool {
    while true {
      var message: OpaquePointer?
      let worked = unsafe sd_bus_process(bus, &message)
      try DBusError.check(worked, "the session bus is lost")
      if let message = unsafe message {
        unsafe sd_bus_message_unref(message)
        return true
      }
      guard worked == 0 else { continue }
      guard try pause(until: deadline) else { return false }
    }
  }

  /// Blocks until there is something to process.
  ///
  /// - Returns: False when the deadline has passed.
  private borrowing func pause(until deadline: ContinuousClock.Instant) throws(DBusError) -> Bool {
    let rest = deadline - ContinuousClock.now
    guard rest > .zero else { return false }
    let waited = unsafe sd_bus_wait(bus, UInt64(rest / .microseconds(1)) + 1)
    if waited != -EINTR { try DBusError.check(waited, "waiting for the session bus") }
    return true
  }

  /// Reads a property.
  ///
  /// - Parameters:
  ///   - name: The property.
  ///   - destination: Name of the program on the bus.
  ///   - path: Path of the object.
  ///   - interface: Interface that the property belongs to.
  /// - Returns: Its value.
  /// - Throws: ``DBusError`` as ``call(_:_:)``.
  package borrowing func property(
    _ name: String,
    of destination: String,
    path: String,
    interface: String,
  ) throws(DBusError) -> DBusValue {
    let get = DBusMethod(
      destination: destination,
      path: path,
      interface: "org.freedesktop.DBus.Properties",
      name: "Get",
    )
    let reply = try call(get, [.string(interface), .string(name)])
    guard let value = reply.first?.inner else { throw DBusError("\(name) has no value") }
    return value
  }
}
