// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import FoundationEssentials
import Glibc
import GraphFiles
import Host
import Logging

/// `multiroute init`: writes a first graph for this machine.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first graph for this machine: for a DJ, a musician, a kiosk or measuring.",
    discussion: """
      Looks at the cards, ports and programs that are there. Asks on a terminal what no option says, at most five questions; \
      elsewhere it takes the proposals. Without FILE it writes the graph that 'multiroute run' plays by itself. \
      Example: multiroute init --use dj --phone && multiroute run
      """,
  )

  @Argument(
    help: ArgumentHelp(
      "The file to write. Default: $XDG_CONFIG_HOME/multiroute/graph.yaml.",
      valueName: "file",
    ),
    completion: .file(extensions: ["yaml"]),
  )
  var file: String?

  @Option(help: "dj, musician, kiosk or measuring.", transform: Self.use)
  var use: FirstGraph.Use?

  @Option(help: "The output that everybody hears, as 'multiroute devices' names it.")
  var main: String?

  @Option(help: "The output of the headphones, as 'multiroute devices' names it; none without any.")
  var headphones: String?

  @Option(help: "The input, as 'multiroute devices' names it; none without any.")
  var input: String?

  @Flag(inversion: .prefixedNo, help: "Whether a phone of your network may move the faders.")
  var phone: Bool?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Flag(help: "Ask nothing: take the proposal for all that no option says.")
  var yes = false

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func run() async throws {
    Log.begin(at: .error)
    let path = file ?? DefaultGraph.ownPath
    guard force || !FileManager.default.fileExists(atPath: path) else {
      Terminal.complain("error: \(path) exists; nothing is written. --force replaces it")
      throw ExitCode.cannotCreate
    }
    let places = FoundPlaces(server: server)
    let graph = try answers(places)
    let text = graph.text
    do throws(GraphFileErrors) {
      _ = try GraphFile.parse(text, path: path, files: .audio)
    } catch {
      Terminal.complain(lines: "error: these answers make no graph:\n\(error.description)")
      throw ExitCode.badData
    }
    try GraphWriting.write(text, to: path)
    Terminal.say("\(path): \(graph.use.summary)")
    let words = file == nil ? "" : " \(path)"
    Terminal.say("play it: multiroute run\(words)")
  }

  // MARK: - Answers

  private func answers(_ places: FoundPlaces) throws -> FirstGraph {
    let questions = Questions(isAsking: !yes && isatty(STDIN_FILENO) == 1)
    let use =
      try self.use
      ?? questions.choose(
        "What is it for?",
        FirstGraph.Use.allCases.map { ($0.summary, $0) },
        proposal: 0,
      )
    var graph = FirstGraph(use: use, programs: places.programs, media: DefaultGraph.media)
    let outputs = places.outputs
    graph.main =
      try named(main, "--main", among: outputs)
      ?? questions.choose(
        "Where does everybody hear it?",
        outputs.map { ($0.name, $0.place) },
        proposal: 0
      )
    if use == .dj || use == .musician {
      let others = outputs.filter { $0.place != graph.main }
      graph.headphones =
        headphones == "none"
        ? nil
        : try named(headphones, "--headphones", among: others)
          ?? questions.choose(
            "Where are your headphones?",
            others.map { ($0.name, Optional($0.place)) } + [("none", nil)],
            proposal: 0,
          )
    }
    if use == .musician || use == .measuring {
      graph.input =
        input == "none"
        ? nil
        : try named(input, "--input", among: places.inputs)
          ?? questions.choose(
            "Which input does the host hear?",
            places.inputs.map { ($0.name, Optional($0.place)) } + [("none", nil)],
            proposal: 0,
          )
    }
    graph.hasPhone =
      try phone
      ?? questions.choose(
        "May a phone of your network move the faders? It needs a key that the host prints.",
        [("no", false), ("yes", true)],
        proposal: 0,
      )
    return graph
  }

  private func named(
    _ name: String?,
    _ option: String,
    among choices: [FoundPlaces.Choice],
  ) throws -> FirstGraph.Place? {
    guard let name else { return nil }
    guard let choice = choices.first(where: { $0.name == name }) else {
      let names = choices.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ValidationError("\(option): there is no '\(name)' here; found: \(names)")
    }
    return choice.place
  }

  private static func use(_ name: String) throws -> FirstGraph.Use {
    guard let use = FirstGraph.Use(rawValue: name) else {
      let names = FirstGraph.Use.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(name)' is no use; allowed: \(names)")
    }
    return use
  }
}

