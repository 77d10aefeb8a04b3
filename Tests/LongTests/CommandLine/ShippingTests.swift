// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// The parts of the packages besides the programs: manual pages, completions, the unit and the desktop's files.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ShippingTests {
  /// A command as the program describes itself.
  private struct Command: Decodable {
    let commandName: String
    let shouldDisplay: Bool?
    let subcommands: [Command]?

    /// The names of the pages of this command and of those below it.
    func pages(below parent: String = "") -> [String] {
      let name = parent + commandName
      let commands = (subcommands ?? []).filter {
        $0.commandName != "help" && $0.shouldDisplay != false
      }
      return [name + ".1"] + commands.flatMap { $0.pages(below: name + "-") }
    }
  }

  private struct Dump: Decodable {
    let command: Command
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a program to its end, and expects success.
  @discardableResult
  private func run(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
  ) async throws -> String {
    let child = try Child(program, arguments, environment: environment, in: scratch)
    let end = try await child.waitForEnd(within: .seconds(60))
    #expect(
      end == .code(0),
      "\(program) \(arguments.prefix(3)): \(child.standardOutput)\(child.standardError)"
    )
    return child.standardOutput
  }

  @Test func `every subcommand has a manual page without a fault`() async throws {
    let folder = try scratch.makeFolder("pages")
    try await run(Repository.path("scripts/lib/manual-pages"), [Multiroute.path(), folder])
    let dump = try await run(Multiroute.path(), ["--experimental-dump-help"])
    let wanted = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.pages()
    let found = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(wanted.count > 60)
    #expect(Set(found) == Set(wanted))
    let words = ["-T", "lint", "-W", "warning"]
    #expect(try await run("mandoc", words + found.map { "\(folder)/\($0)" }) == "")
  }

  @Test func `the unit, the desktop entry and the description of the program are valid`()
    async throws
  {
    let folder = Repository.path("scripts/debian")
    let unit = try String(contentsOfFile: folder + "/multiroute.user.service", encoding: .utf8)
    #expect(unit.contains("ExecStart=/usr/bin/multiroute run --plain --prefer-pipewire\n"))
    // The program of this build, because the verification looks for it.
    let copy = try scratch.write(
      unit.replacing("/usr/bin/multiroute", with: try Multiroute.path())
        .replacing("Documentation=", with: "#"),
      to: "multiroute.service",
    )
    try await run(
      "systemd-analyze",
      ["--user", "verify", copy],
      environment: ["XDG_RUNTIME_DIR": scratch.runtimeDirectory],
    )
    try await run("desktop-file-validate", [folder + "/org.multiroute.MultiRoute.desktop"])
    let name = "org.multiroute.MultiRoute.metainfo.xml"
    let description = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      .replacing("@version@", with: "1.2.3").replacing("@date@", with: "2026-01-31")
    let metainfo = try scratch.write(description, to: name)
    try await run("appstreamcli", ["validate", "--pedantic", "--no-net", metainfo])
  }

  @Test(.jackServer(channels: 4))
  func `bash completes strips, routes and ports of the host that runs, and nothing without one`()
    async throws
  {
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/dj-split.yaml"),
      server: try testServer().name,
      in: scratch,
    )
    let script = try scratch.write(
      try await run(Multiroute.path(), ["--generate-completion-script", "bash"]),
      to: "completions.bash",
    )
    #expect(try await completed("set gain d", by: script) == ["deck-a", "deck-b"])
    #expect(try await completed("set align h", by: script) == ["headphones"])
    #expect(try await completed("get /route/main/ga", by: script) == ["/route/main/gain"])
    #expect(
      try await completed("connect system:playback_1", by: script).contains("system:playback_1")
    )
    #expect(try await host.stop() == .code(0))
    #expect(try await completed("set gain d", by: script) == [])
  }

  /// These commands are parsed without the commands above them; the completion scripts are of the whole program all the same.
  @Test(arguments: [["status"], ["session", "play"], ["set", "gain"]])
  func `a command takes a request for completion scripts as the program does`(
    words: [String]
  ) async throws {
    let request = ["--generate-completion-script", "bash"]
    let whole = try await run(Multiroute.path(), request)
    #expect(whole.contains("complete"))
    #expect(try await run(Multiroute.path(), words + request) == whole)
  }

  /// The proposals of bash for a line, at its end.
  private func completed(_ line: String, by script: String) async throws -> [String] {
    let program = try Multiroute.path()
    let steps = """
      source '\(script)'
      line="multiroute \(line)"
      read -ra COMP_WORDS <<<"$line"
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
      COMP_WORDS[0]='\(program)'
      _multiroute '\(program)' "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let output = try await run(
      "bash",
      ["--norc", "-O", "extglob", "-c", steps],
      environment: scratch.hostEnvironment,
    )
    return output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      !$0.isEmpty
    }
  }

  @Test(.jackServer(channels: 4))
  func `the service manager is told when the host plays, reads its graph again, and ends`()
    async throws
  {
    let socket = try NotifySocket(path: scratch.path + "/notify")
    let host = try HostProcess(
      graph: Repository.path("graphs/dj-split.yaml"),
      server: try testServer().name,
      environment: ["NOTIFY_SOCKET": socket.path],
      in: scratch,
    )
    try await waitUntil("the host is ready") { socket.received == ["READY=1"] }
    host.child.send(SIGHUP)
    try await waitUntil("the host has read its graph again") {
      socket.received == ["READY=1", "RELOADING=1", "READY=1"]
    }
    host.child.send(SIGTERM)
    #expect(try await host.child.waitForEnd() == .code(0))
    try await waitUntil("the host has told its end") { socket.received.last == "STOPPING=1" }
  }
}

/// The tutorials with that of the laboratory, which the gate's PastedPageTests leaves out.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TutorialTests {
  @Test(.jackServer(channels: 4))
  func `each block of the tutorials is pasted as it stands, one after the other`() async throws {
    let page = PastedPage(try Repository.text("docs/tutorials.md"))
    try await page.paste(leavingOut: [], server: testServer().name, in: try Scratch())
  }
}

/// The socket of a service manager, as systemd's `$NOTIFY_SOCKET`.
private final class NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32
  private let messages = Messages()

  /// The messages so far.
  private final class Messages: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []

    func add(_ text: String) { lock.withLock { texts.append(text) } }
    var all: [String] { lock.withLock { texts } }
  }

  init(path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    guard isBound == 0 else { throw TestFailure("no socket at \(path): error \(errno)") }
  }

  deinit { close(descriptor) }

  /// All messages until now, in their order.
  var received: [String] {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return messages.all }
      messages.add(String(decoding: buffer[..<count], as: UTF8.self))
    }
  }
}
