// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

/// Paths of parameters.
struct ParameterPathTests {
  @Test(arguments: [
    (["strip", "deck-a", "gain"], "/strip/deck-a/gain"),
    (["strip", "my deck", "gain"], "/strip/my%20deck/gain"),
    (["strip", "a/b#*,?[]{}%"], "/strip/a%2Fb%23%2A%2C%3F%5B%5D%7B%7D%25"),
    (["strip", "Плеер\n"], "/strip/%D0%9F%D0%BB%D0%B5%D0%B5%D1%80%0A"),
  ])
  func `a path has the names, and gives them back`(names: [String], path: String) {
    #expect(ParameterPath.path(names) == path)
    #expect(ParameterPath.names(path) == names)
  }

  @Test(arguments: [
    ("/strip/Плеер/gain", "/strip/%D0%9F%D0%BB%D0%B5%D0%B5%D1%80/gain"),
    ("/strip/%D0%9F%d0%bb%D0%B5%D0%B5%D1%80/gain", "/strip/%D0%9F%D0%BB%D0%B5%D0%B5%D1%80/gain"),
    ("/strip/Caf\u{E9}", "/strip/Caf%C3%A9"), ("/strip/Cafe\u{301}", "/strip/Caf%C3%A9"),
    ("/strip/Cafe%CC%81/", "/strip/Caf%C3%A9"), ("/strip/my deck", "/strip/my%20deck"),
    ("/strip/deck-a/gain", "/strip/deck-a/gain"), ("/strip/%2D", "/strip/-"), ("/", "/"), ("", "/"),
    // Paths without names stay.
    ("strip/a", "strip/a"), ("/strip/%2", "/strip/%2"), ("/strip//gain", "/strip//gain"),
  ])
  func `a path may be typed in many ways`(typed: String, path: String) {
    #expect(Array(ParameterPath.spelled(typed).utf8) == Array(path.utf8))
  }

  @Test(arguments: ["", "strip/a", "/", "//", "/strip//gain", "/strip/%2", "/strip/%zz", "/%FF"])
  func `a path that is none has no names`(path: String) {
    #expect(ParameterPath.names(path) == nil)
  }

  @Test func `a path lies on its branches, and on none that only begins alike`() {
    let branches = ["/strip/a/gain", "/strip/a", "/strip", "/"]
    #expect(ParameterPath.branches(of: "/strip/a/gain") == branches)
    #expect(!ParameterPath.branches(of: "/strip/ab/gain").contains("/strip/a"))
  }

  @Test(arguments: [("/", "/"), ("//", "/"), ("", "/"), ("/strip/a/", "/strip/a"), ("/a", "/a")])
  func `slashes at the end of a branch do not count`(path: String, branch: String) {
    #expect(ParameterPath.branch(path) == branch)
  }
}
