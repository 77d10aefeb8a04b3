// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import ControlSocket
internal import FoundationEssentials
internal import GraphFiles
internal import Mixing
internal import SystemSupport

/// The recorders of the graph and of the control socket: starts, stops, and reports them.
///
/// Belongs to the control thread.
final class RecordingRoom {
  /// The most recorders that run at once; each keeps seconds of audio in memory.
  static let runningLimit = 64
  /// The most recorders that are known, running or not.
  static let knownLimit = 256

  private let control: Control
  private let plans: [GraphFile.Recorder]
  private var recorders: [HostRecorder] = []
  private var isPrepared = false

  /// Makes a room without recorders; ``prepare(_:sampleRateHz:)`` adds those of the graph.
  ///
  /// - Parameters:
  ///   - plans: The recorders of the graph.
  ///   - control: The services that all rooms share.
  init(plans: [GraphFile.Recorder], control: Control) {
    self.plans = plans
    self.control = control
  }

  /// The running recordings, for the audio thread.
  var taps: [RecordingTap] {
    recorders.compactMap { entry in
      entry.recording.map { RecordingTap(subject: entry.plan.subject, recorder: $0) }
    }
  }

  /// The recorders in the order of their creation, for `status`.
  var statuses: [RecorderStatus] { recorders.map(\.status) }

  /// Starts the recorders that record from the host's start, and begins a new file for each recording when the
  /// rate has changed.
  ///
  /// Called before the ports are made, so that the very first cycle is recorded.
  ///
  /// - Parameters:
  ///   - spec: The mix that the ports will have.
  ///   - sampleRateHz: The server's rate.
  func prepare(_ spec: MixSpec, sampleRateHz: Double) {
    let isFirst = !isPrepared
    if isFirst { recorders = plans.map { HostRecorder(plan: $0) } }
    isPrepared = true
    for index in recorders.indices {
      let entry = recorders[index]
      if let running = entry.recording {
        guard running.sampleRateHz != sampleRateHz else { continue }
        // A file has only one sample rate.
        recorders[index].ended(running.finish())
      } else {
        guard isFirst, entry.plan.startsWithHost else { continue }
      }
      do throws(ControlError) {
        try checkCount(isKnown: true)
        recorders[index].recording = try begin(entry, of: spec, sampleRateHz: sampleRateHz)
      } catch {
        control.publish(
          .error(EventPayload.Failure(recorder: entry.plan.name)),
          "recorder '\(entry.plan.name)' does not record: \(error.message)",
        )
      }
    }
  }

  /// The strip or route that a request would record; nil where it names none.
  func subject(of params: StartRecording.Params) -> String? {
    params.from ?? recorders.first { $0.plan.name == params.recorder }?.plan.subject
  }

