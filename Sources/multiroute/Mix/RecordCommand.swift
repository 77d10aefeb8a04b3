// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
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
      commandName: "start",
      abstract: "Start a recorder of the graph, or a new one.",
      usage: "multiroute record start <name> [<target> <file>] [<options>]",
      discussion: "Example: multiroute record start set main set.flac --split-after 1h",
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The recorder's name.") var name: String
    @Argument(
      help: ArgumentHelp("A new recorder: the strip or route to record.", valueName: "target")
    )
    var subject: String?
    @Argument(
      help: ArgumentHelp("A new recorder: its file, .wav or .flac.", valueName: "file")
    )
    var path: String?
    // The spelling of version 0.2.
    @Option(help: .hidden) var from: String?
    @Option(help: .hidden) var file: String?
    @Option(help: "wav or flac; by the file's name when left out.") var format: String?
    @Option(help: "pcm16, pcm24 or float32.") var samples: String?
    @Option(
      help: ArgumentHelp("Begin a new file after this time, such as 1h.", valueName: "duration"),
      transform: QuantityArgument.seconds,
    )
    var splitAfter: Double?
    @Option(
      help: ArgumentHelp("Begin a new file before this size, such as 2GB.", valueName: "size"),
      transform: QuantityArgument.bytes,
    )
    var splitSize: Int?

    func run() async throws {
      let path = (path ?? file).map { file in
        file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
      }
      let params = StartRecording.Params(
        recorder: name,
        from: subject ?? from,
        file: path,
        format: try format.map { try StartRecording.Format(checking: $0, at: "format") },
        samples: try samples.map { try StartRecording.Samples(checking: $0, at: "samples") },
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
      commandName: "stop",
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
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the recorders."
    )
    @OptionGroup var host: HostOption
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      let recorders = try await host.withClient { try await $0.call(GetStatus.self).recorders }
      if json {
        try Terminal.say(json: recorders)
      } else {
        for recorder in recorders { RecordCommand.say(recorder) }
      }
    }
  }

  private static func say(_ recorder: RecorderStatus) {
    let state = recorder.recording ? "recording" : "stopped"
    let lost = recorder.framesLost > 0 ? ", \(recorder.framesLost) lost" : ""
    Terminal.say(
      "\(recorder.name): \(state), from \(recorder.from), \(recorder.framesWritten) frames\(lost)"
    )
    for file in recorder.files { Terminal.say("  \(file)") }
    if let fault = recorder.fault { Terminal.say("  fault: \(fault)") }
  }
}
