// SPDX-License-Identifier: MIT

internal import Glibc

extension GraphFile.Surfaces {
  /// A certificate with its key, two files in PEM.
  public struct Certificate: Sendable, Equatable {
    /// The file of the certificate, and of those that lead from it to a known one.
    public var path: String
    /// The file of the private key.
    public var keyPath: String

    /// Makes a certificate from its files.
    public init(path: String, keyPath: String) {
      self.path = path
      self.keyPath = keyPath
    }
  }
}

extension Section<WebKey> {
  /// Reads the two files of a certificate, which are there together or not at all.
  func certificate(_ media: MediaFiles) -> GraphFile.Surfaces.Certificate? {
    guard let certificate = self[.certificate] else {
      self[.key]?.error("a key without a certificate; write 'certificate: FILE' too")
      return nil
    }
    guard let key = self[.key] else {
      certificate.error("a certificate without its key; write 'key: FILE' too")
      return nil
    }
    guard let path = certificate.file(media, of: "the certificate in PEM"),
      let keyPath = key.file(media, of: "the private key in PEM")
    else { return nil }
    let others = Self.mode(of: keyPath) & 0o007
    guard others == 0 else {
      key.error("other users may read or change the file; allow your own user alone: chmod 600")
      return nil
    }
    return GraphFile.Surfaces.Certificate(path: path, keyPath: keyPath)
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : 0
  }
}

extension Field {
  /// The path of a file that can be read; relative ones begin at the graph file's folder.
  fileprivate func file(_ media: MediaFiles, of content: String) -> String? {
    guard let path = text(allowed: "the path of \(content)") else { return nil }
    let resolved = media.resolve(path)
    guard case .unusable(let reason) = FileProbe.disk.examine(resolved) else { return resolved }
    error("\(MessageText.quoted(path, limit: 400)): \(reason); write the path of \(content)")
    return nil
  }
}
