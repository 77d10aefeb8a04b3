// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NotificationTests {
  @Test(.jackServer())
  func `ports, names, connections and clients of others are reported in order`() async throws {
    let server = try testServer().name
    let watcher = try OpenedClient.open(name: "watcher", server: server).activate()
    let other = try OpenedClient.open(name: "other", server: server)
    let port: AudioOutputPort = try other.connection.register("out")
    let active = try other.activate()
    try active.connection.connect("other:out", to: "system:playback_1")
    try active.connection.disconnect("other:out", from: "system:playback_1")
    try active.connection.rename(port, to: "better")
    try active.connection.unregister(port)
    active.close()

    var seen: [String] = []
    for await notification in watcher.connection.notifications {
      switch notification {
      case .clientRegistered("other"): seen.append("client")
      case .portRegistered(let info) where info.client == "other":
        #expect(info.isOutput && info.isAudio && !info.isMine)
        seen.append("port \(info.name)")
      case .portsConnected(let source, let destination):
        seen.append("\(source) > \(destination)")
      case .portsDisconnected(let source, let destination):
        seen.append("\(source) | \(destination)")
      case .portRenamed(let from, let to): seen.append("\(from) = \(to)")
      case .portUnregistered(let name): seen.append("gone \(name)")
      case .clientUnregistered("other"): seen.append("client gone")
      default: continue
      }
      if seen.last == "client gone" { break }
    }
    #expect(
      seen == [
        "client", "port other:out", "other:out > system:playback_1",
        "other:out | system:playback_1", "other:out = other:better", "gone other:better",
        "client gone",
      ]
    )
    watcher.close()
  }

  @Test(.jackServer(frames: 256))
  func `buffer size, freewheel and order are reported`() async throws {
    let client = try OpenedClient.open(name: "changes", server: try testServer().name).activate()
    let connection = client.connection
    let notifications = connection.notifications
    try connection.setBufferFrames(100)
    // The present size is reported first, on activation.
    for expected: UInt32 in [256, 100] {
      let frames = try await firstNotification("the buffer size", in: notifications) {
        if case .bufferSizeChanged(let frames) = $0 { frames } else { nil }
      }
      #expect(frames == expected)
    }
    #expect(try connection.bufferFrames == 100)
    for isOn in [true, false] {
      try connection.setFreewheel(isOn)
      let told = try await firstNotification("freewheel", in: notifications) {
        if case .freewheel(let isOn) = $0 { isOn } else { nil }
      }
      #expect(told == isOn)
    }
    let error = #expect(throws: JACKError.self) { try connection.setBufferFrames(0) }
    #expect(error?.code == .invalidValue)
    client.close()
  }

  @Test(.jackServer())
  func `a killed server is reported as a shutdown, and calls fail fast`() async throws {
    let server = try testServer()
    let client = try OpenedClient.open(name: "orphan", server: server.name).activate()
    let connection = client.connection
    try await server.kill()
    let reason = try await firstNotification("the shutdown", in: connection.notifications) {
      if case .shutdown(_, let reason) = $0 { reason } else { nil }
    }
    #expect(!reason.isEmpty)
    #expect(connection.isServerGone)
    let error = #expect(throws: JACKError.self) { try connection.ports() }
    #expect(error?.code == .serverGone)
    let outcome = client.close()
    #expect(outcome == .serverWasGone)
  }

  @Test(.jackServer(frames: 128))
  func `xruns are counted with their time`() async throws {
    let opened = try OpenedClient.open(name: "late", server: try testServer().name)
    let connection = opened.connection
    let state = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    unsafe state.initialize(to: 3)
    let active = unsafe try opened.activate(process: lateProcess, context: state)
    try await waitUntil("an xrun") { connection.xruns.count > 0 }
    #expect(connection.xruns.lastFrameTime != nil)
    #expect(connection.xruns.maxDelayMicroseconds >= connection.xruns.lastDelayMicroseconds)
    let delay = try await firstNotification("the xrun", in: connection.notifications) {
      if case .xrun(let delay, _) = $0 { delay } else { nil }
    }
    #expect(delay >= 0)
    active.close()
    unsafe state.deallocate()
  }
}

/// Takes far longer than a period, for as many cycles as `context` points to.
///
/// Not for ever: it would starve everything else on a small machine.
@c(jacktests_late) @_noLocks @_noAllocation
func lateProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: UInt64.self) { cycles, scope in
    guard unsafe cycles.pointee > 0 else { return }
    unsafe cycles.pointee -= 1
    let end = scope.cycleTimes.startMicroseconds + 20_000
    while scope.nowMicroseconds < end {}
  }
}