  /// Starts a recorder: a known one, or a new one that the request describes.
  ///
  /// - Throws: `notReady` without a server, else the refusal; the recorders stay unchanged then.
  func start(
    _ params: StartRecording.Params,
    sampleRateHz: Double,
  ) throws(ControlError) -> RecorderStatus {
    guard let attachment = control.attachment else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server now")
    }
    let known = recorders.firstIndex { $0.plan.name == params.recorder }
    guard known.map({ recorders[$0].recording == nil }) ?? true else {
      throw ControlError(
        .refused,
        place: "recorder",
        fault: "'\(params.recorder)' is recording already",
        allowed: "one that does not record, or a new name",
      )
    }
    try checkCount(isKnown: known != nil)
    var entry = try recorder(for: params, known: known.map { recorders[$0] })
    entry.recording = try begin(entry, of: attachment.spec, sampleRateHz: sampleRateHz)
    // A new recorder is kept only once it records, so that a refusal leaves no trace.
    if let known { recorders[known] = entry } else { recorders.append(entry) }
    applyTaps()
    return entry.status
  }

  private func checkCount(isKnown: Bool) throws(ControlError) {
    let running = recorders.count { $0.recording != nil }
    guard running < Self.runningLimit else {
      throw ControlError(
        .refused,
        place: "recorder",
        fault: "\(running) recorders are running",
        allowed: "\(Self.runningLimit) at once; stop one of them",
      )
    }
    guard isKnown || recorders.count < Self.knownLimit else {
      throw ControlError(
        .refused,
        place: "recorder",
        fault: "there are \(recorders.count) recorders",
        allowed: "\(Self.knownLimit); use the name of one of them",
      )
    }
  }

  /// Stops a recorder, and returns once its file is closed.
  ///
  /// - Throws: `badValue` if this recorder is not recording; `refused` if another request stopped it in the
  ///   meantime.
  func stop(_ params: StopRecording.Params) async throws(ControlError) -> RecorderStatus {
    let name = params.recorder
    guard let recording = recorders.first(where: { $0.plan.name == name })?.recording else {
      let running = recorders.filter { $0.recording != nil }.map(\.plan.name)
      throw ControlError(
        .badValue,
        place: "recorder",
        fault: "no recorder '\(name)' is recording",
        allowed: running.isEmpty ? "nothing is recording" : running.joined(separator: ", "),
      )
    }
    // The disk may be slow, so the control thread does not wait for it.
    let status = await BackgroundThread.value(name: "recorder-end") { recording.finish() }
    guard let index = recorders.firstIndex(where: { $0.recording === recording }) else {
      throw ControlError(.refused, message: "recorder '\(name)' has been stopped meanwhile")
    }
    recorders[index].ended(status)
    applyTaps()
    return recorders[index].status
  }

  // MARK: - Versions of the graph

  /// Goes over to the recorders of another version: those that are gone or changed close their files, and new ones that record
  /// from the host's start begin now.
  ///
  /// - Parameters:
  ///   - next: Its recorders.
  ///   - before: The recorders of the version before.
  ///   - rateHz: The server's rate.
  func take(
    _ next: [GraphFile.Recorder],
    insteadOf before: [GraphFile.Recorder],
    rateHz: Int,
  ) {
    guard let spec = control.attachment?.spec else { return }
    let names = Set(next.map(\.name))
    var others = recorders.filter { entry in
      !names.contains(entry.plan.name) && !before.contains { $0.name == entry.plan.name }
    }
    var ended = recorders.filter { entry in
      !next.contains(entry.plan) && !others.contains { $0.plan.name == entry.plan.name }
    }
    var started: Set<String> = []
    let ofGraph = next.map { plan in
      guard let kept = recorders.first(where: { $0.plan == plan }) else {
        if plan.startsWithHost { started.insert(plan.name) }
        return HostRecorder(plan: plan)
      }
      return kept
    }
    recorders = ofGraph
    // A file has only one number of channels.
    for index in recorders.indices where !recorders[index].fits(spec) {
      ended.append(recorders[index])
      recorders[index] = HostRecorder(plan: recorders[index].plan)
      started.insert(recorders[index].plan.name)
    }
    for entry in others where !entry.fits(spec) { ended.append(entry) }
    others.removeAll { !$0.fits(spec) }
    recorders += others
    for index in recorders.indices where started.contains(recorders[index].plan.name) {
      do throws(ControlError) {
        try checkCount(isKnown: true)
        recorders[index].recording = try begin(
          recorders[index],
          of: spec,
          sampleRateHz: Double(rateHz),
        )
      } catch {
        control.publish(
          .error(EventPayload.Failure(recorder: recorders[index].plan.name)),
          "recorder '\(recorders[index].plan.name)' does not record: \(error.message)",
        )
      }
    }
    guard !ended.isEmpty || !started.isEmpty else { return }
    applyTaps()
    let recordings = ended.compactMap(\.recording)
    // The disk may be slow. If the system has no thread, they close as they are released.
    _ = BackgroundThread.start(name: "recorder-end") {
      for recording in recordings { recording.finish() }
    }
  }

  /// Gives strips and routes other names.
  func rename(_ names: [String: String]) {
    for index in recorders.indices { recorders[index].rename(names) }
  }

  /// Closes all files, because the host ends.
  func end() async {
    let running = recorders.compactMap(\.recording)
    guard !running.isEmpty else { return }
    await BackgroundThread.value(name: "recorder-end") {
      for recording in running { recording.finish() }
    }
  }

  /// Gives the audio thread the running recordings.
  private func applyTaps() {
    guard let attachment = control.attachment else { return }
    do throws(MixError) {
      try attachment.record(taps)
    } catch {
      control.publish(.error(), "the recorders cannot be connected: \(error)")
    }
  }

  /// The recorder to start: a known one, or a new one that the request describes.
  private func recorder(
    for params: StartRecording.Params,
    known: HostRecorder?,
  ) throws(ControlError) -> HostRecorder {
    guard params.from != nil || params.file != nil else {
      if let known { return known }
      throw ControlError(
        .badValue,
        place: "recorder",
        fault: "there is no recorder '\(params.recorder)'",
        allowed: (recorders.map(\.plan.name) + ["a new one with a source and a file"])
          .joined(separator: ", "),
      )
    }
    guard let plan = try params.plan() else {
      throw ControlError(
        .invalidParams,
        place: params.from == nil ? "from" : "file",
        fault: "it is missing for a new recorder",
        allowed: "both from and file",
      )
    }
    return HostRecorder(plan: plan)
  }

  private func begin(
    _ entry: HostRecorder,
    of spec: MixSpec,
    sampleRateHz: Double,
  ) throws(ControlError) -> FileRecorder {
    let subject = entry.plan.subject
    let channels =
      spec.routes.first { $0.id == subject }?.channels
      ?? spec.strips.first { $0.id == subject }?.channels
    guard let channels else {
      throw .unknownStrip(subject, known: spec.routes.map(\.id) + spec.strips.map(\.id))
    }
    let settings = try entry.settings(channels: channels, sampleRateHz: sampleRateHz)
    let name = entry.plan.name
    let room = control.handle(to: self)
    do throws(AudioFileError) {
      try AudioFileWriter.checkPlace(of: entry.plan.resolvedPath)
      makeFolder(of: entry.plan.resolvedPath)
      return try FileRecorder(path: entry.plan.resolvedPath, settings: settings) { event in
        room { $0.publish(event, of: name) }
      }
    } catch {
      throw ControlError(.badValue, message: "\(error)")
    }
  }

  /// Makes the folder of a file if it is missing; a failure shows when the file is made.
  private func makeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try? FileManager.default.createDirectory(
      atPath: String(path[..<slash]),
      withIntermediateDirectories: true,
    )
  }

  private func publish(_ event: FileRecorderEvent, of recorder: String) {
    let report: EventPayload.Recording
    let message: String
    switch event {
    case .began(let path):
      report = EventPayload.Recording(recorder: recorder, state: .began, file: path)
      message = "records to \(path)"
    case .finished(let path, let frames):
      report = EventPayload.Recording(
        recorder: recorder,
        state: .finished,
        file: path,
        frames: Int(frames),
      )
      message = "has finished \(path), \(frames) frames"
    case .failed(let error):
      report = EventPayload.Recording(
        recorder: recorder,
        state: .failed,
        file: error.path,
        fault: error.code.description,
      )
      message = "cannot write, and tries again: \(error)"
    case .lost(let frames):
      report = EventPayload.Recording(recorder: recorder, state: .lost, frames: Int(frames))
      message = "has lost \(frames) frames"
    }
    control.publish(.recording(report), "recorder '\(recorder)' \(message)")
  }
}

extension Host {
  /// Adds the requests on recorders. [any-thread]
  nonisolated func registerRecording(on router: ControlRouter) -> ControlRouter {
    router
      .on(StartRecording.self) { params, connection throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.startRecording(params, for: connection)
        }
      }
      .on(StopRecording.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try await rooms.recording.stop(params) }
      }
  }
}
