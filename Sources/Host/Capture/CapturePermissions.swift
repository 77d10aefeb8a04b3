// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

/// The programs' permissions to record, and the questions to the user about them (PRM-1, PRM-2).
///
/// An answer is kept for the path of an executable, or for a client that cannot be identified. An answer for a bare
/// name is one of a graph, of a session's app, or of an earlier release: a no counts for all programs of that name, a
/// yes only for the one that a shell starts by it.
///
/// Belongs to the control thread.
final class CapturePermissions {
  /// The users' answers and the default; the tower stores both.
  struct Answers: Sendable {
    /// The user's answers, by ``Program/key`` or by name.
    var ofUser: [String: RecordPermission] = [:]
    /// The permission without an answer.
    var standard: RecordPermission = .undetermined
    /// The programs that the tower has asked the user about.
    var asked: Set<String> = []
    /// The programs of sessions with input, except the host's own.
    var withInput: [String] = []
  }

  /// A client with a capture gate, and its program.
  typealias Capturing = (client: String, program: Program)

  private let control: Control
  private let inForce: GraphRoom
  private let answers: () -> Answers
  private let programs: ProgramDirectory
  private let files: AnsweredFiles
  /// The programs that the user has been asked about, by ``Program/key``.
  private var asked: Set<String> = []

  /// Makes the permissions of a graph.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph, with its own answers.
  ///   - programs: The programs behind clients.
  ///   - files: The files that answers for paths mean.
  ///   - answers: Gives the user's present answers.
  init(
    control: Control,
    graph: GraphRoom,
    programs: ProgramDirectory,
    files: AnsweredFiles,
    answers: @escaping () -> Answers,
  ) {
    self.control = control
    self.programs = programs
    self.files = files
    self.answers = answers
    inForce = graph
  }

  /// The answers of the graph.
  private var ofGraph: [String: RecordPermission] {
    inForce.file.permissions?.programs.mapValues(\.recordPermission) ?? [:]
  }

  /// The permission of a program: the user's answer, else the graph's, else the default.
  ///
  /// A default yes is none for a client that cannot be identified, which may be a program with a no (PRM-2).
  func permission(of program: Program) -> RecordPermission {
    permission(of: program, by: ofGraph, standard: answers().standard)
  }

  /// The permission that a program would have under another version of the graph.
  func permission(of program: Program, under graph: GraphFile) -> RecordPermission {
    let configuration = graph.towerConfiguration
    return permission(
      of: program,
      by: graph.permissions?.programs.mapValues(\.recordPermission) ?? [:],
      standard: configuration.defaultPermission,
    )
  }

  private func permission(
    of program: Program,
    by graph: [String: RecordPermission],
    standard: RecordPermission,
  ) -> RecordPermission {
    let given =
      answer(for: program, among: answers().ofUser, isOfUser: true)
      ?? answer(for: program, among: graph, isOfUser: false)
    let isUnknownYes = program.executable == nil && standard == .granted
    return given ?? (isUnknownYes ? .undetermined : standard)
  }

  private func answer(
    for program: Program,
    among given: [String: RecordPermission],
    isOfUser: Bool,
  ) -> RecordPermission? {
    if let answer = given[program.key], answer != .granted || isMeant(program, isOfUser: isOfUser) {
      return answer
    }
    guard let name = program.bareName, let answer = given[name] else { return nil }
    return answer != .granted || isInstalled(program) ? answer : nil
  }

  private func isMeant(_ program: Program, isOfUser: Bool) -> Bool {
    program.executable == nil || files.isMeant(program, isOfUser: isOfUser)
  }

  /// Whether a shell starts this program by its name.
  func isInstalled(_ program: Program) -> Bool {
    program.executable != nil && programs.installed(program.name) == program.executable
      && files.isMeant(program, isOfUser: false)
  }

