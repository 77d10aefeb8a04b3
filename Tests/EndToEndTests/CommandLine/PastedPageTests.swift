// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EndToEndSupport

/// The commands of the pages, pasted exactly as they are printed and in their order, in a new clone.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PastedPageTests {
  /// A page, and its blocks that are not pasted, each by its first line and with the reason.
  struct Page: CustomTestStringConvertible, Sendable {
    let path: String
    let left: [String: String]
    /// How many blocks it has at least.
    let blocks: Int

    var testDescription: String { path }
  }

  private static let pages = [
    Page(
      path: "README.md",
      left: [
        "scripts/package                                             # makes them of the present commit":
          "it builds and installs packages; scripts/test-package does that in an empty Debian"
      ],
      blocks: 7,
    ),
    Page(
      path: "docs/tutorials.md",
      left: [
        "multiroute init --use measuring --yes loop.yaml":
          "it needs multiroute-lab, which the gate does not build; LongTests.TutorialTests pastes it"
      ],
      blocks: 4,
    ),
  ]

  @Test(.jackServer(channels: 4), arguments: pages)
  func `each block of a page is pasted as it stands, one after the other`(_ page: Page) async throws
  {
    let pasted = PastedPage(try Repository.text(page.path))
    #expect(pasted.blocks.count >= page.blocks)
    try await pasted.paste(
      leavingOut: page.left.keys,
      server: testServer().name,
      in: try Scratch(),
    )
  }

  @Test(arguments: [
    ("```sh\nfalse\ntrue\n```", "status 1: false"),
    ("```sh\nno-such-program\n```", "status 127: no-such-program"),
    // The second command is eaten.
    ("```sh\ncat >/dev/null\nfalse\n```", "code(0)"),
    ("Save it as `g.yaml`:\n\n```yaml\na: b\n```\n```sh\ncat g.yaml; false\n```", "a: b"),
  ])
  func `a block that fails, and one that reads what is pasted behind it, is told`(
    text: String,
    says: String,
  ) async throws {
    let fault = await #expect(throws: TestFailure.self) {
      try await PastedPage(text).paste(leavingOut: [], server: "none", in: Scratch())
    }
    #expect(fault?.description.contains(says) == true, "\(String(describing: fault))")
  }
}
