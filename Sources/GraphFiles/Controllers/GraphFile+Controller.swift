// SPDX-License-Identifier: MIT

internal import YAML

extension GraphFile {
  /// A MIDI controller with its mappings.
  public struct Controller: Sendable, Equatable {
    /// The name in the graph.
    public var name: String
    /// The devices that it can be.
    public var device: MIDIDevice
    /// The mappings of its controls: those of the mapping file first.
    public var mappings: [ControlMapping] = []
    /// The mapping file as the graph names it, if there is one.
    public var mappingFile: String?
    /// The path at which the mapping file was found.
    public internal(set) var mappingPath: String?
    /// The most messages that are sent to it in a second; nil for no limit but that of a MIDI cable.
    public var messagesPerSecond: Int?

    /// Makes a controller without mappings.
    ///
    /// - Parameters:
    ///   - name: The name in the graph.
    ///   - device: The devices that it can be.
    public init(name: String, device: MIDIDevice) {
      self.name = name
      self.device = device
    }
  }

  /// The names of MIDI devices that are one controller.
  public enum MIDIDevice: Sendable, Equatable, CustomStringConvertible {
    /// A name, or its first words.
    case name(String)
    /// Each name that matches as a whole.
    case pattern(PortPattern)

    /// Whether a device has such a name.
    ///
    /// - Parameter device: The name without numbers and directions of JACK.
    /// - Returns: True for one of the devices.
    public func matches(_ device: String) -> Bool {
      switch self {
      case .name(let name):
        guard !name.isEmpty, device.hasPrefix(name) else { return false }
        return device.dropFirst(name.count).first.map { " :".contains($0) } ?? true
      case .pattern(let pattern): return pattern.matches(device)
      }
    }

    /// The text in files.
    public var description: String {
      switch self {
      case .name(let name): name
      case .pattern(let pattern): pattern.description
      }
    }
  }
}

/// The keys of one controller in `controls.midi`.
enum ControllerKey: String, SectionKey {
  static let section = "controller"
  case device, mapping, names, map, feedback
}

/// The keys of `feedback` of a controller or mapping file.
enum ControllerFeedbackKey: String, SectionKey {
  static let section = "controller feedback"
  case perSecond
}

extension GraphFile.Controller {
  /// The most controllers of a graph.
  static let limit = 16
  /// The most mappings in one list.
  static let mappingLimit = 1_024
  /// The rates of messages that can be asked for.
  static let paceLimits = 1...1_000

  init(name: Field, node: YAMLNode, media: MediaFiles) {
    self.init(name: name.name, device: .name(""))
    guard let section = Section<ControllerKey>(node, at: name.position, log: name.log) else {
      return
    }
    var file = MappingFile()
    if let field = section[.mapping], let path = field.text(allowed: "the path of a mapping file") {
      mappingFile = path
      let found = media.controllerFile(path)
      mappingPath = found
      file = field.controllerFile(path, at: found) ?? file
    }
    if let device = section[.device]?.midiDevice() ?? file.device {
      self.device = device
    } else if section[.device] == nil, mappingFile == nil || !file.mappings.isEmpty {
      _ = section.required(.device, example: "DDJ-400")
    }
    let isFileSound = mappingFile == nil || !file.mappings.isEmpty
    let names = isFileSound ? section[.names]?.placeholderNames(of: file.mappings) ?? [:] : [:]
    mappings = file.mappings.map { $0.naming(names) } + (section[.map]?.controlMappings() ?? [])
    let feedback = section[.feedback]?.deviceFeedback()
    messagesPerSecond = feedback?.perSecond ?? file.messagesPerSecond
    if feedback?.isOn == false {
      for index in mappings.indices { mappings[index].feedback = nil }
    }
  }
}

extension MediaFiles {
  /// The path of a mapping file beside the graph, or in the folder `controllers` beside it.
  func controllerFile(_ path: String) -> String {
    let beside = resolve(path)
    let shipped = resolve("controllers/" + path)
    return FileProbe.isFile(beside) || !FileProbe.isFile(shipped) ? beside : shipped
  }
}

extension Section<ControllerFeedbackKey> {
  func messagesPerSecond() -> Int? {
    required(.perSecond, example: "50")?.integer(in: GraphFile.Controller.paceLimits)
  }
}

extension Field {
  /// A device's name, or a pattern between slashes.
  func midiDevice() -> GraphFile.MIDIDevice? {
    guard let text = text(allowed: "a device's name or a pattern between slashes") else {
      return nil
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return .name(text) }
    guard text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") else {
      error("the pattern \(MessageText.quoted(text)) has no closing slash")
      return nil
    }
    do {
      return .pattern(try PortPattern(String(text.dropFirst().dropLast())))
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return nil
    }
  }

  /// Whether the controller is sent anything, or the most messages in a second.
  fileprivate func deviceFeedback() -> (isOn: Bool, perSecond: Int?) {
    guard case .mapping = node.content else { return (flag() ?? true, nil) }
    let section: Section<ControllerFeedbackKey>? = section()
    return (true, section?.messagesPerSecond())
  }

  func controlMappings() -> [ControlMapping] {
    let limit = GraphFile.Controller.mappingLimit
    return (list(allowed: "a list of controls", limit: limit) ?? []).compactMap {
      ControlMapping($0)
    }
  }

  /// Reads a mapping file.
  func controllerFile(_ path: String, at found: String) -> MappingFile? {
    let text: String
    do {
      text = try GraphFileText.read(found, sizeLimit: GraphFile.sizeLimit)
    } catch {
      self.error("\(MessageText.quoted(path, limit: 400)): \(error.message)")
      return nil
    }
    let log = DiagnosticLog(file: path, text: text)
    var file = MappingFile()
    do {
      file = MappingFile(root: try YAMLComposer.compose(text), log: log)
    } catch {
      log.error(at: error.position, error.message)
    }
    for fault in log.errors?.diagnostics ?? [] { self.error(fault.description) }
    return file
  }

  /// The strips and routes that stand for the names in braces.
  fileprivate func placeholderNames(of mappings: [ControlMapping]) -> [String: String] {
    guard case .mapping(let entries) = node.content else {
      error("\(node.kind) where a mapping from names to strips and routes is needed")
      return [:]
    }
    let known = Set(mappings.flatMap(\.placeholders)).sorted()
    var names: [String: String] = [:]
    for entry in entries {
      let key = Field(name: name, node: entry.key, log: log)
      let value = Field(name: name, node: entry.value, log: log)
      guard let placeholder = key.text(allowed: "a name of the mapping file"),
        let target = value.text(allowed: "the name of a strip or route")
      else { continue }
      guard known.contains(placeholder) else {
        key.error(
          "the mapping file has no name \(MessageText.quoted(placeholder))"
            + MessageText.suggestion(for: placeholder, among: known)
            + (known.isEmpty ? "" : "; it has: \(known.joined(separator: ", "))")
        )
        continue
      }
      names[placeholder] = target
    }
    return names
  }
}
