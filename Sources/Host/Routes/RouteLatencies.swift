// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing

/// The latencies of the routes, and the alignment of the output routes.
///
/// Belongs to the control thread.
final class RouteLatencies {
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let control: Control
  private let helpers: RouteHelpers
  private var aligner: RouteAligner
  /// The rate of the server; 0 before the first.
  private var sampleRateHz = 0
  /// The latency of each route as it was last published, in frames.
  private var published: [String: UInt32] = [:]
  /// When the server told of the last change of its graph, on the clock and in cycles; nil where no reading is planned.
  private var changed: (nanoseconds: UInt64, cycle: UInt64)?
  /// The longest delay of a reading while the graph keeps changing.
  private static let longestWaitNanoseconds: UInt64 = 100_000_000
  /// The time in which further changes follow where a client starts.
  private static let burstNanoseconds: UInt64 = 10_000_000
  /// The pause between two looks at the count of cycles.
  private static let checkNanoseconds: UInt64 = 1_000_000

  /// Knows no latency yet.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - control: The services that all rooms share.
  ///   - helpers: The programs behind routes, which may have to time their cards first.
  init(graph: GraphRoom, control: Control, helpers: RouteHelpers) {
    inForce = graph
    self.control = control
    self.helpers = helpers
    aligner = RouteAligner(graph: graph.file)
  }

  /// Begins on a server.
  func begin(sampleRateHz: Int) {
    self.sampleRateHz = sampleRateHz
    aligner.forgetLatencies()
  }

  /// Goes over to the version in force.
  ///
  /// - Parameter names: The new names of routes, by the former ones.
  func take(renaming names: [String: String]) {
    published = Dictionary(published.map { (names[$0] ?? $0, $1) }) { first, _ in first }
    aligner.take(graph, renaming: names)
  }

  /// The alignment of a route: the last request's, or the graph's.
  func alignment(of route: GraphFile.Route) -> GraphFile.Route.Alignment {
    aligner.alignment(of: route)
  }

  /// The remaining error of a route in frames; nil for a free route or an unknown latency.
  func errorFrames(of route: String) -> Int? { aligner.errorFrames(of: route) }

  /// Delays the output routes as their latencies ask for now.
  ///
  /// A missing route counts with its last latency, so that other routes do not move when it goes or comes
  /// back.
  func align() {
    guard let attachment = control.attachment, sampleRateHz > 0 else { return }
    readLatencies(from: attachment)
    let changed = aligner.align(attachment.spec, sampleRateHz: Double(sampleRateHz))
    guard !changed.isEmpty else { return }
    do throws(ControlError) {
      try attachment.changeMix { mix throws(ControlError) in
        try mix.change { spec in
          for index in spec.routes.indices {
            if let outcome = changed[spec.routes[index].id] {
              spec.routes[index].delayFrames = outcome.delayFrames
            }
          }
        }
      }
    } catch {
      control.publish(.error(), "the routes cannot be aligned: \(error.message)")
      return
    }
    attachment.latencies.restate()
    for route in attachment.spec.routes.map(\.id) {
      if let outcome = changed[route] { publish(outcome, of: route) }
    }
  }

  /// Sets the alignment of an output route for the rest of this run.
  ///
  /// - Throws: `badValue` for a name that is no output route.
  func setAlignment(_ params: SetAlignment.Params) throws(ControlError) {
    let outputs = graph.outputRoutes.map(\.name)
    guard outputs.contains(params.route) else {
      throw .unknownRoute(params.route, known: outputs)
    }
    aligner.set(
      GraphFile.Route.Alignment(params.mode, delayMilliseconds: params.delayMilliseconds ?? 0),
      for: params.route,
    )
    align()
  }

  /// Keeps the latency of each output route with connections, whoever has made them; without any JACK gives none.
  private func readLatencies(from attachment: Attachment) {
    let connections = attachment.connections
    for route in graph.outputRoutes
    where !connections.isUnplugged(route.name)
      && connections.isConnected(connections.ownPorts(of: route))
    {
      // Until a bridge has timed its card, JACK knows of no latency.
      guard helpers.isTimed(route.name) else { continue }
      aligner.learn(Int(attachment.latencies.frames(of: route) ?? 0), of: route.name)
    }
  }

  private func publish(_ outcome: RouteAlignment.Outcome, of route: String) {
    control.publish(
      .alignment(
        EventPayload.Alignment(
          route: route,
          delayFrames: outcome.delayFrames,
          errorFrames: outcome.errorFrames,
        )
      ),
      "route '\(route)' is delayed by \(outcome.delayFrames) frames"
        + (outcome.errorFrames.map { "; remaining error \($0) frames" } ?? ""),
    )
  }

  // MARK: - Changes of the server's graph

  /// Reads the latencies once the server's graph stands still, aligns the routes, and publishes what has changed (HW-6).
  ///
  /// JACK works them out some time after their cause, such as another buffer size: whoever reads a latency at
  /// the event of that cause reads the old one. A thread that asks before the graph of the next cycle is in force is put to
  /// sleep for 1.1 periods (jackd2, `WaitGraphChange`), and the control thread would serve nobody meanwhile.
  func readSoon() {
    let isPlanned = changed != nil
    changed = (control.nowNanoseconds, control.attachment?.cycleCount ?? 0)
    guard !isPlanned else { return }
    let latest = control.nowNanoseconds + Self.longestWaitNanoseconds
    control.task { [weak self, control] in
      // Wall time: of the programs that change the graph, and between two looks at the count of cycles.
      while let wait = self?.nanosecondsUntilStill(atLatest: latest) {
        await control.sleep(.nanoseconds(wait))
      }
      self?.read()
    }
  }

  /// The time until the next look whether the graph stands still; nil where it does.
  private func nanosecondsUntilStill(atLatest latest: UInt64) -> UInt64? {
    guard let changed, let attachment = control.attachment else { return nil }
    let now = control.nowNanoseconds
    guard now < latest else { return nil }
    let still = min(changed.nanoseconds + Self.burstNanoseconds, latest)
    if now < still { return still - now }
    // The change is in force from the next cycle on. Another attachment begins to count anew, with a graph of its own.
    let cycles = attachment.cycleCount
    guard cycles >= changed.cycle, cycles < changed.cycle + 2 else { return nil }
    return min(Self.checkNanoseconds, latest - now)
  }

  private func read() {
    changed = nil
    guard let attachment = control.attachment else { return }
    if attachment.latencies.haveChainsChanged() { attachment.latencies.restate() }
    align()
    publish()
  }

  private func publish() {
    guard let attachment = control.attachment else { return }
    var changed: [String: UInt32] = [:]
    // Before a bridge has timed its card, JACK's latency of 0 means that it is unknown.
    for route in graph.routes where helpers.isTimed(route.name) {
      guard let frames = attachment.latencies.frames(of: route),
        published.updateValue(frames, forKey: route.name) != frames
      else { continue }
      changed[route.name] = frames
    }
    guard !changed.isEmpty else { return }
    let parts = changed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) frames" }
    control.publish(
      .latencyChanged(EventPayload.LatencyChanged(framesByRoute: changed)),
      "latency now: \(parts.joined(separator: ", "))",
    )
  }
}
