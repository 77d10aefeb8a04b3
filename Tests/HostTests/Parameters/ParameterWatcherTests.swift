// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// The messages to a connection that watches parameters.
struct ParameterWatcherTests {
  private let gain = "/strip/a/gain"
  private let pan = "/strip/a/pan"

  private let before: [String: ParameterValue] = [
    "/strip/a/gain": .number(0), "/strip/a/pan": .number(0), "/route/pa/gain": .number(0),
  ]

  private func watcher(_ paths: [String] = ["/strip"], echoes: Bool = false) -> ParameterWatcher {
    var watcher = ParameterWatcher(paths: paths, echoes: echoes)
    _ = watcher.settings(among: before)
    return watcher
  }

  /// The message of a watcher after some of the values have changed.
  private func changes(
    _ watcher: inout ParameterWatcher,
    _ changed: [String: ParameterValue],
    gone: String? = nil,
  ) -> ParameterChanges? {
    var now = before.merging(changed) { $1 }
    if let gone { now[gone] = nil }
    watcher.take(ParameterNews(from: before, to: now))
    return watcher.takeChanges()
  }

  @Test func `it begins with the values of its branches`() {
    var branch = ParameterWatcher(paths: ["/strip"], echoes: false)
    #expect(branch.settings(among: before).map(\.path) == [gain, pan])
    var one = ParameterWatcher(paths: [pan], echoes: false)
    #expect(one.settings(among: before) == [ParameterSetting(path: pan, value: .number(0))])
  }

  @Test func `it is told of a branch with another path, and goes on with that`() {
    let steps = [ParameterRename(from: "/strip/a", to: "/strip/z")]
    let after = steps.values(after: before)
    for paths in [["/"], ["/strip"], ["/strip/a"], ["/strip/a/gain"]] {
      var watcher = watcher(paths)
      watcher.rename(steps, now: after)
      #expect(watcher.takeChanges() == ParameterChanges(renamed: steps, changes: [], removed: []))
      let now = after.merging(["/strip/z/gain": .number(-3)]) { $1 }
      watcher.take(ParameterNews(from: after, to: now))
      #expect(watcher.takeChanges()?.changes.map(\.path) == ["/strip/z/gain"])
    }
    // A watcher of something else hears nothing of it.
    var other = watcher(["/route/pa", "/strip/ab", pan])
    other.rename(
      [ParameterRename(from: "/strip/b", to: "/strip/y")],
      now: before,
    )
    #expect(other.takeChanges() == nil)
  }

  @Test func `a path that it has waited for is told with its value when another gets that name`() {
    var watcher = watcher(["/strip/z/gain"])
    let steps = [ParameterRename(from: "/strip/a", to: "/strip/z")]
    watcher.rename(steps, now: steps.values(after: before))
    let changes = watcher.takeChanges()
    #expect(changes?.renamed == steps)
    #expect(changes?.changes == [ParameterSetting(path: "/strip/z/gain", value: .number(0))])
  }

  @Test func `its own setting is not told under another path either`() {
    var watcher = watcher()
    watcher.hasSet(ParameterSetting(path: gain, value: .number(-6)))
    watcher.hasBeenShown()
    let steps = [ParameterRename(from: "/strip/a", to: "/strip/z")]
    let after = steps.values(after: before)
    watcher.rename(steps, now: after)
    _ = watcher.takeChanges()
    watcher.take(
      ParameterNews(from: after, to: after.merging(["/strip/z/gain": .number(-6)]) { $1 })
    )
    #expect(watcher.takeChanges() == nil)
  }

  @Test func `without levels it gets only those whose own paths it names`() {
    let values: [String: ParameterValue] = [
      gain: .number(0), "/strip/a/level": .numbers([0]), "/route/pa/reduction": .numbers([-1]),
    ]
    var watcher = ParameterWatcher(
      paths: ["/", "/route/pa/reduction/"],
      echoes: false,
      hasLevels: false,
    )
    #expect(watcher.settings(among: values).map(\.path) == ["/route/pa/reduction", gain])
    #expect(watcher.watchesLevels)
    let later: [String: ParameterValue] = [
      gain: .number(0), "/strip/a/level": .numbers([-3]), "/route/pa/reduction": .numbers([-2]),
    ]
    watcher.take(ParameterNews(from: values, to: later))
    #expect(watcher.takeChanges()?.changes.map(\.path) == ["/route/pa/reduction"])
  }

  @Test func `it gets the latest value of what has changed, once`() {
    var watcher = watcher()
    watcher.take(ParameterNews(from: before, to: before.merging([gain: .number(-1)]) { $1 }))
    let changes = changes(&watcher, [gain: .number(-3)])
    #expect(changes?.changes == [ParameterSetting(path: gain, value: .number(-3))])
    #expect(changes?.removed == [])
    #expect(watcher.takeChanges() == nil)
  }

  @Test func `a new parameter is a change, and one that goes is told`() {
    var watcher = watcher()
    let changes = changes(&watcher, ["/strip/b/gain": .number(1)], gone: gain)
    #expect(changes?.changes == [ParameterSetting(path: "/strip/b/gain", value: .number(1))])
    #expect(changes?.removed == [gain])
  }

  @Test func `one that goes and comes again in between is a change`() {
    var watcher = watcher()
    let without: [String: ParameterValue] = [pan: .number(0), "/route/pa/gain": .number(0)]
    watcher.take(ParameterNews(from: before, to: without))
    watcher.take(ParameterNews(from: without, to: before))
    #expect(watcher.takeChanges()?.changes == [ParameterSetting(path: gain, value: .number(0))])
  }

  @Test func `its own value is not sent back, unless it asks for that`() {
    let own = ParameterSetting(path: gain, value: .number(-6))
    var silent = watcher()
    silent.hasSet(own)
    silent.hasBeenShown()
    #expect(changes(&silent, [gain: .number(-6)]) == nil)
    var echoing = watcher(echoes: true)
    echoing.hasSet(own)
    echoing.hasBeenShown()
    #expect(changes(&echoing, [gain: .number(-6)])?.changes == [own])
  }

  @Test func `another value than its own is sent`() {
    var watcher = watcher()
    watcher.hasSet(ParameterSetting(path: gain, value: .number(-6)))
    watcher.hasBeenShown()
    let changed = changes(&watcher, [gain: .number(-4)])
    #expect(changed?.changes == [ParameterSetting(path: gain, value: .number(-4))])
    // Its own setting of before counts no longer.
    #expect(changes(&watcher, [gain: .number(-6)])?.changes.count == 1)
  }
}
