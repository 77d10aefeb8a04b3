// SPDX-License-Identifier: MIT

package import NIOCore
internal import NIOSSL
package import Surfaces

/// A certificate with its key, which encrypts the connections to a web server (TLS 1.2 and later).
///
/// Pure value: [any-thread].
package struct WebCertificate: WebEncryption {
  /// The settings of the encryption.
  private let context: NIOSSLContext

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: The file of the certificate, in PEM, with those that lead from it to a known one.
  ///   - keyPath: The file of the private key, in PEM.
  /// - Throws: ``WebServerError`` with the file and the fault.
  package init(path: String, keyPath: String) throws(WebServerError) {
    let certificates = try Self.read(path, "no certificate in PEM") {
      try NIOSSLCertificate.fromPEMFile(path)
    }
    let key = try Self.read(keyPath, "no private key in PEM without a password") {
      try NIOSSLPrivateKey(file: keyPath, format: .pem)
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) },
      privateKey: .privateKey(key),
    )
    configuration.minimumTLSVersion = .tlsv12
    context = try Self.read(path, "not the certificate of the key in \(keyPath)") {
      try NIOSSLContext(configuration: configuration)
    }
  }

  /// Makes the part of a connection that encrypts it. [server-loop]
  package func handler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }

  private static func read<Value>(
    _ path: String,
    _ fault: String,
    _ body: () throws -> Value,
  ) throws(WebServerError) -> Value {
    do {
      return try body()
    } catch {
      throw WebServerError(description: "\(path) is \(fault)")
    }
  }
}
