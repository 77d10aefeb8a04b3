// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Host

/// The tree of parameters as a whole: complete, without doubles, and as the documentation has it.
struct ParameterTreeTests {
  /// The parameters through which each method of the socket that changes something can be expressed.
  ///
  /// An empty list stands for methods whose subjects are no values: they make and end things, or say who may do so.
  private static let parametersByMethod: [String: [String]] = [
    "setGain": ["/strip/*/gain", "/route/*/gain", "/strip/*/send/*/gain"],
    "setMute": ["/strip/*/mute", "/route/*/mute", "/strip/*/send/*/mute"],
    "setSolo": ["/strip/*/solo"],
    "setCue": ["/strip/*/cue"],
    "setPan": ["/strip/*/pan"],
    "setSend": ["/strip/*/send/*/gain"],
    "setCrossfader": ["/crossfader/position"],
    "fade": ["/strip/*/gain", "/route/*/gain", "/strip/*/send/*/gain"],
    "setInserts": ["/strip/*/wet", "/route/*/wet"],
    "setBypass": ["/strip/*/insert/*/bypass", "/route/*/insert/*/bypass"],
    "setAlignment": ["/route/*/alignment", "/route/*/delay"],
    "startRecording": ["/recorder/*/recording"],
    "stopRecording": ["/recorder/*/recording"],
    "setPermission": ["/permission/*"],
    "requestPermission": ["/permission/*"],
    "listPermissions": ["/permission/*"],
    "activateSession": ["/session/*/active"],
    "deactivateSession": ["/session/*/active"],
    "hello": [], "status": [], "subscribe": [], "unsubscribe": [], "stop": [], "why": [],
    "openSession": [], "configureSession": [], "closeSession": [], "session": [],
    "adjustSession": [], "setSessionPorts": [], "remoteCommand": [], "simulate": [],
    "saveScene": [], "deleteScene": [], "recallScene": ["/scene/current"],
    "listScenes": ["/scene/current", "/strip/*/safe"], "list": [], "get": [], "set": [],
    "watch": [],
  ]

  @Test(arguments: MethodRegistry.standard.names)
  func `no method changes what the tree lacks`(method: String) throws {
    let templates = try #require(Self.parametersByMethod[method], "which parameters has \(method)?")
    for template in templates {
      #expect(ParameterKind.all.contains { $0.template == template }, "\(template)")
    }
  }

  @Test func `each kind stands once, and its path leads to it alone`() {
    let templates = ParameterKind.all.map(\.template)
    #expect(Set(templates).count == templates.count)
    for kind in ParameterKind.all {
      let path = kind.path(["a b", "c/d"])
      let names = ParameterPath.names(path) ?? []
      #expect(ParameterKind.all.count { $0.names(in: names) != nil } == 1, "\(path)")
    }
  }

  @Test func `the documentation has a row for each kind, and no other rows`() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/parameters.md"))
    let rows = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("| `/") }.map(String.init)
    #expect(rows == ParameterKind.all.map(Self.row))
  }

  private static func row(_ kind: ParameterKind) -> String {
    let range = kind.range.map {
      "\(ParameterValue.number($0.lowerBound)) … \(number($0.upperBound))"
    }
    let cells = [
      "`\(kind.template)`", kind.type.rawValue, range ?? kind.choices.joined(separator: ", "),
      kind.unit ?? "", kind.write == nil ? "no" : "yes", kind.description,
    ]
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }

  private static func number(_ number: Double) -> String { "\(ParameterValue.number(number))" }
}
