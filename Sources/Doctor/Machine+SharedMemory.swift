// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Shared memory of JACK and its clients, and left-overs of crashed servers in it.
extension Machine {
  func sharedMemory() -> [Finding] { [freeSharedMemory(), leftOvers()] }

  private static let folder = "/dev/shm"
  /// Memory of one server with its default of 2048 ports: jackd 1.9.21 makes a segment of 102 MiB.
  private static let serverBytes: UInt64 = 110 << 20

  private func freeSharedMemory() -> Finding {
    let subject = "shared memory"
    guard let space = fileSystemBytes(root + Self.folder) else {
      return .problem(
        subject,
        "\(Self.folder) is not there",
        cost: "no JACK server starts",
        remedy: "sudo mount -t tmpfs -o mode=1777 tmpfs \(Self.folder)",
      )
    }
    let found = "\(space.free >> 20) of \(space.total >> 20) MiB free in \(Self.folder)"
    guard space.free < Self.serverBytes else { return .ok(subject, found) }
    return .problem(
      subject,
      found,
      cost:
        "a JACK server needs about \(Self.serverBytes >> 20) MiB; it crashes where they are missing",
      remedy: "sudo mount -o remount,size=1G \(Self.folder)",
    )
  }

  /// Left-overs of killed servers: memory, and places in the registry.
  ///
  /// A place is freed only when a server of the same name starts again.
  private func leftOvers() -> Finding {
    let subject = "left-overs of JACK servers"
    let path = "\(Self.folder)/jack-shm-registry"
    guard let registry = bytes(path).flatMap(JACKMemoryRegistry.init) else {
      return .ok(subject, "none")
    }
    let servers = registry.servers.filter { !exists("/proc/\($0.pid)") }.map(\.name)
    let segments = registry.segments
      .filter { !exists("/proc/\($0.pid)") && exists("\(Self.folder)/\($0.name)") }
    let places = "\(registry.servers.count) of \(JACKMemoryRegistry.maximumServers) places taken"
    guard !servers.isEmpty || !segments.isEmpty else { return .ok(subject, "none, \(places)") }

    let mebibytes = segments.reduce(0) { $0 + $1.sizeInBytes } >> 20
    let names = servers.isEmpty ? "" : "\(servers.joined(separator: ", ")); "
    let found = "\(names)\(mebibytes) MiB, \(places)"
    let restarts = servers.map { "timeout 1 jackd -r -n \($0) -d dummy" }
    let deletion = segments.map { "\(Self.folder)/\($0.name)" }.joined(separator: " ")
    let remedy = restarts.isEmpty ? "rm -f \(deletion)" : restarts.joined(separator: "; ")
    guard registry.servers.count >= JACKMemoryRegistry.maximumServers else {
      return .advice(subject, found, cost: "memory, and places for servers", remedy: remedy)
    }
    return .problem(subject, found, cost: "no JACK server of a new name starts", remedy: remedy)
  }
}
