// SPDX-License-Identifier: MIT

internal import YAML

/// The keys of a mapping file.
enum ControllerFileKey: String, SectionKey {
  static let section = "controller file"
  case multiroute, device, map, feedback
}

/// The contents of a mapping file: the controls of a device, for many graphs.
///
/// Pure value: [any-thread].
public struct MappingFile: Sendable, Equatable {
  /// The devices that it is made for; nil for one that fits many.
  public var device: GraphFile.MIDIDevice?
  /// The controls; their paths may have names in braces.
  public var mappings: [ControlMapping] = []
  /// The most messages that the device takes in a second; nil for no limit but that of a MIDI cable.
  public var messagesPerSecond: Int?

  /// Makes a file without controls.
  public init() {}

  /// Reads a mapping file.
  ///
  /// - Parameter path: Its path.
  /// - Returns: Its contents; nil for a file that cannot be read or has a fault. [any-thread]
  public static func read(_ path: String) -> MappingFile? {
    guard let text = try? GraphFileText.read(path, sizeLimit: GraphFile.sizeLimit),
      let root = try? YAMLComposer.compose(text)
    else { return nil }
    let log = DiagnosticLog(file: path, text: text)
    let file = MappingFile(root: root, log: log)
    return log.errors == nil ? file : nil
  }

  init(root: YAMLNode, log: DiagnosticLog) {
    guard let section = Section<ControllerFileKey>(root, log: log) else { return }
    _ = section.required(.multiroute, example: "\(GraphFile.formatVersion)")?.formatVersion()
    device = section[.device]?.midiDevice()
    mappings =
      section.required(.map, example: "[{control: cc 1/7, parameter: /crossfader/position}]")?
      .controlMappings() ?? []
    if let field = section[.feedback], let section: Section<ControllerFeedbackKey> = field.section()
    {
      messagesPerSecond = section.messagesPerSecond()
    }
  }
}
