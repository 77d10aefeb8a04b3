// SPDX-License-Identifier: MIT

import Glibc
import SystemSupport
import TestSupport
import Testing

/// Calls over a session bus.
@Suite(.timeLimit(.minutes(1)))
struct DBusTests {
  private static let daemon = "org.freedesktop.DBus"

  private static func method(_ name: String, of destination: String = daemon) -> DBusMethod {
    DBusMethod(
      destination: destination,
      path: "/org/freedesktop/DBus",
      interface: daemon,
      name: name,
    )
  }

  /// A bus of its own.
  private static func session() async throws -> ShellSession {
    let session = try ShellSession(
      script: """
        dbus-daemon --session --nofork --nopidfile --print-address \
          --address="$DBUS_SESSION_BUS_ADDRESS" & bus=$!
        read -r _
        kill $bus
        wait
        """
    )
    // It says its address when it listens; its socket is there before.
    try await waitUntil("the bus is there") { session.log.contains("unix:path") }
    return session
  }

  @Test func `replies come as typed values`() async throws {
    let session = try await Self.session()
    defer { session.stop() }
    let bus = DBus(environment: session.environment, limit: .seconds(10))
    let (names, pid, has, features) = try await bus.perform { connection throws(DBusError) in
      let names = try connection.call(Self.method("ListNames"))
      let own = names.first?.elements?.compactMap(\.text).first { $0.hasPrefix(":") } ?? ""
      return (
        names,
        try connection.call(Self.method("GetConnectionUnixProcessID"), [.string(own)]),
        try connection.call(Self.method("NameHasOwner"), [.string("org.example.Nobody")]),
        try connection.property(
          "Features",
          of: Self.daemon,
          path: "/org/freedesktop/DBus",
          interface: Self.daemon,
        )
      )
    }
    #expect(names.first?.elements?.contains(.string(Self.daemon)) == true)
    #expect(pid == [.uint32(UInt32(getpid()))])
    #expect(has == [.boolean(false)])
    #expect(features.typeSignature == "as")
    // A dictionary of variants.
    let credentials = try await bus.call(
      Self.method("GetConnectionCredentials"),
      [.string(Self.daemon)],
    )
    #expect(credentials.first?.typeSignature == "a{sv}")
    #expect(
      credentials.first?.elements?.contains {
        if case .entry(.string("UnixUserID"), .variant(.uint32(getuid()))) = $0 {
          true
        } else {
          false
        }
      } == true
    )
  }

  @Test func `an error has the name that the other side gave it`() async throws {
    let session = try await Self.session()
    defer { session.stop() }
    let bus = DBus(environment: session.environment, limit: .seconds(10))
    let error = await #expect(throws: DBusError.self) {
      try await bus.call(Self.method("GetId", of: "org.example.Nobody"))
    }
    #expect(error?.name == "org.freedesktop.DBus.Error.ServiceUnknown")
    let refused = await #expect(throws: DBusError.self) {
      try await bus.call(Self.method("NameHasOwner"), [.int32(1), .strings(["a", "b"])])
    }
    #expect(refused?.name == "org.freedesktop.DBus.Error.InvalidArgs")
  }

  @Test func `without a bus the error says so`() async throws {
    let address = "unix:path=/nonexistent/bus"
    let bus = DBus(environment: ["DBUS_SESSION_BUS_ADDRESS": address], limit: .seconds(10))
    let error = await #expect(throws: DBusError.self) {
      try await bus.call(Self.method("GetId"))
    }
    #expect(error?.description.hasPrefix("there is no session bus") == true)
  }

  @Test func `a bus that never answers costs no more than the limit`() async throws {
    let session = try ShellSession(script: "read -r _")
    defer { session.stop() }
    let path = "\(session.folder)/run/bus"
    let socket = try SilentSocket(path: path)
    defer { socket.close() }
    let bus = DBus(environment: session.environment, limit: .milliseconds(50))
    let error = await #expect(throws: DBusError.self) {
      try await bus.call(Self.method("GetId"))
    }
    #expect(error?.description == "the session bus does not answer")
    #expect(Machine.this.sockets(at: path).contains { $0.isListening })
    #expect(Machine.this.process(getpid(), holdsOneOf: Machine.this.sockets(at: path)))
    #expect(!Machine.this.process(getppid(), holdsOneOf: Machine.this.sockets(at: path)))
  }
}

/// A UNIX socket that accepts connections into its backlog and stays silent.
private struct SilentSocket {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: Array(path.utf8))
    }
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(descriptor, 5) == 0 else { throw TestFailure("no socket at \(path)") }
  }

  func close() { _ = Glibc.close(descriptor) }
}
