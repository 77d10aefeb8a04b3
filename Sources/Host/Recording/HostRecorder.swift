// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles

/// One recorder of the host, running or not.
struct HostRecorder: Sendable {
  /// What is recorded how, as a graph file says it.
  let plan: GraphFile.Recorder
  /// The recording that runs.
  var recording: FileRecorder?
  /// What became of the recordings before.
  private var past = FileRecorder.Status.empty

  init(plan: GraphFile.Recorder) { self.plan = plan }

  /// Takes note of a recording that has ended.
  mutating func ended(_ status: FileRecorder.Status) {
    recording = nil
    past = past.adding(status)
  }

  /// Where it stands, all of its recordings together.
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

  /// How the file is made at a rate and number of channels.
  ///
  /// - Throws: What no file can hold.
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