  /// Asks the user, once, about a program without an answer.
  func ask(about program: Program, client: String) {
    guard permission(of: program) == .undetermined, asked.insert(program.key).inserted else {
      return
    }
    let asker =
      program.executable.map { "'\(program.name)' (\($0))" }
      ?? "the client '\(client)', whose program cannot be identified,"
    let isChanged = program.executable != nil && answers().ofUser[program.key] == .granted
    control.publish(
      .permission(.question(program.shownName, executable: program.executable, client: client)),
      "may \(asker) record? \(isChanged ? "Its file has changed since your answer. " : "")"
        + "It hears silence; 'multiroute permission grant \(program.key)' "
        + (program.executable == nil ? "(PRM-2)" : "(PRM-1)"),
    )
  }

  /// Publishes that the program of a session waits for an answer.
  func publishQuestion(_ program: String) {
    control.publish(
      .permission(.question(program, executable: nil, client: nil)),
      "may '\(program)' record? It hears silence; 'multiroute permission grant \(program)' (PRM-1)",
    )
  }

  /// Publishes a new answer.
  func publishAnswer(_ name: String, _ permission: RecordPermission) {
    control.publish(
      .permission(.answer(name, permission)),
      "'\(name)' \(permission.sentence) (PRM-1)",
    )
  }

  /// Forgets that the user was asked, because an answer came or was withdrawn.
  func forgetQuestion(_ key: String) { asked.remove(key) }

  // MARK: - Status

  /// Every program with an answer, and every program that asks, records or has a session with input.
  ///
  /// - Parameter capturing: The clients with a capture gate, and their programs.
  /// - Returns: The programs, by name and path.
  func list(capturing: [Capturing]) -> ListPermissions.Result {
    let programs = listed(among: capturing)
    let entries =
      programs.map { entry(of: $0, capturing: capturing) }
      + bareNames(besides: programs).map(entry(ofName:))
    return ListPermissions.Result(
      defaultPermission: answers().standard,
      programs: entries.sorted {
        ($0.program, $0.executable ?? "") < ($1.program, $1.executable ?? "")
      },
    )
  }

  /// One program of the list: its permission, and the source of that permission.
  private func entry(of program: Program, capturing: [Capturing]) -> ListPermissions.Program {
    ListPermissions.Program(
      program: program.shownName,
      executable: program.executable,
      permission: permission(of: program),
      source: source { answer(for: program, among: $0, isOfUser: $1) },
      clients: Set(capturing.filter { $0.program.key == program.key }.map(\.client)).sorted(),
    )
  }

  /// One entry of the list, by ``Program/key`` or bare name.
  func entry(ofKey key: String, capturing: [Capturing]) -> ListPermissions.Program {
    Program(key: key).map { entry(of: $0, capturing: capturing) } ?? entry(ofName: key)
  }

  private func entry(ofName name: String) -> ListPermissions.Program {
    let now = answers()
    return ListPermissions.Program(
      program: name,
      executable: nil,
      permission: now.ofUser[name] ?? ofGraph[name] ?? now.standard,
      source: source { answers, _ in answers[name] },
      clients: [],
    )
  }

  private func source(
    _ answer: ([String: RecordPermission], _ isOfUser: Bool) -> RecordPermission?
  ) -> ListPermissions.Source {
    if answer(answers().ofUser, true) != nil { return .user }
    return answer(ofGraph, false) != nil ? .graph : .standard
  }

  /// The programs of the list that have a path, or are clients that cannot be identified.
  private func listed(among capturing: [Capturing]) -> [Program] {
    let all = capturing.map(\.program) + knownNames.compactMap(Program.init(key:))
    return Array(Dictionary(all.map { ($0.key, $0) }) { first, _ in first }.values)
  }

  /// The bare names of the list that mean none of these programs.
  private func bareNames(besides programs: [Program]) -> [String] {
    let now = answers()
    return knownNames.filter { name in
      guard Program(key: name) == nil else { return false }
      let isYes = (now.ofUser[name] ?? ofGraph[name]) == .granted
      return !programs.contains { program in
        guard program.executable != nil, program.bareName == name else { return false }
        return !isYes || isInstalled(program) || now.ofUser[name] == permission(of: program)
      }
    }
  }

  private var knownNames: Set<String> {
    let now = answers()
    return Set(now.withInput).union(now.asked).union(now.ofUser.keys).union(ofGraph.keys)
      .union(asked)
  }

  // MARK: - Answers

