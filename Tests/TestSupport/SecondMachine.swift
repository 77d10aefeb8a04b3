// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// Another machine in the network of this one: a network namespace at the other end of a cable (a pair of veth).
///
/// It also has a host name and a `/run` of its own. A process holds its namespaces and dies with the tests, even with tests that crash.
/// The kernel then removes the namespaces and the cable, so nothing is left behind. It needs root. [any-thread]
public final class SecondMachine: Sendable {
  /// The IPv4 address of the second machine.
  public let address: String
  /// The IPv4 address at which the second machine reaches this one.
  public let hostAddress: String
  /// The network interface at this machine's end of the cable.
  public let interface: String
  /// The second machine's host name.
  public let name: String

  private let holder: ChildProcess

  /// Sets the machine up and plugs the cable in.
  ///
  /// - Throws: ``TestFailure`` without root's rights, or when a step fails.
  public init() async throws {
    let script = """
      mount -t tmpfs tmpfs /run && hostname "multiroute-$$" && ip link set lo up && exec sleep infinity
      """
    holder = try ChildProcess.start(
      "unshare",
      ["--net", "--mount", "--uts", "sh", "-c", script],
      bond: .bound,
      errors: .text(limitInBytes: 4_096),
    )
    let pid = holder.pid
    // 198.18.0.0/15 is kept for tests of networks; each process id has four addresses of it.
    let base = 0xC612_0000 + UInt32(pid) % 32_768 * 4
    hostAddress = Self.text(of: base + 1)
    address = Self.text(of: base + 2)
    interface = "mr\(pid)"
    name = "multiroute-\(pid)"
    try await waitUntil("the second machine is there") { [holder] in
      guard holder.isRunning else {
        throw TestFailure("no second machine: \(holder.text(of: .errors))")
      }
      return Machine.this.name(of: pid) == "sleep"
    }
    try await Self.ip(
      ["link", "add", interface, "type", "veth", "peer", "name", "eth0", "netns", "\(pid)"]
    )
    // No address comes of its own: a browser gives up what it is loading when one appears, a second after the cable is plugged in.
    try await Self.ip(["link", "set", interface, "addrgenmode", "none"])
    try await run("ip", "link", "set", "eth0", "addrgenmode", "none")
    try await Self.ip(["address", "add", "\(hostAddress)/30", "dev", interface])
    try await run("ip", "address", "add", "\(address)/30", "dev", "eth0")
    try await run("ip", "link", "set", "eth0", "up")
    try await setLink(up: true)
  }

  deinit {
    // Nobody waits for it: it may block.
    _ = BackgroundThread.start(name: "second machine") { [interface, holder] in
      Self.remove(interface, holder)
    }
  }

  /// Plugs the cable in or out.
  ///
  /// - Throws: ``TestFailure``.
  public func setLink(up: Bool) async throws {
    try await Self.ip(["link", "set", interface, up ? "up" : "down"])
  }

  /// The words that run a program on the second machine; the first one is the program to start here.
  public func command(_ words: [String]) -> [String] {
    ["nsenter", "--target", "\(holder.pid)", "--net", "--mount", "--uts", "--"] + words
  }

  /// Runs a program there to its end.
  ///
  /// - Returns: Its standard output.
  /// - Throws: ``TestFailure`` when its exit code is not 0.
  @discardableResult
  public func run(_ words: String...) async throws -> String {
    let words = command(words)
    return try await Self.output(of: words[0], Array(words.dropFirst()))
  }

  /// Runs `body` on a thread that is the second machine's: the sockets that it opens belong there, for ever.
  ///
  /// - Throws: ``TestFailure`` when the machine is gone; whatever `body` throws.
  public func visiting<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let place = "/proc/\(holder.pid)/ns/net"
    let name = name
    return try await onOwnThread {
      let away = unsafe open(place, O_RDONLY | O_CLOEXEC)
      defer { close(away) }
      // The thread ends there, so it need not come back.
      guard try Self.enter(away) else { throw TestFailure("no way to \(name): \(errno)") }
      return try body()
    }
  }

  /// Removes the machine and the cable, once its other processes have ended.
  public func stop() async {
    await onOwnThread { [interface, holder] in Self.remove(interface, holder) }
  }

  private static func remove(_ interface: String, _ holder: ChildProcess) {
    // An interface that a process keeps alive would go on using the address.
    let deletion = try? ChildProcess.start("ip", ["link", "delete", interface], bond: .bound)
    _ = deletion?.waitForExit(within: .seconds(5))
    holder.send(SIGKILL)
    _ = holder.waitForExit(within: .seconds(5))
  }

  /// Moves this thread into a namespace of networks.
  private static func enter(_ network: Int32) throws -> Bool {
    // Swift knows no setns, because its header asks for _GNU_SOURCE.
    typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "setns") else { throw TestFailure("there is no setns") }
    let setns = unsafe unsafeBitCast(symbol, to: SetNamespace.self)
    let cloneNewNet: Int32 = 0x4000_0000
    return setns(network, cloneNewNet) == 0
  }

  private static func ip(_ words: [String]) async throws {
    _ = try await output(of: "ip", words)
  }

  private static func output(of program: String, _ arguments: [String]) async throws -> String {
    let end = try await runProgram(program, arguments)
    guard end.status == 0 else {
      let words = arguments.joined(separator: " ")
      throw TestFailure("\(program) \(words): exit code \(end.status): \(end.output)\(end.errors)")
    }
    return end.output
  }

  private static func text(of address: UInt32) -> String {
    [24, 16, 8, 0].map { String(address >> $0 & 255) }.joined(separator: ".")
  }
}