/// The outputs, inputs and programs of this machine that a first graph may use.
///
/// Pure value: [any-thread].
struct FoundPlaces {
  /// A place with its name for people and options.
  struct Choice {
    let name: String
    let place: FirstGraph.Place
  }

  private(set) var outputs: [Choice] = []
  private(set) var inputs: [Choice] = []
  private(set) var programs: [String] = []

  /// Looks at this machine.
  ///
  /// Where no server runs, the ports of one that the host starts are proposed.
  init(server: String?) {
    let survey = DeviceSurvey(graph: nil, server: server)
    for entry in survey.entries {
      let isOutput = entry.direction == "output"
      var found: [Choice] = []
      if entry.kind == "jack" {
        found = Self.choices(entry, isOutput: isOutput)
      } else if !survey.isPipeWire, entry.use == "–" {
        // A card that JACK does not drive.
        found = [Choice(name: entry.name, place: .device(entry.name))]
      }
      if isOutput { outputs += found } else { inputs += found }
    }
    programs = survey.programs
    guard survey.server == nil else { return }
    // The first card is the one that the host's own server drives.
    outputs =
      [
        Choice(name: "system 1-2", place: FirstGraph.usualMain),
        Choice(name: "system 3-4", place: FirstGraph.usualHeadphones),
      ] + outputs.dropFirst()
    inputs = [Choice(name: "system 1", place: FirstGraph.usualInput)] + inputs.dropFirst()
  }

  /// The pairs of a client's outputs, and each of its inputs.
  private static func choices(_ entry: DeviceSurvey.Entry, isOutput: Bool) -> [Choice] {
    guard isOutput else {
      return entry.ports.enumerated().map { index, port in
        Choice(name: "\(entry.name) \(index + 1)", place: .ports([port]))
      }
    }
    return stride(from: 0, to: entry.ports.count, by: 2).map { first in
      let last = min(first + 2, entry.ports.count)
      let numbers = last - first == 1 ? "\(first + 1)" : "\(first + 1)-\(last)"
      return Choice(
        name: "\(entry.name) \(numbers)",
        place: .ports(Array(entry.ports[first..<last])),
      )
    }
  }
}

/// Questions on a terminal.
///
/// Belongs to the control thread.
struct Questions {
  /// Whether anybody is there to answer; else the proposals are taken.
  let isAsking: Bool

  /// Asks for one of several answers, again until it is one.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - answers: The answers, with their names for people.
  ///   - proposal: The index of the answer of an empty line.
  /// - Returns: The chosen answer.
  /// - Throws: Status 65 without any answer to choose, 64 when the input ends.
  func choose<Answer>(
    _ question: String,
    _ answers: [(name: String, answer: Answer)],
    proposal: Int,
  ) throws -> Answer {
    guard answers.indices.contains(proposal) else {
      Terminal.complain("error: \(question) This machine has none; start the JACK server first")
      throw ExitCode.badData
    }
    guard isAsking, answers.count > 1 else { return answers[proposal].answer }
    Terminal.say(question)
    for (index, answer) in answers.enumerated() {
      Terminal.say("  \(index + 1)  \(answer.name)\(index == proposal ? "  (Enter)" : "")")
    }
    while true {
      Terminal.draw("> ")
      guard let line = readLine() else {
        Terminal.complain(
          "error: the input has ended before all questions were answered; nothing is written"
        )
        throw ExitCode.validationFailure
      }
      let word = line.trimming { $0 == " " || $0 == "\t" }
      if word.isEmpty { return answers[proposal].answer }
      if let number = Int(word), answers.indices.contains(number - 1) {
        return answers[number - 1].answer
      }
      if let named = answers.first(where: { $0.name == word }) { return named.answer }
      Terminal.complain("'\(word)' is none of them; write a number from 1 to \(answers.count)")
    }
  }
}

extension String {
  /// The text without these characters at its ends. [any-thread]
  fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
    let start = drop(while: isLeftOut)
    return String(start.reversed().drop(while: isLeftOut).reversed())
  }
}
