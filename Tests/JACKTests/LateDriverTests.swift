// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Tests that are tried again where JACK's driver was late.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LateDriverTests {
  /// A body that fails in its first tries, with as many late cycles in each.
  private final class Body {
    let failures: Int
    let lateCycles: Int
    private(set) var tries = 0
    private(set) var told: [String] = []

    init(failures: Int, lateCycles: Int) {
      self.failures = failures
      self.lateCycles = lateCycles
    }

    func run() async throws {
      try await tryAgainWhereLate(tell: { told.append($0) }, lateCycles: { tries * lateCycles }) {
        tries += 1
        if tries <= failures { Issue.record("failure \(tries)") }
      }
    }
  }

  @Test func `a try that fails while the driver is late is made again`() async throws {
    let body = Body(failures: 2, lateCycles: 1)
    try await body.run()
    #expect(body.tries == 3)
    #expect(body.told.count == 2)
    #expect(body.told.first?.contains("failure 1") == true)
  }

  @Test(arguments: [(failures: 1, lateCycles: 0, tries: 1), (failures: 3, lateCycles: 1, tries: 3)])
  func `a try without late cycles fails, and so does the last one`(
    failures: Int,
    lateCycles: Int,
    tries: Int,
  ) async throws {
    let body = Body(failures: failures, lateCycles: lateCycles)
    try await withKnownIssue {
      try await body.run()
    } matching: {
      $0.description.contains("failure \(tries)")
    }
    #expect(body.tries == tries)
  }

  @Test func `a condition that is waited for in vain is waited for once again`() async throws {
    var tries = 0
    try await withKnownIssue {
      try await tryAgainWhereLate(tell: { _ in }, lateCycles: { tries }) {
        tries += 1
        try await waitUntil("it is never so", within: .zero) { false }
      }
    } matching: {
      $0.error is TestFailure
    }
    #expect(tries == 2)
  }

  @Test(.jackServer())
  func `a server that cannot run for a tenth of a second has late cycles`() async throws {
    let server = try #require(TestServer.current)
    let before = TestServer.lateCycles
    server.hang()
    // Real time has to pass.
    try await Task.sleep(for: .milliseconds(100))
    server.goOn()
    try await waitUntil("its driver says that it was late") { TestServer.lateCycles > before }
  }
}
