// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import GraphFiles

/// The mapping files beside a graph, of which one may fit a device that the graph does not have.
///
/// Pure value: [any-thread].
struct MappingProposals {
  /// A mapping file, and the reason for which it fits.
  struct Proposal: Equatable {
    /// The file as a graph names it.
    var file: String
    /// The reason.
    var fit: UnknownController.Fit
  }

  /// The most files that are read.
  private static let fileLimit = 64

  private let files: [(name: String, file: MappingFile)]

  /// Makes the proposals from files by name.
  init(_ files: [(name: String, file: MappingFile)]) { self.files = files }

  /// Reads the files in the folder `controllers` beside a graph; those with faults are left out.
  init(besideGraph path: String) {
    let folder = (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "controllers"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    self.init(
      names.filter { $0.hasSuffix(".yaml") }.sorted().prefix(Self.fileLimit).compactMap { name in
        MappingFile.read("\(folder)/\(name)").map { (name, $0) }
      }
    )
  }

  /// The file that fits a device best.
  ///
  /// - Parameters:
  ///   - device: The device's name.
  ///   - lastControl: The control that was moved last.
  /// - Returns: The file for this device, or for its family, or one for many devices that has the control; nil for none.
  func best(for device: String, lastControl: MIDIControl?) -> Proposal? {
    let made = files.first { $0.file.device?.matches(device) == true }
    if let made { return Proposal(file: made.name, fit: .device) }
    let words = Self.words(device)
    let similar = files.first { _, file in
      let family = file.device.map { Self.words($0.description) } ?? []
      return !family.isEmpty && family.isSubset(of: words)
    }
    if let similar { return Proposal(file: similar.name, fit: .similar) }
    guard let lastControl else { return nil }
    let general = files.first { _, file in
      file.device == nil && file.mappings.contains { $0.control == lastControl }
    }
    return general.map { Proposal(file: $0.name, fit: .controls) }
  }

  /// The words of a name without the numbers of models: `DDJ-400` is of the family `ddj`.
  private static func words(_ name: String) -> Set<String> {
    Set(name.lowercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 2 })
  }
}
