// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import FoundationEssentials
internal import GraphFiles
internal import Mixing

extension Host {
  /// The recordings that run, for the audio thread.
  var recordingTaps: [RecordingTap] {
    recorders.compactMap { entry in
      entry.recording.map { RecordingTap(subject: entry.plan.subject, recorder: $0) }
    }
  }

  /// Starts what the graph records from the start on, and begins anew what ran at another rate.
  ///
  /// Before the ports are made, so that the very first cycle is recorded.
  func prepareRecorders(_ spec: MixSpec, sampleRateHz: Double) {
    let isFirst = recorders.isEmpty
    if isFirst { recorders = configuration.graph.recorders.map { HostRecorder(plan: $0) } }
    for index in recorders.indices {
      let entry = recorders[index]
      if let running = entry.recording {
        guard running.sampleRateHz != sampleRateHz else { continue }
        // A file has one rate.
        recorders[index].ended(running.finish())
      } else {
        guard isFirst, entry.plan.startsWithHost else { continue }
      }
      do throws(ControlError) {
        recorders[index].recording = try begin(entry, of: spec, sampleRateHz: sampleRateHz)
      } catch {
        publish(
          .error,
          "recorder '\(entry.plan.name)' does not record: \(error.message)",
          details: ["recorder": .string(entry.plan.name)],
        )
      }
    }
  }

  /// Starts a recorder over the socket.
  func startRecording(_ params: StartRecording.Params) throws(ControlError) -> RecorderStatus {
    guard let mix, phase == .running else {
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
    var entry = try recorder(for: params, known: known.map { recorders[$0] })
    entry.recording = try begin(
      entry,
      of: mix.engine.spec,
      sampleRateHz: Double(hardware.sampleRateHz),
    )
    // Only what records is kept: a refusal changes nothing.
    if let known { recorders[known] = entry } else { recorders.append(entry) }
    applyTaps()
    return entry.status
  }

  /// Stops a recorder; its file is closed when this returns.
  func stopRecording(_ params: StopRecording.Params) async throws(ControlError) -> RecorderStatus {
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
    // Not on this thread: the disk may take its time.
    let status = await Task.detached { recording.finish() }.value
    guard let index = recorders.firstIndex(where: { $0.recording === recording }) else {
      throw ControlError(.refused, message: "recorder '\(name)' has been stopped meanwhile")
    }
    recorders[index].ended(status)
    applyTaps()
    return recorders[index].status
  }

  /// Closes all files: the host ends.
  func endRecordings() async {
    let running = recorders.compactMap(\.recording)
    await Task.detached { for recording in running { recording.finish() } }.value
  }

  /// Gives the audio thread the recordings that run.
  private func applyTaps() {
    guard phase == .running, let presence, let engine = mix?.engine else { return }
    let tag = presence.setTaps(recordingTaps)
    do throws(MixError) {
      try engine.apply(engine.spec, tag: tag)
    } catch {
      publish(.error, "the recorders cannot be connected: \(error)")
    }
  }

  /// The recorder that is meant: the known one, or a new one where the request says what to record.
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
        allowed: "from and file for a new one, or one of: "
          + recorders.map(\.plan.name).joined(separator: ", "),
      )
    }
    guard let plan = params.plan else {
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
    makeFolder(of: entry.plan.resolvedPath)
    do throws(AudioFileError) {
      return try FileRecorder(path: entry.plan.resolvedPath, settings: settings) {
        [weak self] event in
        Task { await self?.recordingEvent(event, of: name) }
      }
    } catch {
      throw ControlError(.badValue, message: "\(error)")
    }
  }

  /// Makes the folder of a file where it is missing; what is wrong shows when the file is made.
  private func makeFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try? FileManager.default.createDirectory(
      atPath: String(path[..<slash]),
      withIntermediateDirectories: true,
    )
  }

  private func recordingEvent(_ event: FileRecorderEvent, of recorder: String) {
    var details: [String: JSONValue] = ["recorder": .string(recorder)]
    let message: String
    switch event {
    case .began(let path):
      details["state"] = .string("began")
      details["file"] = .string(path)
      message = "records to \(path)"
    case .finished(let path, let frames):
      details["state"] = .string("finished")
      details["file"] = .string(path)
      details["frames"] = .integer(Int64(frames))
      message = "has finished \(path), \(frames) frames"
    case .failed(let error):
      details["state"] = .string("failed")
      details["file"] = .string(error.path)
      details["fault"] = .string(error.code.description)
      message = "cannot write, and tries again: \(error)"
    case .lost(let frames):
      details["state"] = .string("lost")
      details["frames"] = .integer(Int64(frames))
      message = "has lost \(frames) frames"
    }
    publish(.recording, "recorder '\(recorder)' \(message)", details: details)
  }
}

extension StartRecording.Params {
  /// A new recorder as a graph file would say it; nil where it is not complete.
  fileprivate var plan: GraphFile.Recorder? {
    guard let from, let file else { return nil }
    var plan = GraphFile.Recorder(name: recorder, subject: from, path: file, resolvedPath: file)
    plan.format =
      format.flatMap(GraphFile.Recorder.Format.init(rawValue:))
      ?? (file.lowercased().hasSuffix(".flac") ? .flac : .wav)
    plan.samples =
      samples.flatMap(GraphFile.Recorder.Samples.init(rawValue:))
      ?? (plan.format == .flac ? .pcm24 : .float32)
    plan.split =
      splitAfterSeconds.map { .duration(.seconds($0)) } ?? splitSizeBytes.map { .bytes($0) }
    return plan
  }
}
