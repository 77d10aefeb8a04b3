// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Surfaces

@Suite
struct OSCQueryReplyTests {
  static let parameters = [
    ParameterDescription(
      path: "/strip/my%20deck/gain",
      type: .number,
      minimum: -.infinity,
      maximum: 24,
      unit: "dB",
      taper: .fader,
      access: .readWrite,
      description: "the strip's fader",
      value: .number(-.infinity),
    ),
    ParameterDescription(
      path: "/strip/my%20deck/mute",
      type: .flag,
      access: .readWrite,
      description: "whether the strip is muted",
      value: .flag(true),
    ),
    ParameterDescription(
      path: "/strip/my%20deck/level",
      type: .numbers,
      unit: "dB",
      access: .read,
      description: "the peak of each channel",
      value: .numbers([-6, -.infinity]),
    ),
    ParameterDescription(
      path: "/route/main/alignment",
      type: .text,
      choices: ["auto", "manual"],
      access: .readWrite,
      description: "how the route is delayed",
      value: .text("auto"),
    ),
  ]

  private func answer(_ target: String) throws -> (status: Int, body: String) {
    let request = try #require(WebRequest(target: target, peer: "127.0.0.1"))
    let response = OSCQueryReply.response(
      to: request,
      in: OSCQueryNamespace(Self.parameters),
      host: OSCQueryHostInfo(name: "dj"),
    )
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  @Test func `OQ-3 a gain has all its attributes, and silence is -144 dB`() throws {
    let answer = try answer("/strip/my%20deck/gain")
    #expect(answer.status == 200)
    #expect(
      answer.body == """
        {"ACCESS":3,"CLIPMODE":["both"],"CRITICAL":false,"DESCRIPTION":"the strip's fader",\
        "FULL_PATH":"/strip/my%20deck/gain",\
        "OVERLOADS":[{"RANGE":[{"MAX":24,"MIN":-144}],"TYPE":"d"},{"RANGE":[{"MAX":24,"MIN":-144}],"TYPE":"i"}],\
        "RANGE":[{"MAX":24,"MIN":-144}],"TAGS":["strip","gain"],"TYPE":"f","UNIT":["gain.db"],"VALUE":[-144]}
        """
    )
  }

  @Test(arguments: [
    ("/strip/my%20deck/mute?VALUE", #"{"VALUE":[true]}"#),
    ("/strip/my%20deck/mute?TYPE", #"{"TYPE":"T"}"#),
    ("/strip/my%20deck/mute?VALUE=1", #"{"VALUE":[true]}"#),
    ("/strip/my%20deck/fader?VALUE", #"{"VALUE":[0]}"#),
    ("/strip/my%20deck/fader?RANGE", #"{"RANGE":[{"MAX":1,"MIN":0}]}"#),
    ("/strip/my%20deck/level?VALUE", #"{"VALUE":[-6,-144]}"#),
    ("/strip/my%20deck/level?UNIT", #"{"UNIT":["gain.db","gain.db"]}"#),
    ("/strip/my%20deck/level?TYPE", #"{"TYPE":"ff"}"#),
    ("/strip/my%20deck/level?ACCESS", #"{"ACCESS":1}"#),
    ("/strip/my%2520deck/mute?VALUE", #"{"VALUE":[true]}"#),
    ("/route/main/alignment?RANGE", #"{"RANGE":[{"VALS":["auto","manual"]}]}"#),
    ("/strip?FULL_PATH", #"{"FULL_PATH":"/strip"}"#),
    ("/route/?TYPE", "{}"),
  ])
  func `OQ-1 an attribute is asked for by its name`(target: String, expected: String) throws {
    let answer = try answer(target)
    #expect(answer.status == 200)
    #expect(answer.body == expected)
  }

  @Test(arguments: [
    ("/nonsense", 404), ("/strip/my", 404), ("/strip/my%2", 404), ("//", 200), ("/?NONSENSE", 400),
    ("/?value", 400), ("/strip/my%20deck/mute?UNIT", 204), ("/strip/my%20deck/mute?CONTENTS", 204),
    ("/strip/my%20deck/level?CLIPMODE", 204), ("/", 200), ("/nonsense?HOST_INFO", 200),
  ])
  func `OQ-5 each kind of question has its status`(target: String, status: Int) throws {
    #expect(try answer(target).status == status)
  }

  @Test func `OQ-2 containers have contents, and methods have none`() throws {
    let body = try answer("/route").body
    #expect(body.hasPrefix(#"{"CONTENTS":{"main":{"CONTENTS":{"alignment":{"ACCESS":3,"#))
    #expect(body.hasSuffix(#""FULL_PATH":"/route/main"}},"FULL_PATH":"/route"}"#))
    #expect(body.split(separator: "CONTENTS").count == 3)
  }

  @Test(arguments: ["/?HOST_INFO", "/?HOST_INFO=1"])
  func `OQ-4 the host says its name and all it can do`(target: String) throws {
    #expect(
      try answer(target).body == """
        {"EXTENSIONS":{"ACCESS":true,"CLIPMODE":true,"CRITICAL":true,"DESCRIPTION":true,"EXTENDED_TYPE":true,\
        "LISTEN":true,"OVERLOADS":true,"PATH_ADDED":true,"PATH_CHANGED":true,"PATH_REMOVED":true,"RANGE":true,\
        "TAGS":true,"UNIT":true,"VALUE":true},"NAME":"dj","OSC_TRANSPORT":"UDP"}
        """
    )
  }

  @Test(arguments: [(nil, false), (9_000, false), (9_000, true)])
  func `OQ-4 another machine is told of the port for OSC, or of the way that it has`(
    port: Int?,
    isOpen: Bool
  ) throws {
    let response = OSCQueryReply.response(
      to: try #require(WebRequest(target: "/?HOST_INFO", peer: "192.168.1.7")),
      in: OSCQueryNamespace([]),
      host: OSCQueryHostInfo(name: "dj", oscPort: port, oscLAN: isOpen),
    )
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("\"OSC_PORT\":9000") == isOpen)
    #expect(text.contains("\"OSC_TRANSPORT\":\"UDP\"") == isOpen)
    #expect(text.contains("binary frames over the WebSocket") == !isOpen)
  }

  @Test func `a branch that comes or goes is told by its topmost address`() {
    let all = OSCQueryNamespace(Self.parameters)
    let some = OSCQueryNamespace(Self.parameters.filter { $0.path.hasSuffix("/mute") })
    #expect(
      all.topmostPaths(missingIn: some) == [
        "/route", "/strip/my%20deck/fader", "/strip/my%20deck/gain", "/strip/my%20deck/level",
      ]
    )
    #expect(some.topmostPaths(missingIn: all).isEmpty)
    #expect(all.topmostPaths(missingIn: OSCQueryNamespace([])) == ["/route", "/strip"])
  }
}
