// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Mixing
internal import Realtime

/// The users' changes to the mix: requests, fades, and the mix's part of the status.
///
/// The mix itself lives in the attachment, and in its remains. Belongs to the control thread.
final class MixRoom {
  /// An event of the engine that concerns another room.
  enum Happening {
    /// A strip is silent from this frame on.
    case gateClosed(strip: String, firstSilentFrame: UInt64)
  }

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let stateChanged: () -> Void
  private let rerouted: () -> Void

  /// Makes the room of a graph's mix.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - stateChanged: Called when state that outlives the host has changed.
  ///   - rerouted: Called when signal paths have changed.
  init(
    control: Control,
    graph: GraphRoom,
    stateChanged: @escaping () -> Void,
    rerouted: @escaping () -> Void,
  ) {
    self.control = control
    inForce = graph
    self.stateChanged = stateChanged
    self.rerouted = rerouted
  }

  // MARK: - Requests

  /// Changes the mix, and publishes the change.
  ///
  /// - Parameters:
  ///   - params: The request; the event's details.
  ///   - isRerouting: Whether signal paths change, and with them latencies.
  ///   - body: The change.
  /// - Returns: The frame at which the change was handed to the audio thread.
  /// - Throws: `notReady` before the first attachment, or the refusal of the change.
  func change(
    _ params: some MixParams,
    isRerouting: Bool = false,
    _ body: (inout MixControl) throws(ControlError) -> Void,
  ) throws(ControlError) -> Applied {
    try control.changeMix(body)
    if isRerouting {
      control.attachment?.latencies.restate()
      rerouted()
    }
    control.publish(.mixChanged(params.change), "the mix has changed")
    stateChanged()
    return Applied(frame: control.attachment?.frame)
  }

  /// Starts a fade of a strip, a route or a send.
  ///
  /// - Throws: `notReady` before the first attachment, or the unknown name.
  func startFade(
    _ params: StartFade.Params
  ) throws(ControlError) -> StartFade.Result {
    let fade = try control.changeMix { mix throws(ControlError) in
      try mix.startFade(
        params.target,
        decibels: params.gainDB,
        seconds: params.durationMilliseconds / 1000,
      )
    }
    stateChanged()
    return StartFade.Result(
      fade: UInt64(fade.number),
      fromGainDB: fade.fromDB,
      frame: control.attachment?.frame,
    )
  }

  /// Refuses a strip, route or send that does not exist.
  ///
  /// - Throws: `notReady` before the first attachment, or the unknown name with the known ones.
  func check(_ target: MixTarget) throws(ControlError) {
    try control.changeMix { mix throws(ControlError) in _ = try mix.gainDB(of: target) }
  }

  // MARK: - The engine

  /// Takes the engine's events: frees memory that the engine has left, and publishes the ends of fades and the
  /// crossfader's position, where a controller has moved it.
  ///
  /// - Returns: The events that concern other rooms.
  func collect() -> [Happening] {
    guard let attachment = control.attachment else { return [] }
    var position: (value: Double, frame: UInt64)?
    defer { if let position { publishCrossfader(at: position.value, frame: position.frame) } }
    return attachment.collect().compactMap { event in
      switch event {
      case .crossfaderMoved(let value, let frame):
        position = (value, frame)
        return nil
      case .rampFinished(let number, let frame):
        publishEnd(ofFade: number, frame: frame, on: attachment)
        return nil
      case .gateClosed(let strip, let firstSilentFrame, _):
        return .gateClosed(strip: strip, firstSilentFrame: firstSilentFrame)
      case .gateOpened, .planAdopted: return nil
      }
    }
  }

  private func publishCrossfader(at position: Double, frame: UInt64) {
    let params = SetCrossfader.Params(position: position)
    control.publish(.mixChanged(params.change), "the mix has changed", frame: frame)
    stateChanged()
  }

  private func publishEnd(ofFade number: UInt32, frame: UInt64, on attachment: Attachment) {
    guard let target = attachment.changeMix({ $0.finishFade(number) }) else { return }
    let gainDB = try? attachment.changeMix { mix throws(ControlError) in
      try mix.gainDB(of: target)
    }
    control.publish(
      .fadeFinished(.init(fade: UInt64(number), of: target, gainDB: gainDB)),
      "the fade of \(Self.describe(target)) has ended",
      frame: frame,
    )
  }

  private static func describe(_ target: MixTarget) -> String {
    switch target {
    case .strip(let strip): "strip '\(strip)'"
    case .route(let route): "route '\(route)'"
    case .send(let strip, let route): "the send from '\(strip)' to '\(route)'"
    }
  }

  // MARK: - Status

  /// The strips in the order of the mix.
  ///
  /// - Parameter faults: The samples of a strip that were no sound.
  /// - Returns: A status for each.
  func stripStatuses(faults: (_ strip: String) -> InputFaultStatus?) -> [StripStatus] {
    (control.mixEngine?.spec.strips ?? []).map { strip in
      StripStatus(
        id: strip.id,
        source: graph.source(named: strip.id).map(Self.describe) ?? "",
        gainDB: strip.faderDB,
        muted: strip.isMuted,
        solo: strip.isSoloed,
        cue: strip.isCued,
        pan: strip.pan ?? 0,
        crossfaderSide: CrossfaderSide(rawValue: strip.crossfaderSide.rawValue),
        meter: MeterTap(strip.meterTap),
        faults: faults(strip.id),
      )
    }
  }

  /// The sends, with their cells where they have a matrix.
  var sendStatuses: [SendStatus] {
    (control.mixEngine?.spec.sends ?? []).map { send in
      let cells = (send.matrix ?? []).enumerated().flatMap { row, gains in
        gains.enumerated().filter { $0.element != 0 }.map { column, gain in
          SendStatus.Cell(
            stripChannel: column + 1,
            routeChannel: row + 1,
            gainDB: Decibels.decibels(fromLinear: abs(gain)),
          )
        }
      }
      return SendStatus(
        strip: send.strip,
        route: send.route,
        gainDB: send.gainDB,
        muted: send.isMuted,
        cells: cells,
      )
    }
  }

  /// The crossfader; nil where no strip is on it.
  var crossfaderStatus: CrossfaderStatus? {
    guard let spec = control.mixEngine?.spec,
      spec.strips.contains(where: { $0.crossfaderSide != .none })
    else { return nil }
    return CrossfaderStatus(
      position: spec.crossfader.position,
      curve: spec.crossfader.curve.rawValue,
    )
  }

  private static func describe(_ source: GraphFile.Source) -> String {
    switch source.kind {
    case .file(let file): "file \(file.path)"
    case .tone(let tone): "tone \(tone.wave.rawValue) \(tone.frequencyHz) Hz"
    case .inputRoute(let route): "input route \(route)"
    case .systemInput: "system input"
    case .node(let use): "node \(use.name)"
    case .ports(let selectors): "ports " + selectors.map(\.description).joined(separator: " ")
    }
  }
}

extension Control {
  /// Changes the mix, also while the server is away.
  ///
  /// - Throws: `notReady` before the first attachment, or what `body` throws.
  func changeMix<Result>(
    _ body: (inout MixControl) throws(ControlError) -> Result
  ) throws(ControlError) -> Result {
    switch life {
    case .running(let attachment): return try attachment.changeMix(body)
    case .starting(var remains?):
      let result = try body(&remains.mix)
      life = .starting(remains)
      return result
    case .lost(var remains):
      let result = try body(&remains.mix)
      life = .lost(remains)
      return result
    case .starting(nil), .stopped: throw .notAttachedYet
    }
  }
}
