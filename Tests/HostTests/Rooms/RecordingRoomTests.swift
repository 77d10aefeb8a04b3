// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Foundation
import GraphFiles
import Testing

@testable import Host

private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {ports: [system:playback_1, system:playback_2]}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
  mix:
    - {from: deck, to: main}
  """

/// Recorders by request: refusals, and the course of a recording.
struct RecordingRoomTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-recording-\(UUID().uuidString)")

  private func file(_ name: String) -> String { folder.appending(path: name).path }

  private func start(_ params: StartRecording.Params, in house: House) async throws
    -> RecorderStatus
  {
    try await house.host.run { try $0.recording.start(params, sampleRateHz: 48_000) }
  }

  private func fault(_ params: StartRecording.Params, in house: House) async -> ControlError? {
    do {
      _ = try await start(params, in: house)
      return nil
    } catch { return error as? ControlError }
  }

  @Test func `a new recorder records, is listed, and its file is closed when it stops`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await House.with(graph) { house in
      let params = StartRecording.Params(recorder: "take", from: "main", file: file("a.wav"))
      #expect(try await start(params, in: house).recording)
      #expect(await house.status.recorders.map(\.name) == ["take"])
      let stopped = try await house.host.run { rooms in
        try await rooms.recording.stop(StopRecording.Params(recorder: "take"))
      }
      #expect(!stopped.recording && stopped.files == [file("a.wav")])
      #expect(FileManager.default.fileExists(atPath: file("a.wav")))
    }
  }

  @Test func `a stopped recorder is started again by its name alone, beside its first file`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await House.with(graph) { house in
      let params = StartRecording.Params(recorder: "take", from: "deck", file: file("a.wav"))
      _ = try await start(params, in: house)
      for count in 1...2 {
        let stopped = try await house.host.run { rooms in
          try await rooms.recording.stop(StopRecording.Params(recorder: "take"))
        }
        #expect(Set(stopped.files).count == count)
        if count == 1 { _ = try await start(StartRecording.Params(recorder: "take"), in: house) }
      }
    }
  }

  @Test func `a recorder that records is not started twice`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await House.with(graph) { house in
      let params = StartRecording.Params(recorder: "take", from: "main", file: file("a.wav"))
      _ = try await start(params, in: house)
      #expect(await fault(params, in: house)?.code == .refused)
    }
  }

  @Test func `a refused recorder is not listed`() async throws {
    try await House.with(graph) { house in
      for params in [
        StartRecording.Params(recorder: "take"),
        StartRecording.Params(recorder: "take", from: "main"),
        StartRecording.Params(recorder: "take", file: file("a.wav")),
        StartRecording.Params(recorder: "take", from: "attic", file: file("a.wav")),
        StartRecording.Params(recorder: "take", from: "main", file: "/proc/no/a.wav"),
      ] {
        #expect(await fault(params, in: house) != nil)
      }
      #expect(await house.status.recorders.isEmpty)
    }
  }

  @Test func `recorders are limited in number, and stopped ones make room`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await House.with(graph) { house in
      func params(_ index: Int) -> StartRecording.Params {
        StartRecording.Params(recorder: "r\(index)", from: "main", file: file("\(index).wav"))
      }
      for index in 0..<RecordingRoom.runningLimit { _ = try await start(params(index), in: house) }
      let refusal = await fault(params(1000), in: house)
      #expect(refusal?.code == .refused && refusal?.message.contains("64") == true)
      _ = try await house.host.run { rooms in
        try await rooms.recording.stop(StopRecording.Params(recorder: "r0"))
      }
      _ = try await start(params(1000), in: house)
      #expect(await house.status.recorders.count == RecordingRoom.runningLimit + 1)
    }
  }

  @Test(arguments: ["/dev/full", "/dev/folder/take.wav"])
  func `a recorder makes nothing in the folder of devices`(target: String) async throws {
    try await House.with(graph) { house in
      var params = StartRecording.Params(recorder: "take", from: "main", file: target)
      params.format = .wav
      #expect(await fault(params, in: house)?.message.contains("regular file") == true)
      #expect(!FileManager.default.fileExists(atPath: "/dev/folder"))
    }
  }

  @Test func `a recording needs a server`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.die() }
      let params = StartRecording.Params(recorder: "take", from: "main", file: file("a.wav"))
      #expect(await fault(params, in: house)?.code == .notReady)
    }
  }

  @Test
  func `a recorder that does not record cannot be stopped, and the error names those that do`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await House.with(graph) { house in
      let params = StartRecording.Params(recorder: "take", from: "main", file: file("a.wav"))
      _ = try await start(params, in: house)
      let error = await #expect(throws: ControlError.self) {
        try await house.host.run { rooms in
          _ = try await rooms.recording.stop(StopRecording.Params(recorder: "other"))
        }
      }
      #expect(error?.message.contains("take") == true)
    }
  }

  @Test(arguments: [
    ("a.wav", nil, nil, GraphFile.Recorder.Format.wav, GraphFile.Recorder.Samples.float32),
    ("a.FLAC", nil, nil, .flac, .pcm24),
    ("a.bin", StartRecording.Format.flac, StartRecording.Samples.pcm16, .flac, .pcm16),
    ("a.flac", .wav, nil, .wav, .float32),
  ])
  func `the format is the request's, else that of the file's name`(
    file: String,
    format: StartRecording.Format?,
    samples: StartRecording.Samples?,
    expected: GraphFile.Recorder.Format,
    expectedSamples: GraphFile.Recorder.Samples,
  ) throws {
    var params = StartRecording.Params(recorder: "take", from: "main", file: file)
    params.format = format
    params.samples = samples
    let plan = try params.plan()
    #expect(plan?.format == expected && plan?.samples == expectedSamples)
  }

  @Test(arguments: ["/a.mp3", "/folder.wav/take.ogg"])
  func `a file whose name promises another format is refused`(file: String) {
    let params = StartRecording.Params(recorder: "take", from: "main", file: file)
    let error = #expect(throws: ControlError.self) { try params.plan() }
    #expect(error?.message.contains(".wav or .flac") == true)
  }

  @Test func `a file's length in seconds is one in frames of the server's rate`() throws {
    var plan = GraphFile.Recorder(
      name: "take",
      subject: "main",
      path: "a.wav",
      resolvedPath: "/a.wav"
    )
    plan.split = .duration(.milliseconds(1_500))
    let settings = try HostRecorder(plan: plan).settings(channels: 2, sampleRateHz: 44_100)
    #expect(settings.channels == 2 && settings.sampleRateHz == 44_100)
    guard case .frames(66_150) = settings.split else {
      Issue.record("the split is \(settings.split)")
      return
    }
  }

  @Test func `FLAC refuses floats`() {
    var plan = GraphFile.Recorder(
      name: "t",
      subject: "main",
      path: "a.flac",
      resolvedPath: "/a.flac"
    )
    plan.format = .flac
    plan.samples = .float32
    #expect(throws: ControlError.self) {
      try HostRecorder(plan: plan).settings(channels: 2, sampleRateHz: 48_000)
    }
  }
}
