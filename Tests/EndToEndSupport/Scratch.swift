// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A folder of a test's own, with the run-time directory of its hosts; removed with the last reference to it.
final class Scratch: Sendable {
  /// Where it is; short, because socket paths have to be.
  let path: String
  /// Stands for `$XDG_RUNTIME_DIR`.
  let runtimeDirectory: String

  private static let serial = Atomic<Int>(0)

  init() throws {
    path = "/tmp/mr-e2e-\(getpid())-\(Self.number())"
    runtimeDirectory = path + "/run"
    try FileManager.default.createDirectory(
      atPath: runtimeDirectory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700],
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A number that no other caller in this process gets.
  static func number() -> Int { serial.wrappingAdd(1, ordering: .relaxed).newValue }

  /// A unique name for a host or a server.
  static func uniqueName(_ kind: String) -> String { "e2e-\(kind)-\(getpid())-\(number())" }

  /// Where control sockets are.
  var socketDirectory: String { runtimeDirectory + "/multiroute" }

  /// Makes a folder with a new name.
  func makeFolder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)-\(Self.number())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a text file, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// Writes a sound file at 48 kHz, or another rate, and returns its path.
  @discardableResult
  func write(
    _ channels: [[Float]],
    to name: String,
    format: AudioFileFormat,
    sampleRateHz: Double = 48_000,
  ) throws -> String {
    let file = "\(path)/\(name)"
    let writer = try AudioFileWriter(
      path: file,
      format: format,
      sampleRateHz: sampleRateHz,
      channels: channels.count,
    )
    let interleaved = (0..<(channels.first?.count ?? 0)).flatMap { frame in
      channels.map { $0[frame] }
    }
    try writer.write(interleaved.span)
    try writer.close()
    return file
  }
}
