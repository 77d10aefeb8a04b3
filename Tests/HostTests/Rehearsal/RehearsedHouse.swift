// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import GraphFiles
import Sessions
import TestSupport

@testable import Host

/// One session of a host or of a rehearsal, as both must have it.
struct HeardSession: Hashable, CustomStringConvertible {
  let id: String
  let isActive: Bool
  let isSounding: Bool
  let interruptedBy: String?
  let duckedBy: [String]
  let duckGainDB: Double

  var description: String {
    "\(id)\(isActive ? " active" : "")\(isSounding ? " sounding" : "") by \(interruptedBy ?? "-") \(duckedBy) \(duckGainDB)"
  }

  /// A session of a host, whose rules let it sound or do not.
  init(_ status: SessionStatus, isSounding: Bool) {
    id = status.id
    isActive = status.active
    self.isSounding = isSounding
    interruptedBy = status.interruptedBy?.description
    duckedBy = status.duckedBy
    duckGainDB = status.duckGainDB
  }

  init(_ standing: Standing, isSounding: Bool) {
    id = standing.name
    isActive = standing.isActive
    self.isSounding = isSounding
    interruptedBy = standing.interruptedBy.first.map {
      switch $0 {
      case .session: standing.interruptedByNames.first ?? "?"
      case .simulated(let priorityClass): "simulated \(priorityClass.name)"
      case .background: "background"
      case .microphoneMute: "muted microphone"
      case .routeDisconnect: "lost route"
      }
    }
    duckedBy = standing.duckedBy.map { [$0] } ?? []
    duckGainDB = standing.duckGainDB
  }
}

extension House {
  /// The sessions of the host; one that its rules let through sounds, whether it has a signal or not.
  var heard: [HeardSession] {
    get async {
      let sounding = await host.run { rooms in
        Set(
          rooms.sessions.state.sessions.filter(\.isSounding).map { rooms.sessions.name(of: $0.id) }
        )
      }
      return await status.sessions.map { HeardSession($0, isSounding: sounding.contains($0.id)) }
    }
  }
}

extension Rehearser {
  /// The sessions that a host with this policy has.
  var heard: [HeardSession] {
    let sounding = Set(state.sessions.filter(\.isSounding).map { name(of: $0.id) })
    return standings.filter { $0.state != .leftAlone }
      .map { HeardSession($0, isSounding: sounding.contains($0.name)) }
  }
}

/// The lines that a host appends to its event log, as they come.
struct GrowingLog {
  let path: String
  private var offset: UInt64 = 0

  init(path: String) { self.path = path }

  /// The complete lines since the last call.
  mutating func lines() throws -> [String] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seek(toOffset: offset)
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let whole = text[..<(text.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex)]
    offset += UInt64(whole.utf8.count)
    return whole.split(separator: "\n").map(String.init)
  }
}

/// Steps of programs and users on a house, the same for the same seed.
struct RandomSteps {
  static let clients = ["mpv", "voice", "call-1", "show"]
  static let apps = ["game", "radio", "bell", "phone"]

  private var random: SeededRandom
  private var present: Set<String> = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private mutating func pick<Value>(_ list: [Value]) -> Value {
    list[Int(random.next() >> 33) % list.count]
  }

  /// One step: a client's coming or going, or a request with its parameters.
  enum Step {
    case appear(String)
    case vanish(String)
    case request(String, String)
  }

  /// The next step.
  mutating func next() -> Step {
    let app = pick(Self.apps)
    let isOn = pick([true, false])
    switch pick(Array(0..<20)) {
    case 0..<4:
      let client = pick(Self.clients)
      return present.insert(client).inserted
        ? .appear(client) : .vanish(present.remove(client) ?? client)
    case 4..<8: return open(app)
    case 8..<12: return .request("activateSession", #"{"session":"\#(app)"}"#)
    case 12:
      return .request("deactivateSession", #"{"session":"\#(app)","notifyOthers":\#(isOn)}"#)
    case 13: return .request("closeSession", #"{"session":"\#(app)"}"#)
    case 14, 15: return .request("adjustSession", #"{"session":"\#(app)","ioRunning":\#(isOn)}"#)
    default: return simulate(app, isOn)
    }
  }

  private mutating func open(_ app: String) -> Step {
    let category = pick(["playback", "playback", "ambient", "soloAmbient", "playAndRecord"])
    let options =
      category.hasPrefix("play") ? pick([#"[]"#, #"["mixWithOthers"]"#, #"["duckOthers"]"#]) : "[]"
    let priorityClass = ["bell": "alarm", "phone": "phone"][app] ?? "app"
    return .request(
      "openSession",
      #"{"app":"\#(app)","category":"\#(category)","options":\#(options),"priorityClass":"\#(priorityClass)"}"#,
    )
  }

  private mutating func simulate(_ app: String, _ isOn: Bool) -> Step {
    let kind = pick([
      "interruptionBegin", "interruptionEnd", "callRing", "callAnswer", "callDecline", "callEnd",
      "silentSwitch", "lock", "microphoneMute", "background", "foreground",
    ])
    let priorityClass = pick(["phone", "alarm", "assistant"])
    let name = kind == "foreground" && isOn ? "" : #","app":"\#(app)""#
    return .request(
      "simulate",
      #"{"event":"\#(kind)","on":\#(isOn),"priorityClass":"\#(priorityClass)","shouldResume":\#(isOn)\#(name)}"#,
    )
  }
}
