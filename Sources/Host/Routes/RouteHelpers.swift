// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import Glibc
internal import JACK
internal import SystemSupport

/// The helper programs of the routes: starts each one, starts it again after its end, and kills one that hangs.
///
/// Belongs to the control thread.
final class RouteHelpers {
  /// A change of a route's helper.
  struct Change: Sendable, Equatable {
    let route: String
    /// Whether the route can be used now.
    let isReady: Bool
    /// Whether its bridge has just measured its card's latency for the first time in this run.
    let isFirstTiming: Bool
  }

  /// Starts a program for a route on a server; the reports may come from any thread.
  ///
  /// Throws ``HelperFailure`` where it cannot be started.
  typealias Start = (
    _ program: HelperProgram,
    _ route: String,
    _ server: String,
    _ report: @escaping @Sendable (HelperReport) -> Void
  ) throws(HelperFailure) -> any HelperProcess

  /// Called when a bridge reports its state, and when a helper has ended.
  var onChange: (Change) -> Void = { _ in }

  private let control: Control
  private let start: Start
  private var helpers: [String: RouteHelper] = [:]

  init(control: Control, start: @escaping Start) {
    self.control = control
    self.start = start
  }

  /// Whether a route has a helper.
  func has(_ route: String) -> Bool { helpers[route] != nil }

  /// The process of a route's helper; nil while it does not run.
  func process(of route: String) -> Int32? { helpers[route]?.process?.pid }

  /// Adds a route's helper; ``supervise(server:)`` starts it.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - route: The route's name.
  ///   - offReason: Why it is never started on this machine; nil if it can be.
  func add(_ program: HelperProgram, for route: String, offReason: String?) {
    helpers[route] = RouteHelper(program: program, offReason: offReason)
  }

  /// Whether a route's helper is ready; true without a helper.
  func isReady(_ route: String) -> Bool { helpers[route]?.isReady ?? true }

  /// Whether the latency of a route's helper is known, which a bridge measures; true without a helper.
  func isTimed(_ route: String) -> Bool { helpers[route]?.isTimed ?? true }

  /// A route's helper for `status`; nil without a helper.
  func status(of route: String, hasPorts: Bool) -> HelperStatus? {
    helpers[route]?.status(hasPorts: hasPorts)
  }

  /// Starts helpers that are due, and kills those that are stopped or silent for too long.
  func supervise(server: String) {
    let now = control.nowNanoseconds
    for route in helpers.keys where helpers[route]?.isHung(nowNanoseconds: now) == true {
      // A stopped client delays the server, which waits for its answer after each change of a connection, so
      // other patching waits until it is gone.
      helpers[route]?.process?.send(SIGKILL)
    }
    for (route, helper) in helpers.sorted(by: { $0.key < $1.key })
    where helper.isDue(nowNanoseconds: now) {
      let number = helper.starts + 1
      let handle = control.handle(to: self)
      do throws(HelperFailure) {
        let process = try start(helper.program, route, server) { report in
          handle { $0.take(report, from: route, start: number) }
        }
        helpers[route]?.started(process, nowNanoseconds: now)
        control.publish(
          .helper(.started(route, pid: process.pid)),
          "route '\(route)': \(helper.program.name) runs, pid \(process.pid)",
        )
      } catch {
        ended(route, error.reason)
      }
    }
  }

  /// Ends a route's helper, without waiting for it; ignored for a route without one.
  func remove(_ route: String) {
    guard let helper = helpers.removeValue(forKey: route) else { return }
    let processes = [helper.process].compactMap(\.self)
    control.task { await Self.end(processes) }
  }

  /// Ends all helpers; they have 2 s after SIGTERM.
  func end() async {
    let processes = helpers.values.compactMap(\.process)
    helpers.removeAll()
    await Self.end(processes)
  }

  private static func end(_ processes: [any HelperProcess]) async {
    guard !processes.isEmpty else { return }
    await BackgroundThread.value(name: "helpers-end") {
      for process in processes { process.send(SIGTERM) }
      for process in processes where !process.waitForExit(within: .seconds(2)) {
        process.send(SIGKILL)
        _ = process.waitForExit(within: .seconds(1))
      }
    }
  }

  /// Takes a report of a process; a late report of an earlier process is dropped.
  private func take(_ report: HelperReport, from route: String, start: Int) {
    guard let helper = helpers[route], helper.process != nil, helper.starts == start else { return }
    switch report {
    case .line(let line): read(line, from: route)
    case .ended(let exit): ended(route, helper.reason(for: exit))
    }
  }

  private func ended(_ route: String, _ reason: String) {
    guard let helper = helpers[route] else { return }
    let isNews = helper.process != nil || helper.lastEndReason != reason
    helpers[route]?.ended(reason, nowNanoseconds: control.nowNanoseconds)
    onChange(Change(route: route, isReady: isReady(route), isFirstTiming: false))
    if case .stopped = control.life { return }
    guard isNews else { return }
    control.publish(
      .helper(.ended(route, reason: reason)),
      "route '\(route)': \(reason); it is started again",
    )
  }

  /// Reads a line of a bridge: its state, twice a second, or an event.
  private func read(_ line: String, from route: String) {
    let data = Data(line.utf8)
    // A program may print lines of other kinds too.
    guard let said = try? JSONDecoder().decode(BridgeLine.self, from: data) else { return }
    switch said {
    case .status(let status):
      let wasTimed = isTimed(route)
      helpers[route]?.reported(status)
      onChange(
        Change(
          route: route,
          isReady: isReady(route),
          isFirstTiming: !wasTimed && isTimed(route),
        )
      )
    case .event(let kind, let message):
      control.publish(.helper(.event(route, event: kind)), "route '\(route)': \(message)")
    case .unknown: break
    }
  }
}

/// A running helper program.
protocol HelperProcess: AnyObject, Sendable {
  /// The process id. [any-thread]
  var pid: Int32 { get }
  /// Whether a signal has stopped it. [any-thread]
  var isStopped: Bool { get }
  /// Sends a signal; ignored after its end. [any-thread]
  func send(_ signal: Int32)
  /// Waits for its end; false if `limit` passes before. [any-thread]
  func waitForExit(within limit: Duration) -> Bool
}

/// A report of a helper program's process.
enum HelperReport: Sendable {
  /// A line of its standard output.
  case line(String)
  /// Its end, always the last report.
  case ended(ProcessExit)
}

/// The reason why a helper could not be started.
struct HelperFailure: Error, Equatable {
  let reason: String
}
