// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket

/// `multiroute scene …`: saves and recalls the mix under names.
struct SceneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "Save the mix of a running host under a name, and recall it.",
    subcommands: [Save.self, Recall.self, List.self, Delete.self],
  )

  /// `scene save`.
  struct Save: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save",
      abstract: "Save the present mix; a scene of the same name is replaced."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The scene's name.", completion: LiveNames.scenes) var name: String

    func run() async throws {
      try await host.withClient { _ = try await $0.call(SaveScene.self, SceneParams(scene: name)) }
    }
  }

  /// `scene recall`.
  struct Recall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recall",
      abstract: "Give the mix the values of a scene.",
      discussion: "Example: multiroute scene recall intro --over 3s",
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The scene's name.", completion: LiveNames.scenes) var name: String
    @Option(
      help: ArgumentHelp("The length of the fade, such as 3s.", valueName: "duration"),
      transform: QuantityArgument.milliseconds,
    )
    var over: Double?

    func run() async throws {
      let params = RecallScene.Params(scene: name, fadeMilliseconds: over)
      let result = try await host.withClient { try await $0.call(RecallScene.self, params) }
      Terminal.say("\(result.recalled) parameters are those of the scene")
      if !result.safe.isEmpty {
        Terminal.say("\(result.safe.count) left alone: their strips are safe")
      }
      for path in result.missing { Terminal.complain("warning: \(path) is not there now") }
      for refusal in result.refused {
        Terminal.complain("warning: \(refusal.path): \(refusal.reason)")
      }
    }
  }

  /// `scene list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the scenes, the current one marked."
    )
    @OptionGroup var host: HostOption
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
      let list = try await host.withClient { try await $0.call(ListScenes.self) }
      if json { return try Terminal.say(json: list) }
      if list.scenes.isEmpty { Terminal.say("no scenes; 'multiroute scene save NAME' makes one") }
      for scene in list.scenes {
        Terminal.say("\(scene.name == list.current ? "* " : "  ")\(scene.name)")
      }
    }
  }

  /// `scene delete`.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a scene."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The scene's name.", completion: LiveNames.scenes) var name: String

    func run() async throws {
      try await host.withClient {
        _ = try await $0.call(DeleteScene.self, SceneParams(scene: name))
      }
    }
  }
}
