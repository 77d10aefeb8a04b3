// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Host

/// The tree of parameters as a whole: complete, without doubles, and as the documentation has it.
struct ParameterTreeTests {
  /// The parameters that each method of the socket reads or changes.
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
    "chooseRoute": ["/session/*/route"],
    "simulate": [
      "/simulate/silentSwitch", "/simulate/lock", "/simulate/microphoneMute",
      "/simulate/interruption/*", "/simulate/unplug/*",
    ],
    "why": ["/strip/*/why"], "recallScene": ["/scene/current"],
    "listScenes": ["/scene/current", "/strip/*/safe"],
    "status": [
      "/hardware/sampleRate", "/hardware/ioBufferFrames", "/hardware/xruns", "/hardware/load",
    ],
  ]

  /// The methods that have nothing to do with a parameter, each with the reason.
  private static let reasons: [String: String] = [
    "hello": "a connection's role; a surface has one from the host",
    "subscribe": "events are not values; surfaces get them all",
    "unsubscribe": "as subscribe",
    "stop": "the end of the host is no state of it",
    "openSession": "makes a session, with its program's own choices",
    "closeSession": "ends a session",
    "configureSession": "its program's own choices, several at once and checked together",
    "adjustSession": "its program's own choices; a user mutes the session's strip",
    "session": "reads those choices",
    "listGraphEdits": "reads what is in the tree already",
    "apply": "gives the host another graph, and with it another tree",
    "setSessionPorts": "makes or ends a strip",
    "remoteCommand": "a command to another program, not a value",
    "saveScene": "makes a scene",
    "deleteScene": "ends a scene",
    "list": "the tree itself", "get": "the tree itself", "set": "the tree itself",
    "watch": "the tree itself",
    "controllers": "lists devices",
    "learn": "maps a control, whose moves set parameters",
    "listPatch": "JACK's ports and connections, which are not the host's alone",
    "connect": "a user's hand at JACK's ports",
    "disconnect": "as connect",
    "listWebTokens": "keys to the page, which are no part of the mix",
    "makeWebToken": "as listWebTokens",
    "revokeWebToken": "as listWebTokens",
  ]

  @Test(arguments: MethodRegistry.standard.names)
  func `no method has a value that the tree lacks`(method: String) throws {
    guard Self.reasons[method] == nil else {
      #expect(Self.parametersByMethod[method] == nil)
      return
    }
    let templates = try #require(Self.parametersByMethod[method], "which parameters has \(method)?")
    #expect(!templates.isEmpty)
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
