// SPDX-License-Identifier: MIT

import Foundation
import GraphFiles
import Testing

/// The certificate of `surfaces.web`.
struct WebSectionTests {
  private let folder = NSTemporaryDirectory() + "multiroute-web-\(UUID())"

  /// The page of a graph in a folder with a certificate and its key.
  private func page(_ web: String, keyMode: Int = 0o600) throws -> GraphFile.Surfaces.Web? {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, mode) in [("cert.pem", 0o644), ("key.pem", keyMode)] {
      _ = FileManager.default.createFile(
        atPath: "\(folder)/\(name)",
        contents: Data("x".utf8),
        attributes: [.posixPermissions: mode]
      )
    }
    let graph = """
      multiroute: 1
      routes: {main: {type: lineOut, ports: ["system:playback_1"]}}
      sources: {beep: {tone: {}}}
      surfaces: {web: \(web)}
      """
    return try GraphFile.parse(graph, path: "\(folder)/g.yaml").surfaces.web
  }

  private func fault(_ web: String, keyMode: Int = 0o600) -> String {
    do {
      _ = try page(web, keyMode: keyMode)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [0o600, 0o400, 0o640])
  func `the files are found from the graph's folder`(mode: Int) throws {
    let page = try page("{certificate: cert.pem, key: key.pem}", keyMode: mode)
    let expected = GraphFile.Surfaces.Certificate(
      path: folder + "/cert.pem",
      keyPath: folder + "/key.pem"
    )
    #expect(page?.certificate == expected)
    #expect(try self.page("{}")?.certificate == nil)
  }

  @Test(arguments: [0o644, 0o604, 0o602])
  func `a key that others may read or change is refused`(mode: Int) {
    let fault = fault("{certificate: cert.pem, key: key.pem}", keyMode: mode)
    #expect(fault.contains("g.yaml:4:46: error: key: other users may read or change the file"))
    #expect(fault.contains("chmod 600"))
  }

  @Test func `one file without the other, and one that is not there, are refused`() {
    #expect(fault("{certificate: cert.pem}").contains("certificate: a certificate without its key"))
    #expect(fault("{key: key.pem}").contains("key: a key without a certificate"))
    let missing = fault("{certificate: no.pem, key: key.pem}")
    #expect(missing.contains("g.yaml:4:31: error: certificate: 'no.pem': no such file"))
  }
}
