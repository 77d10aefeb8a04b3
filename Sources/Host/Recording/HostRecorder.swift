// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles
internal import Mixing

/// A running recording, and the strip or route that it records.
struct RecordingTap: Sendable {
  /// The strip (before its fader) or the route (at its output).
  let subject: String
  /// The recorder that takes the audio.
  let recorder: FileRecorder
}

/// One recorder of the host, running or not.
///
/// Pure value: [any-thread].
struct HostRecorder: Sendable {
  /// The subject, the file and its format, as a graph file gives them.
  private(set) var plan: GraphFile.Recorder
  /// The running recording; nil while the recorder is stopped.
  var recording: FileRecorder?
  /// The sum of the recordings that have ended.
  private var past = FileRecorder.Status.empty

  init(plan: GraphFile.Recorder) { self.plan = plan }

  /// Takes the new name of its strip or route.
  mutating func rename(_ names: [String: String]) {
    plan.subject = names[plan.subject] ?? plan.subject
  }

  /// Whether it records nothing, or a strip or route that a mix has with as many channels.
  func fits(_ spec: MixSpec) -> Bool {
    guard let channels = recording?.tap.channels else { return true }
    return spec.routes.contains { $0.id == plan.subject && $0.channels == channels }
      || spec.strips.contains { $0.id == plan.subject && $0.channels == channels }
  }

  /// Adds a recording that has ended to the past ones; the recorder is stopped after that.
  mutating func ended(_ status: FileRecorder.Status) {
    recording = nil
    past = past.adding(status)
  }

  /// The recorder's state, and the sum of all of its recordings.
  var status: RecorderStatus {
    let total = recording.map { past.adding($0.status) } ?? past
    return RecorderStatus(
      name: plan.name,
      from: plan.subject,
      recording: recording != nil,
      files: total.paths,
      framesWritten: total.framesWritten,
      framesLost: total.framesLost,
      fault: total.error?.description,
    )
  }

  /// The format, length and buffer of the next file.
  ///
  /// - Throws: `badValue` for samples that the file's format cannot hold.
  func settings(
    channels: Int,
    sampleRateHz: Double,
  ) throws(ControlError) -> FileRecorder.Settings {
    let format: AudioFileFormat
    switch (plan.format, plan.samples) {
    case (.wav, .float32): format = .wavFloat32
    case (.wav, .pcm24): format = .wavPCM24
    case (.wav, .pcm16): format = .wavPCM16
    case (.flac, .pcm24): format = .flacPCM24
    case (.flac, .pcm16): format = .flacPCM16
    case (.flac, .float32):
      throw ControlError(
        .badValue,
        place: "samples",
        fault: "FLAC holds no floats",
        allowed: "pcm16 or pcm24",
      )
    }
    let split: FileRecorder.Split =
      switch plan.split {
      case nil: .never
      case .duration(let duration): .frames(Int((duration.seconds * sampleRateHz).rounded()))
      case .bytes(let bytes): .bytes(bytes)
      }
    return FileRecorder.Settings(
      format: format,
      sampleRateHz: sampleRateHz,
      channels: channels,
      split: split,
      bufferSeconds: plan.bufferDuration.seconds,
      stepsOverExisting: true,
    )
  }
}

extension StartRecording.Params {
  /// A new recorder in the form that a graph file has; nil where `from` or `file` is missing.
  ///
  /// - Throws: `badValue` for a file name that promises a format which no recorder writes.
  func plan() throws(ControlError) -> GraphFile.Recorder? {
    guard let from, let file else { return nil }
    let named = GraphFile.Recorder.format(ofFile: file)
    guard format != nil || named != nil else {
      throw ControlError(
        .badValue,
        place: "file",
        fault: "a recorder cannot write the format of '\(file)'",
        allowed: GraphFile.Recorder.formatAdvice,
      )
    }
    var plan = GraphFile.Recorder(name: recorder, subject: from, path: file, resolvedPath: file)
    plan.format =
      switch format {
      case .wav: .wav
      case .flac: .flac
      case nil: named ?? .wav
      }
    plan.samples =
      switch samples {
      case .pcm16: .pcm16
      case .pcm24: .pcm24
      case .float32: .float32
      case nil: plan.format == .flac ? .pcm24 : .float32
      }
    plan.split =
      splitAfterSeconds.map { .duration(.seconds($0)) } ?? splitSizeBytes.map { .bytes($0) }
    return plan
  }
}
