// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket
import FoundationEssentials

/// `multiroute record …`: recorders of a running host.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Start, stop and list recordings of strips and routes.",
    subcommands: [Start.self, Stop.self, List.self],
  )

  /// `record start`.
  struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start a recorder of the graph, or a new one.",
      discussion: "Example: multiroute record start set --from main --file set.flac",
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The recorder's name.") var name: String
    @Option(help: "A new recorder: the strip or route to record.") var from: String?
    @Option(help: "A new recorder: its file.") var file: String?
    @Option(help: "wav or flac; by the file's name when left out.") var format: String?
    @Option(help: "pcm16, pcm24 or float32.") var samples: String?
    @Option(help: "Begin a new file after this many seconds.") var splitAfter: Double?
    @Option(help: "Begin a new file before this many bytes of samples.") var splitSize: Int?

    func run() async throws {
      let path = file.map { file in
        file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
      }
      let params = StartRecording.Params(
        recorder: name,
        from: from,
        file: path,
        format: format,
        samples: samples,
        splitAfterSeconds: splitAfter,
        splitSizeBytes: splitSize,
      )
      try await host.withClient {
        RecordCommand.say(try await $0.call(StartRecording.self, params))
      }
    }
  }

  /// `record stop`.
  struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop a recorder and wait until its file is closed."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The recorder's name.") var name: String

    func run() async throws {
      try await host.withClient {
        RecordCommand.say(
          try await $0.call(StopRecording.self, StopRecording.Params(recorder: name))
        )
      }
    }
  }

  /// `record list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the recorders.")
    @OptionGroup var host: HostOption
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      let recorders = try await host.withClient { try await $0.call(GetStatus.self).recorders }
      if json {
        Terminal.say(try JSONLine.text(recorders))
      } else {
        for recorder in recorders { RecordCommand.say(recorder) }
      }
    }
  }

  private static func say(_ recorder: RecorderStatus) {
    let state = recorder.recording ? "records" : "stands still"
    let lost = recorder.framesLost > 0 ? ", \(recorder.framesLost) lost" : ""
    Terminal.say(
      "\(recorder.name): \(state), from \(recorder.from), \(recorder.framesWritten) frames\(lost)"
        + recorder.files.map { "\n  \($0)" }.joined()
    )
    if let fault = recorder.fault { Terminal.say("  fault: \(fault)") }
  }
}
