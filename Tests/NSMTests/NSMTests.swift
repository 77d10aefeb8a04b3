// SPDX-License-Identifier: MIT

import Glibc
import OSC
import TestSupport
import Testing

@testable import NSM

/// Every message and error of the protocol, between a client and a scripted manager over UDP.
@Suite(.timeLimit(.minutes(1)))
struct NSMTests {
  // MARK: - Announcing

  @Test func `NSM-3 NSM-5 NSM-70 the announcement has names, capabilities, version and process`()
    async throws
  {
    let manager = try SessionManager()
    let client = try NSMClient(
      url: manager.url,
      application: "MultiRoute-delay",
      executable: "my-link",
      capabilities: [.switch, .dirty, .progress, .message, .optionalGUI],
    )
    defer { client.end() }
    #expect(
      try await manager.next("/nsm/server/announce").values
        == [
          .text("MultiRoute-delay"), .text(":dirty:message:optional-gui:progress:switch:"),
          .text("my-link"), .integer(1), .integer(1), .integer(getpid()),
        ]
    )
  }

  @Test func `NSM-6 a client is managed with the reply, and knows its manager`() async throws {
    let manager = try SessionManager()
    let (client, address) = try await manager.announcedClient()
    try manager.accept(address)
    let expected = NSMManager(
      name: "Test manager",
      greeting: "Howdy",
      capabilities: ["server-control", "broadcast"]
    )
    #expect(await client.join(within: .seconds(10)) == .managed(expected))
  }

  @Test(arguments: NSMErrorCode.allCases.map(\.rawValue) + [-11, -12, -21])
  func `NSM-7 a refused client has the code and the reason`(code: Int32) async throws {
    let manager = try SessionManager()
    let (client, address) = try await manager.announcedClient()
    try manager.refuse(address, code: code, reason: "not now")
    let refusal = NSMRefusal(code: code, reason: "not now")
    #expect(await client.join(within: .seconds(10)) == .refused(refusal))
  }

  @Test func `NSM-1 a manager that does not answer is told after the time`() async throws {
    let manager = try SessionManager()
    let (client, _) = try await manager.announcedClient()
    let start = ContinuousClock.now
    #expect(await client.join(within: .milliseconds(200)) == .silent)
    #expect(ContinuousClock.now - start >= .milliseconds(200))
  }

  @Test(arguments: [
    "", "nonsense", "osc.tcp://localhost:17000/", "osc.unix:///tmp/x", "osc.udp://localhost/",
    "osc.udp://localhost:0/", "osc.udp://localhost:70000/", "osc.udp://no.such.host.invalid:17000/",
    "osc.udp://:17000/", "http://localhost:17000/",
  ])
  func `NSM-1 NSM-2 an address that cannot be used is an error`(url: String) {
    #expect(throws: NSMError.self) {
      try NSMClient(url: url, application: "x", executable: "x", capabilities: [])
    }
  }

  @Test(arguments: [
    ("localhost", "127.0.0.1", true), ("127.0.1.1", "127.0.0.1", true), ("[::1]", "[::1]", true),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("192.0.2.1", "127.0.0.1", false), ("localhost", "192.0.2.1", false),
  ])
  func `NSM-2 a message is the manager's by port and machine`(
    manager: String,
    sender: String,
    isManager: Bool,
  ) throws {
    let address = try ManagerAddress(url: "osc.udp://\(manager):17000/")
    #expect(address.isSender("osc.udp://\(sender):17000/") == isManager)
    #expect(!address.isSender("osc.udp://\(sender):17001/"))
    #expect(!address.isSender(sender))
    #expect(!address.isSender(""))
  }

  // MARK: - Requests

  @Test func `open and save are answered; other requests are passed on without an answer`()
    async throws
  {
    let manager = try SessionManager()
    let (client, address) = try await manager.managedClient([.switch])
    var requests = client.requests.makeAsyncIterator()
    for name in ["one", "two"] {
      try manager.send(
        "/nsm/client/open",
        [.text("/tmp/\(name)"), .text("Song"), .text("delay.\(name)")],
        to: address,
      )
      let request = try #require(await requests.next())
      let project = NSMProject(
        path: "/tmp/\(name)",
        displayName: "Song",
        clientID: "delay.\(name)",
      )
      #expect(request == .open(project))
      try client.confirm(request)
      #expect(try await manager.next("/reply").values == [.text("/nsm/client/open"), .text("OK")])
    }
    let silent: [(String, NSMRequest)] = [
      ("session_is_loaded", .sessionIsLoaded), ("show_optional_gui", .showOptionalGUI),
      ("hide_optional_gui", .hideOptionalGUI),
    ]
    for (path, expected) in silent {
      try manager.send("/nsm/client/\(path)", [], to: address)
      let request = try #require(await requests.next())
      #expect(request == expected)
      try client.confirm(request)
      try client.refuse(request, .general, "no")
    }
    try manager.send("/nsm/client/save", [], to: address)
    let save = try #require(await requests.next())
    #expect(save == .save)
    try client.confirm(save)
    #expect(try await manager.next("/reply").values == [.text("/nsm/client/save"), .text("OK")])
    #expect(manager.count(of: "/reply") + manager.count(of: "/error") == 0)
  }

  @Test(arguments: NSMErrorCode.allCases)
  func `NSM-20 a refused request has its path, the code and the reason`(
    code: NSMErrorCode
  ) async throws {
    let manager = try SessionManager()
    let (client, _) = try await manager.managedClient()
    let project = NSMProject(path: "/tmp/x", displayName: "x", clientID: "x")
    let requests: [(String, NSMRequest)] = [("open", .open(project)), ("save", .save)]
    for (path, request) in requests {
      try client.refuse(request, code, "disk full")
      #expect(
        try await manager.next("/error").values
          == [.text("/nsm/client/\(path)"), .integer(code.rawValue), .text("disk full")]
      )
    }
  }

  @Test func `the codes are those of the protocol`() {
    let codes: [(NSMErrorCode, Int32)] = [
      (.general, -1), (.incompatibleAPI, -2), (.blacklisted, -3), (.launchFailed, -4),
      (.noSuchFile, -5), (.noSessionOpen, -6), (.unsavedChanges, -7), (.notNow, -8),
      (.badProject, -9), (.createFailed, -10),
    ]
    for (code, number) in codes { #expect(code.rawValue == number) }
    #expect(codes.count == NSMErrorCode.allCases.count)
  }

  @Test func `NSM-12 NSM-2 malformed messages, unknown ones and those of others are ignored`()
    async throws
  {
    let manager = try SessionManager()
    let stranger = try SessionManager()
    let (client, address) = try await manager.announcedClient()
    let open: [OSCValue] = [.text("/tmp/x"), .text("x"), .text("x")]
    // Before the reply nothing counts, and a stranger's reply never does.
    try manager.send("/nsm/client/open", open, to: address)
    try stranger.accept(address)
    #expect(await client.join(within: .milliseconds(200)) == .silent)

    let (managed, place) = try await manager.managedClient()
    var requests = managed.requests.makeAsyncIterator()
    try stranger.send("/nsm/client/open", open, to: place)
    try stranger.send("/nsm/client/save", [], to: place)
    try manager.send("/nsm/client/open", Array(open.dropLast()), to: place)
    try manager.send("/nsm/client/open", open + [.text("more")], to: place)
    try manager.send(
      "/nsm/client/open",
      [.text("/tmp/x"), .integer(1), .text("x")],
      to: place
    )
    try manager.send("/nsm/client/open", [.float(1), .float(2), .float(3)], to: place)
    try manager.send("/nsm/client/save", [.text("now")], to: place)
    try manager.send("/nsm/client/unknown", [], to: place)
    try manager.send("/reply", [], to: place)
    try manager.send("/error", [.text("/nsm/server/announce")], to: place)
    try manager.send("/nsm/client/session_is_loaded", [], to: place)
    #expect(await requests.next() == .sessionIsLoaded)
  }

  @Test func `a program that ends has no more requests`() async throws {
    let manager = try SessionManager()
    let (client, _) = try await manager.managedClient()
    client.end()
    var requests = client.requests.makeAsyncIterator()
    #expect(await requests.next() == nil)
  }

  // MARK: - Reports

  @Test func `dirty and clean are reported on change only`() async throws {
    let manager = try SessionManager()
    let (client, _) = try await manager.managedClient([.dirty])
    for isDirty in [false, true, true, false, false, true] { try client.setDirty(isDirty) }
    try client.setLabel("end")
    _ = try await manager.next("/nsm/client/label")
    #expect(manager.count(of: "/nsm/client/is_dirty") == 2)
    #expect(manager.count(of: "/nsm/client/is_clean") == 1)
  }

  @Test func `progress, texts, the label and the window are reported`() async throws {
    let manager = try SessionManager()
    let (client, _) = try await manager.managedClient([.progress, .message, .optionalGUI])
    for share: Float in [-1, 0.5, 2] { try client.setProgress(share) }
    for share: Float in [0, 0.5, 1] {
      #expect(try await manager.next("/nsm/client/progress").values == [.float(share)])
    }
    try client.setProgress(.nan)
    let priorities: [(NSMPriority, Int32)] = [(.low, 0), (.normal, 1), (.high, 2), (.urgent, 3)]
    for (priority, number) in priorities {
      try client.show("an xrun", priority: priority)
      #expect(
        try await manager.next("/nsm/client/message").values
          == [.integer(number), .text("an xrun")]
      )
    }
    try client.show(String(repeating: "x", count: 100_000), priority: .low)
    let cut = try await manager.next("/nsm/client/message").values[1].text
    #expect(cut.utf8.count == 500 && cut.hasSuffix("…"))
    try client.setLabel("dj.yaml")
    #expect(try await manager.next("/nsm/client/label").values == [.text("dj.yaml")])
    try client.setGUIShown(true)
    _ = try await manager.next("/nsm/client/gui_is_shown")
    try client.setGUIShown(false)
    _ = try await manager.next("/nsm/client/gui_is_hidden")
    #expect(manager.count(of: "/nsm/client/progress") == 0)
  }

  @Test func `NSM-5 nothing is reported that needs a capability the client has not announced`()
    async throws
  {
    let manager = try SessionManager()
    let (unmanaged, _) = try await manager.announcedClient(Set(NSMClient.Capability.allCases))
    try unmanaged.setLabel("too early")
    let (managed, _) = try await manager.managedClient()
    for client in [unmanaged, managed] {
      try client.setDirty(true)
      try client.setProgress(1)
      try client.show("text", priority: .urgent)
      try client.setGUIShown(true)
    }
    try managed.setLabel("end")
    #expect(try await manager.next("/nsm/client/label").values == [.text("end")])
    for path in ["is_dirty", "progress", "message", "gui_is_shown"] {
      #expect(manager.count(of: "/nsm/client/\(path)") == 0)
    }
  }
}

extension SessionManager {
  /// A client of this manager that has announced itself, and its address.
  fileprivate func announcedClient(
    _ capabilities: Set<NSMClient.Capability> = []
  ) async throws -> (client: NSMClient, address: String) {
    let client = try NSMClient(
      url: url,
      application: "MultiRoute",
      executable: "multiroute",
      capabilities: capabilities,
    )
    return (client, try await next("/nsm/server/announce").sender)
  }

  /// A client that this manager has accepted, and its address.
  fileprivate func managedClient(
    _ capabilities: Set<NSMClient.Capability> = []
  ) async throws -> (client: NSMClient, address: String) {
    let (client, address) = try await announcedClient(capabilities)
    try accept(address)
    guard case .managed = await client.join(within: .seconds(10)) else {
      throw TestFailure("the client was not accepted")
    }
    return (client, address)
  }
}
