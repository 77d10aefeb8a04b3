// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Another user that waits for clients at the place of a host.
///
/// Needs root, as only root can start programs of other users.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ForeignHostTests {
  private static let stranger = 65_534
  /// One that each user may execute.
  private static let python = "/usr/bin/python3"
  /// A user without a run-time directory, whose hosts are in `/tmp`.
  private static let user = 61_000 + Int(getpid() % 1_000)

  /// Listens like a host, and writes down each connection and each byte that it gets.
  private static let listener = """
    import os, socket, sys, threading
    path = sys.argv[1]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.chmod(os.path.dirname(path), 0o755)
    door = socket.socket(socket.AF_UNIX)
    door.bind(path)
    os.chmod(path, 0o777)
    door.listen(16)
    print("listening", flush=True)
    def serve(peer):
      count = 0
      while data := peer.recv(4096): count += len(data)
      os.write(1, b"got %d bytes\\n" % count)
    while True:
      threading.Thread(target=serve, args=[door.accept()[0]]).start()
    """

  private static func child(
    as user: Int,
    _ words: [String],
    _ environment: [String: String] = [:],
    in scratch: Scratch,
  ) throws -> Child {
    let identity = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
    return try Child("setpriv", identity + words, environment: environment, in: scratch)
  }

  private static func listen(at path: String, in scratch: Scratch) async throws -> Child {
    let child = try child(as: stranger, [python, "-c", listener, path], in: scratch)
    try await waitUntil("a stranger listens at \(path)") {
      child.standardOutput.contains("listening")
    }
    return child
  }

  /// Whether the listener got anything but connections that ended without a byte.
  private static func expectNothing(_ listener: Child) async throws {
    listener.send(SIGTERM)
    _ = try await listener.waitForEnd()
    let got = listener.standardOutput.split(separator: "\n").filter { $0.hasPrefix("got") }
    #expect(got.allSatisfy { $0 == "got 0 bytes" }, "\(got)")
  }

  /// The end and the errors of a client that looks for its host without `XDG_RUNTIME_DIR`, or at a path.
  private static func commandLine(
    _ arguments: [String],
    in scratch: Scratch,
  ) async throws -> (end: Child.End, errors: String) {
    let client = try child(
      as: user,
      [try Multiroute.path(), "status"] + arguments,
      ["XDG_RUNTIME_DIR": ""],
      in: scratch,
    )
    return (try await client.waitForEnd(), client.standardError)
  }

  /// The end and the errors of a program that uses the C library, and through it the Swift library.
  private static func library(
    host: String?,
    start: String,
    in scratch: Scratch,
  ) async throws -> (end: Child.End, errors: String) {
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    var environment = [
      "XDG_RUNTIME_DIR": "", "MULTIROUTE_START": start,
      "MULTIROUTE_LIBRARY": folder + "/libmultiroute-session.so",
      "MULTIROUTE_PROGRAM": "/bin/false",
    ]
    if let host { environment["MULTIROUTE_HOST"] = host }
    let script = Repository.path("docs/examples/session.py")
    let client = try child(as: user, [python, script, "1"], environment, in: scratch)
    return (try await client.waitForEnd(), client.standardError)
  }

  @Test func `clients look at no folder in /tmp that another user has made`() async throws {
    guard geteuid() == 0 else { return }
    let scratch = try Scratch()
    let folder = "/tmp/multiroute-\(Self.user)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let listener = try await Self.listen(at: folder + "/dj.sock", in: scratch)
    for arguments in [[], ["--host", "dj"]] {
      let (end, errors) = try await Self.commandLine(arguments, in: scratch)
      // EX_NOPERM of sysexits.
      #expect(end == .code(77))
      #expect(errors.contains("\(folder): it belongs to user \(Self.stranger)"), "\(errors)")
    }
    for (host, start) in [(nil, "never"), ("dj", "never"), (nil, "ifNeeded")] {
      let (end, errors) = try await Self.library(host: host, start: start, in: scratch)
      #expect(end == .code(1))
      #expect(errors.contains("\(folder): it belongs to user \(Self.stranger)"), "\(errors)")
    }
    try await Self.expectNothing(listener)
  }

  @Test func `clients send nothing to another user's process at a path`() async throws {
    guard geteuid() == 0 else { return }
    let scratch = try Scratch()
    let folder = "/tmp/multiroute-open-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/dj.sock"
    let listener = try await Self.listen(at: path, in: scratch)
    let told = "\(path): user \(Self.stranger) listens there"
    let (end, errors) = try await Self.commandLine(["--host", path], in: scratch)
    #expect(end == .code(77))
    #expect(errors.contains(told), "\(errors)")
    let program = try await Self.library(host: path, start: "ifNeeded", in: scratch)
    #expect(program.end == .code(1))
    #expect(program.errors.contains(told), "\(program.errors)")
    try await waitUntil("both have connected, and gone") {
      listener.standardOutput.components(separatedBy: "got").count >= 3
    }
    try await Self.expectNothing(listener)
  }
}
