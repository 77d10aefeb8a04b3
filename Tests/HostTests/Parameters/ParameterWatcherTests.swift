// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// The messages to a connection that watches parameters.
struct ParameterWatcherTests {
  private let gain = "/strip/a/gain"
  private let pan = "/strip/a/pan"

  private func watcher(_ paths: [String] = ["/strip"], echoes: Bool = false) -> ParameterWatcher {
    ParameterWatcher(
      paths: paths,
      echoes: echoes,
      values: [gain: .number(0), pan: .number(0), "/route/pa/gain": .number(0)],
    )
  }

  @Test func `it begins with the values of its branches`() {
    #expect(watcher().settings.map(\.path) == [gain, pan])
    #expect(watcher([pan]).settings == [ParameterSetting(path: pan, value: .number(0))])
  }

  @Test func `a page gets no levels`() {
    let values: [String: ParameterValue] = [gain: .number(0), "/strip/a/level": .numbers([-20])]
    var page = ParameterWatcher(
      paths: ["/"],
      echoes: false,
      leavesOutLevels: true,
      values: values,
    )
    #expect(page.settings.map(\.path) == [gain])
    let louder: [String: ParameterValue] = [gain: .number(0), "/strip/a/level": .numbers([-3])]
    #expect(page.changes(to: louder) == nil)
    var surface = ParameterWatcher(paths: ["/"], echoes: false, values: values)
    #expect(surface.changes(to: louder)?.changes.map(\.path) == ["/strip/a/level"])
  }

  @Test func `it gets the latest value of what has changed, once`() {
    var watcher = watcher()
    let now: [String: ParameterValue] = [gain: .number(-3), pan: .number(0)]
    let changes = watcher.changes(to: now)
    #expect(changes?.changes == [ParameterSetting(path: gain, value: .number(-3))])
    #expect(changes?.removed == [])
    #expect(watcher.changes(to: now) == nil)
  }

  @Test func `a new parameter is a change, and one that goes is told`() {
    var watcher = watcher()
    let changes = watcher.changes(to: [pan: .number(0), "/strip/b/gain": .number(1)])
    #expect(changes?.changes == [ParameterSetting(path: "/strip/b/gain", value: .number(1))])
    #expect(changes?.removed == [gain])
  }

  @Test func `its own value is not sent back, unless it asks for that`() {
    let own = ParameterSetting(path: gain, value: .number(-6))
    let now: [String: ParameterValue] = [gain: .number(-6), pan: .number(0)]
    var silent = watcher()
    silent.hasSet(own)
    #expect(silent.changes(to: now) == nil)
    var echoing = watcher(echoes: true)
    echoing.hasSet(own)
    #expect(echoing.changes(to: now)?.changes == [own])
  }

  @Test func `another value than its own is sent`() {
    var watcher = watcher()
    watcher.hasSet(ParameterSetting(path: gain, value: .number(-6)))
    let changes = watcher.changes(to: [gain: .number(-4), pan: .number(0)])
    #expect(changes?.changes == [ParameterSetting(path: gain, value: .number(-4))])
    // Its own setting of before counts no longer.
    #expect(watcher.changes(to: [gain: .number(-6), pan: .number(0)])?.changes.count == 1)
  }
}