  /// The key of the program that a user means: one that the list shows, else that of the client of that name.
  ///
  /// Case does not matter where nothing else differs. A name of no program here stays a bare name.
  ///
  /// - Throws: `badValue` for a name that means two programs.
  func key(named text: String, capturing: [Capturing]) throws(ControlError) -> String {
    if text.hasPrefix("/") { return programs.resolved(text) }
    if Program(key: text) != nil { return text }
    let listed = listed(among: capturing).filter { $0.executable != nil }
    let bare = bareNames(besides: listed)
    if let name = Spelling.name(text, among: listed.map(\.name) + bare) {
      let paths = listed.filter { $0.name == name }.map(\.key)
      // Of one name may also be the program that a shell starts by it.
      let other = paths.isEmpty ? nil : programs.installed(name)
      try refuseSeveral(Set(paths + [other].compactMap { $0 }).sorted(), text)
      return paths.first ?? name
    }
    let client = Spelling.name(text, among: capturing.map(\.client))
    guard let key = capturing.first(where: { $0.client == client })?.program.key else {
      return text
    }
    // A client may have the name of a program that it is not.
    try refuseSeveral(Set([key] + [programs.installed(text)].compactMap { $0 }).sorted(), text)
    return key
  }

  /// Notes the file that the user's answer for a key means: that of the program which asks, else the one at the path.
  func noteFile(ofKey key: String, _ permission: RecordPermission, capturing: [Capturing]) {
    guard let path = Program(key: key)?.executable else { return }
    let asking = capturing.first {
      $0.program.key == key && self.permission(of: $0.program) != permission
    }
    let file = asking?.program.file ?? programs.file(at: path)
    files.note(path, permission == .granted ? file : nil)
  }

  private func refuseSeveral(_ programs: [String], _ text: String) throws(ControlError) {
    guard programs.count > 1 else { return }
    throw ControlError(
      .badValue,
      place: "program",
      fault: "'\(text)' means \(programs.count) programs",
      allowed: programs.sorted().joined(separator: ", "),
    )
  }

  /// Refuses an answer that a program gives for itself, or for another one while it records (PRM-2).
  func refuseOwnAnswer(
    for key: String,
    from process: Int32?,
    capturing: [Capturing],
  ) throws(ControlError) {
    guard let process, process > 0 else { return }
    // The host's own program is also the user's tool.
    let isItself = programs.executable(of: process) == key && !programs.isOwnProgram(process)
    guard isItself || capturing.contains(where: { $0.program.pid == process }) else { return }
    throw .ownAnswer
  }

  /// Refuses a recording of what carries a microphone to a program that may not hear it (PRM-3).
  ///
  /// - Parameters:
  ///   - subject: The strip or route.
  ///   - process: The process that asks for it; nil where it is not known.
  ///   - isRestricted: Whether a program without an answer may not hear it either.
  /// - Throws: `refused`.
  func refuseRecording(
    of subject: String,
    by process: Int32?,
    isRestricted: Bool,
  ) throws(ControlError) {
    // The host's own program is also the user's tool.
    if let process, programs.isOwnProgram(process) { return }
    let program = programs.program(ofProcess: process)
    let permission = permission(of: program)
    guard permission == .denied || isRestricted && permission != .granted else { return }
    throw ControlError(
      .refused,
      place: "from",
      fault: "'\(subject)' carries a microphone, and '\(program.shownName)' "
        + "\(permission.sentence) (PRM-3)",
      allowed:
        "a strip or route without a microphone, or 'multiroute permission grant \(program.key)' by its user",
    )
  }

  /// The bare name whose answer, of an earlier release, an answer for a path or a client replaces; nil for none.
  func nameReplaced(by key: String, _ permission: RecordPermission) -> String? {
    guard let name = Program(key: key)?.bareName, let old = answers().ofUser[name] else {
      return nil
    }
    return old == permission ? nil : name
  }
}

extension RecordPermission {
  /// The permission as a predicate about a program.
  var sentence: String {
    switch self {
    case .granted: "may record"
    case .denied: "may not record"
    case .undetermined: "has to be asked about"
    }
  }
}
