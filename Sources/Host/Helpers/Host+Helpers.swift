// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import Glibc
internal import GraphFiles
internal import JACK
internal import Logging

extension Host {
  /// Makes the helpers of the graph's routes, once the server is known.
  func prepareHelpers() {
    let graph = configuration.graph
    for route in graph.routes {
      guard let helper = route.helper, helpers[route.name] == nil else { continue }
      let program = HelperProgram(
        helper,
        direction: route.direction,
        client: graph.helperClient(of: route),
        server: server.name,
      )
      var offReason: String?
      if case .device(let device) = helper, hardware.identity?.kind == .pipewire {
        offReason =
          "PipeWire drives the cards: no bridge is needed; name its ports instead of "
          + "'device: \(device.name)' ('multiroute devices' lists them)"
      }
      helpers[route.name] = RouteHelper(program: program, offReason: offReason)
      if let offReason {
        publish(
          .error,
          "route '\(route.name)': \(offReason)",
          details: ["route": .string(route.name)]
        )
      }
      hold(route.name, isHeld: helpers[route.name]?.isReady == false)
    }
  }

  /// Starts the helpers that are to run and do not, and kills those that run and do not live.
  func superviseHelpers() {
    let now = HostClock.nowNanoseconds()
    for route in helpers.keys
    where helpers[route]?.isDead(nowNanoseconds: now, isStopped: { Self.isStopped($0) == true }) == true {
      // A stopped client holds up the server, which waits for its word after each change of a connection:
      // nothing is patched elsewhere before it is gone.
      helpers[route]?.child?.send(SIGKILL)
    }
    for (route, helper) in helpers.sorted(by: { $0.key < $1.key })
    where helper.isDue(nowNanoseconds: now) {
      guard let path = helper.program.path else {
        let package = helper.program.package.map { "; install it with `apt install \($0)`" } ?? ""
        helperFailed(route, "\(helper.program.name) is not installed\(package)")
        continue
      }
      let started = start(helper.program, at: path, for: route)
      guard let child = started.child else {
        helperFailed(route, "\(path) cannot be started: error \(started.errno)")
        continue
      }
      helpers[route]?.started(child, nowNanoseconds: now)
      publish(
        .helper,
        "route '\(route)': \(helper.program.name) runs, pid \(child.pid)",
        details: [
          "route": .string(route), "state": .string("started"),
          "pid": .integer(Int64(child.pid)),
        ],
      )
    }
  }

  private func start(
    _ program: HelperProgram,
    at path: String,
    for route: String,
  ) -> (child: ChildProcess?, errno: Int32) {
    var log = logger
    log[metadataKey: "helper"] = .string(route)
    // Word by word in the order in which they come.
    let (words, continuation) = AsyncStream.makeStream(
      of: HelperWord.self,
      bufferingPolicy: .bufferingNewest(1024),
    )
    var onLine: (@Sendable (String) -> Void)?
    if program.kind == "device" { onLine = { continuation.yield(.line($0)) } }
    let started = ChildProcess.start(
      path: path,
      arguments: Array(program.words.dropFirst()),
      environment: ["JACK_DEFAULT_SERVER": server.name],
      logger: log,
      onLine: onLine,
      onExit: {
        continuation.yield(.ended($0))
        continuation.finish()
      },
    )
    guard started.child != nil, let run = helpers[route].map({ $0.run + 1 }) else { return started }
    Task { [weak self] in
      for await word in words { await self?.helperSaid(word, of: route, run: run) }
    }
    return started
  }

  private func helperSaid(_ word: HelperWord, of route: String, run: Int) {
    guard let helper = helpers[route], helper.child != nil, helper.run == run else { return }
    switch word {
    case .line(let line): helperSaid(line, of: route)
    case .ended(let exit): helperFailed(route, helper.reason(for: exit))
    }
  }

  /// Ends all helpers: the host ends.
  func endHelpers() async {
    let children = helpers.values.compactMap(\.child)
    helpers.removeAll()
    await Task.detached {
      for child in children { child.send(SIGTERM) }
      for child in children where !child.waitForExit(within: .seconds(2)) {
        child.send(SIGKILL)
        _ = child.waitForExit(within: .seconds(1))
      }
    }.value
  }

  private func helperFailed(_ route: String, _ reason: String) {
    let isNews = helpers[route]?.reason != reason || helpers[route]?.child != nil
    helpers[route]?.ended(reason, nowNanoseconds: HostClock.nowNanoseconds())
    hold(route, isHeld: helpers[route]?.isReady == false)
    guard isNews, phase != .stopped else { return }
    publish(
      .helper,
      "route '\(route)': \(reason); it is started again",
      details: [
        "route": .string(route), "state": .string("ended"), "reason": .string(reason),
      ],
    )
  }

  /// Takes in a line of a bridge.
  private func helperSaid(_ line: String, of route: String) {
    guard let said = try? JSONDecoder().decode(BridgeLine.self, from: Data(line.utf8)) else {
      return
    }
    switch said.type {
    case "status":
      guard let status = try? JSONDecoder().decode(BridgeStatus.self, from: Data(line.utf8)) else {
        return
      }
      let wasTimed = helpers[route]?.isTimed ?? false
      helpers[route]?.said(status)
      hold(route, isHeld: status.device != "open")
      if !wasTimed, status.delayMilliseconds != nil { alignRoutes() }
    case "event":
      publish(
        .helper,
        "route '\(route)': \(said.message ?? said.kind ?? "")",
        details: [
          "route": .string(route), "state": .string("event"),
          "event": .string(said.kind ?? ""),
        ],
      )
    default:
      // A kind of line that this version does not know.
      break
    }
  }

  /// Makes a route unavailable while its device is away, and available again.
  private func hold(_ route: String, isHeld: Bool) {
    let isChanged =
      isHeld ? heldRoutes.insert(route).inserted : heldRoutes.remove(route) != nil
    guard isChanged else { return }
    updatePlug(route)
  }
}

/// What a helper has to say.
private enum HelperWord: Sendable {
  /// A line of its standard output.
  case line(String)
  /// The last one.
  case ended(ServerProcess.Exit)
}

/// What every line of a bridge has.
private struct BridgeLine: Decodable {
  let type: String
  let kind: String?
  let message: String?
}
