// SPDX-License-Identifier: MIT

public import Foundation

/// The Swift files below a path, read and rewritten together.
///
/// Belongs to the calling thread.
public struct PortedFolder {
  /// A file and what became of it.
  public struct Entry {
    /// The file.
    public let url: URL
    /// Its text before.
    public let before: String
    /// The outcome.
    public let ported: PortedFile

    /// Whether the text differs.
    public var isChanged: Bool { ported.source != before }
  }

  /// A path that cannot be ported.
  public struct Fault: Error, CustomStringConvertible {
    /// The path, the fault, and what is allowed.
    public let description: String
  }

  /// The files in order.
  public let entries: [Entry]

  /// Folders whose sources are not the app's.
  private static let skipped: Set<String> = [
    ".build", ".git", ".swiftpm", "Carthage", "DerivedData", "Pods",
  ]

  /// Reads a file, or all Swift files below a folder.
  ///
  /// - Throws: ``Fault``.
  public init(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Fault(description: "\(path): there is no such file or folder; allowed: Swift sources")
    }
    let root = URL(filePath: path)
    let urls = isFolder.boolValue ? Self.sources(below: root) : [root]
    guard urls.allSatisfy({ $0.pathExtension == "swift" }), !urls.isEmpty else {
      throw Fault(
        description: "\(path): has no Swift files; allowed: a .swift file, or a folder of them"
      )
    }
    let texts = try urls.map { url in
      guard let data = try? Data(contentsOf: url),
        let text = String(validating: data, as: UTF8.self)
      else { throw Fault(description: "\(url.path): cannot be read as UTF-8") }
      return (url: url, text: text)
    }
    var handlers = Handlers()
    for text in texts { handlers.add(text.text) }
    let porter = Porter(handlers: handlers)
    entries = texts.map { Entry(url: $0.url, before: $0.text, ported: porter.port($0.text)) }
  }

  /// Writes the changed files, and the shim into each module that needs it.
  ///
  /// - Returns: The shims that were written.
  /// - Throws: The system's error; files before the one at fault are written.
  public func write() throws -> [URL] {
    for entry in entries where entry.isChanged {
      try Data(entry.ported.source.utf8).write(to: entry.url, options: .atomic)
    }
    let folders = Set(entries.filter { $0.ported.needsShim }.map { module(of: $0.url).path })
      .sorted()
    return try folders.compactMap { folder in
      let url = URL(filePath: folder).appending(path: Shim.fileName)
      // One that is there is the app's.
      guard !FileManager.default.fileExists(atPath: url.path) else { return nil }
      try Data(Shim.source.utf8).write(to: url, options: .atomic)
      return url
    }
  }

  /// The folder of a file's module: that below `Sources` or `Tests`, else the folder of the file.
  private func module(of url: URL) -> URL {
    let parts = url.deletingLastPathComponent().path.split(separator: "/")
    if let place = parts.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }),
      place + 1 < parts.count
    {
      return URL(filePath: "/" + parts[...(place + 1)].joined(separator: "/"))
    }
    // One shim for all files of a folder and those below it.
    let all = entries.map { $0.url.deletingLastPathComponent().path }
    return URL(filePath: all.min { $0.count < $1.count } ?? url.deletingLastPathComponent().path)
  }

  private static func sources(below root: URL) -> [URL] {
    let names =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      let parts = name.split(separator: "/").map(String.init)
      return name.hasSuffix(".swift") && skipped.isDisjoint(with: parts)
        && parts.last != Shim.fileName && parts.last != "Package.swift"
    }.sorted().map { root.appending(path: $0) }
  }
}
