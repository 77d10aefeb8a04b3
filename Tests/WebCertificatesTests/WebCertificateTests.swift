// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport
import Testing
import WebCertificates

@testable import Surfaces

/// TLS, with certificates of openssl and curl as the browser.
@Suite(.timeLimit(.minutes(1)))
struct WebCertificateTests {
  private let folder: String

  init() async throws {
    folder = NSTemporaryDirectory() + "multiroute-tls-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      let end = try await runProgram(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2",
          "-keyout", path("\(name).key"), "-out", path("\(name).crt"),
        ]
      )
      try #require(end.status == 0, "\(end.errors)")
    }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func curl(_ words: String...) async throws -> ProgramEnd {
    try await runProgram("curl", ["--silent", "--include", "--max-time", "10"] + words)
  }

  @Test func `a browser that knows the certificate logs in, and its cookie is for TLS alone`()
    async throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tokens = WebTokens(nowSeconds: { 0 })
    var configuration = WebServer.Configuration(port: 0)
    configuration.tokens = tokens
    configuration.encryption = try WebCertificate(path: path("a.crt"), keyPath: path("a.key"))
    #expect(configuration.page(at: "localhost") == "https://localhost:0")
    let site = WebPageSite(files: PageFiles([]))
    let door = WebDoor(site: site, tokens: tokens, hostName: "dj")
    let server = try await WebServer.start(configuration, site: door)
    let page = "https://localhost:\(server.port)"
    let token = try #require(tokens.make(role: .all)).token
    let login = try await curl(
      "--cacert",
      path("a.crt"),
      "-X",
      "POST",
      "-H",
      "Authorization: Bearer \(token)",
      "-H",
      "Origin: \(page)",
      page + "/login",
    )
    #expect(login.output.hasPrefix("HTTP/1.1 204"), "\(login)")
    #expect(login.output.contains("; HttpOnly; SameSite=Strict; Secure\r\n"))
    let foreign = try await curl(
      "--cacert",
      path("a.crt"),
      "-H",
      "Origin: http://localhost:\(server.port)",
      page + "/me"
    )
    #expect(foreign.output.hasPrefix("HTTP/1.1 403"), "\(foreign)")
    #expect(try await curl("--cacert", path("b.crt"), page + "/me").status == 60)
    #expect(try await curl("http://localhost:\(server.port)/me").status != 0)
    #expect(
      try await curl("--cacert", path("a.crt"), "--tls-max", "1.1", page + "/me").status == 35
    )
    await server.close()
  }

  @Test func `files that are no certificate and its key are named`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func fault(_ certificate: String, _ key: String) -> String {
      do {
        _ = try WebCertificate(path: path(certificate), keyPath: path(key))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(fault("a.crt", "a.key").isEmpty)
    #expect(fault("a.key", "a.key") == path("a.key") + " is no certificate in PEM")
    #expect(
      fault("a.crt", "a.crt") == path("a.crt") + " is no private key in PEM without a password"
    )
    #expect(
      fault("a.crt", "b.key")
        == path("a.crt") + " is not the certificate of the key in " + path("b.key")
    )
  }
}
