// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import Sessions

extension SessionRun {
  /// Interrupts the music on both paths: through the host by a session, and directly by disconnecting and
  /// muting.
  func interruptions() async throws(LabError) {
    let call = try await open(app: "call", class: .phone)
    let frames = settings.frames(milliseconds: settings.fadeMilliseconds + Self.patience)
    var isHostFirst = true
    try await repeating(settings.interruptions, "interruptions") { () throws(LabError) in
      readings.beginRound()
      // A B B A: what slows one half of a round is in both paths.
      if isHostFirst { try await interrupt(call, frames: frames) }
      try await cut(frames: frames)
      if !isHostFirst { try await interrupt(call, frames: frames) }
      isHostFirst.toggle()
    }
    _ = try await rig.client.ask(CloseSession.self, .init(session: call))
  }

  /// Interrupts the music that goes through the host, and lets it resume.
  private func interrupt(_ call: String, frames: Int) async throws(LabError) {
    let begin = try await rig.step(frames: frames) { () throws(LabError) in
      try await activate(call)
    }
    if let begin, let change = change(\.throughHost, in: begin) {
      let silence = change.toGainLinear == 0 ? change.end : begin.recording.channels[0].count
      let late = begin.microseconds(until: silence)
      readings.add("interruption", microseconds: late)
      readings.add(
        "interruptionBeyondFade",
        microseconds: late - Double(settings.fadeMilliseconds) * 1000
      )
      readings.add("interruptionFade", microseconds: microseconds(frames: change.frames))
      readings.add("interruptionAnswer", microseconds: Double(begin.answerNanoseconds) / 1000)
    }
    let end = try await rig.step(frames: frames) { () throws(LabError) in
      try await deactivate(call)
    }
    if let end, let change = change(\.throughHost, in: end) {
      readings.add("resume", microseconds: end.microseconds(until: change.end))
    }
    try await rig.waitUntilHeard(throughHost: 1)
  }

  /// Disconnects the music that goes straight to the speaker, then mutes it.
  private func cut(frames: Int) async throws(LabError) {
    let cut = try await rig.step(frames: frames) { () throws(LabError) in try rig.disconnect() }
    if let cut, let change = change({ $0.port(2) }, in: cut) {
      readings.add("disconnect", microseconds: cut.microseconds(until: change.end))
    }
    try rig.reconnect()
    try await LabError.sleep(.milliseconds(20))

    let muted = try await rig.step(frames: frames) { () throws(LabError) in rig.muteDirect(true) }
    if let muted, let change = change({ $0.port(2) }, in: muted) {
      readings.add("selfMute", microseconds: muted.microseconds(until: change.end))
    }
    rig.muteDirect(false)
    try await LabError.sleep(.milliseconds(20))
  }

  /// Lowers the music and gives it back.
  func ducks() async throws(LabError) {
    let prompt = try await open(app: "prompt", options: .duckOthers)
    try await repeating(settings.ducks, "ducks") { () throws(LabError) in
      let ramp = settings.frames(milliseconds: settings.duckMilliseconds + Self.patience)
      let down = try await rig.step(frames: ramp) { () throws(LabError) in
        try await activate(prompt)
      }
      if let down, let change = change(\.throughHost, in: down) {
        readings.add("duckStart", microseconds: down.microseconds(until: change.start))
        readings.add("duckRamp", microseconds: microseconds(frames: change.frames))
        readings.add("duckDepth", decibels: change.stepDB)
        readings.add(
          "duckStepPerPeriod",
          decibels: down.throughHost.steepestDB(withinFrames: settings.bufferFrames)
        )
      }
      let restore = settings.frames(milliseconds: settings.restoreMilliseconds + Self.patience)
      let up = try await rig.step(frames: restore) { () throws(LabError) in
        try await deactivate(prompt)
      }
      if let up, let change = change(\.throughHost, in: up) {
        readings.add("restoreStart", microseconds: up.microseconds(until: change.start))
        readings.add("restoreRamp", microseconds: microseconds(frames: change.frames))
        readings.add("restoreStep", decibels: change.stepDB)
      }
      try await rig.waitUntilHeard(throughHost: 1)
    }
    _ = try await rig.client.ask(CloseSession.self, .init(session: prompt))
  }

  /// Measures how soon an activation is answered when the session disturbs no other.
  func activations() async throws(LabError) {
    let game = try await open(app: "game", options: .mixWithOthers)
    try await repeating(settings.activations, "activations") { () throws(LabError) in
      let step = try await rig.step(frames: Self.answerFrames) { () throws(LabError) in
        try await activate(game)
      }
      if let step {
        readings.add("activation", microseconds: Double(step.answerNanoseconds) / 1000)
      }
      try await deactivate(game)
    }
    _ = try await rig.client.ask(CloseSession.self, .init(session: game))
  }

  /// Takes the headphones away and gives them back: the music moves to the room and back again.
  func routes() async throws(LabError) {
    let frames = settings.frames(milliseconds: Self.routePatience)
    try await repeating(settings.ducks, "routes") { () throws(LabError) in
      for (event, from, to) in [(Simulate.Event.unplug, 1, 0), (.plug, 0, 1)] {
        var params = Simulate.Params(event: event)
        params.route = "phones"
        let step = try await rig.step(frames: frames) { () throws(LabError) in
          _ = try await rig.client.ask(Simulate.self, params)
        }
        guard let step, let left = change({ $0.port(from) }, in: step),
          let joined = change({ $0.port(to) }, in: step)
        else { continue }
        let name = event.rawValue
        readings.add("\(name)Silence", microseconds: step.microseconds(until: left.end))
        readings.add("\(name)Sound", microseconds: step.microseconds(until: joined.start))
      }
    }
  }

  /// Kills the interrupting and the ducking program: how soon the music is back.
  func kills() async throws(LabError) {
    let gain = Self.gainLinear(decibels: Double(settings.duckDB))
    let frames = settings.frames(milliseconds: settings.restoreMilliseconds + Self.patience)
    try await repeating(settings.kills, "kills") { () throws(LabError) in
      for (name, arguments, level) in [
        ("killedInterrupter", ["--app", "call", "--class", "phone"], Float(0)),
        ("killedDucker", ["--app", "prompt", "--option", "duckOthers"], gain),
      ] {
        let holder = try rig.host.session(["hold", "--category", "playback"] + arguments)
        try await rig.waitUntilHeard(throughHost: level)
        let step = try await rig.step(frames: frames) { () throws(LabError) in holder.crash() }
        if let step, let change = change(\.throughHost, in: step) {
          readings.add("\(name)Start", microseconds: step.microseconds(until: change.start))
          readings.add("\(name)Back", microseconds: step.microseconds(until: change.end))
        }
        holder.stop()
        try await rig.waitUntilHeard(throughHost: 1)
      }
    }
  }

  private static func gainLinear(decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  /// Milliseconds to listen after the end of a ramp.
  private static let patience = 75
  /// Milliseconds to listen for a change of the route.
  private static let routePatience = 200
  /// Frames to record while a session is activated.
  private static let answerFrames = 1024
}
