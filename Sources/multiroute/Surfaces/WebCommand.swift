// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Glibc
import Sessions

/// `multiroute web`: lets others into the web page.
struct WebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Let a phone or a tablet into the web page, and take its key back.",
    subcommands: [Open.self, Address.self, Tokens.self],
  )

  /// `web open`.
  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "open",
      abstract: "Open the page in this machine's browser, as the desktop's icon does.",
      discussion: "Without a running host it starts the service of your user first.",
    )
    @OptionGroup var host: HostOption

    func run() async throws {
      if host.host == nil, await isAlone() {
        let started = try await ChildProgram.run(["systemctl", "--user", "start", "multiroute"])
        guard started == 0 else {
          Terminal.complain(
            "error: no host is running, and the service does not start; "
              + "see 'systemctl --user status multiroute'"
          )
          throw ExitCode.unavailable
        }
      }
      let surfaces = try await host.withClient { try await $0.call(GetStatus.self).surfaces }
      guard let page = surfaces.first(where: { $0.kind == "web" && $0.fault == nil }) else {
        Terminal.complain(
          "error: the host serves no page; add 'surfaces: {web: {port: 8080}}' to its graph, or run it with --web"
        )
        throw ExitCode.unavailable
      }
      let status = try await ChildProgram.run(["xdg-open", "http://localhost:\(page.port)/"])
      if status != 0 { throw ExitCode(status) }
    }

    /// Whether no host is running.
    private func isAlone() async -> Bool {
      do throws(ControlClientError) {
        _ = try HostAddress.only.path()
        return false
      } catch {
        return error.code == .noSuchHost
      }
    }
  }

  /// `web address`.
  struct Address: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "address",
      abstract: "Print an address that opens the page once, and a QR code of it on a terminal.",
      discussion: """
        The address is good for 10 minutes. The browser that opens it stays logged in until its key is taken back.
        Example: multiroute web address --role mix --route monitor --label "Ana's phone"
        """,
    )
    @OptionGroup var host: HostOption
    @OptionGroup var key: WebKeyOptions

    func run() async throws {
      let made = try await host.withClient { try await $0.call(MakeWebToken.self, key.params) }
      for address in made.addresses { Terminal.say(address) }
      // Last, because a low terminal would scroll it away.
      if let address = made.addresses.first { Terminal.draw(code: address) }
    }
  }

  /// `web tokens`.
  struct Tokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tokens",
      abstract: "List, make and take back the keys to the page.",
      subcommands: [List.self, Make.self, Revoke.self],
      defaultSubcommand: List.self,
    )
  }

  /// `web tokens list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the keys to the page."
    )
    @OptionGroup var host: HostOption
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
      let list = try await host.withClient { try await $0.call(ListWebTokens.self) }
      if json { return try Terminal.say(json: list) }
      if list.tokens.isEmpty { return Terminal.say("no keys; 'multiroute web address' makes one") }
      for line in WebTokenTable.lines(list, nowSeconds: time(nil)) { Terminal.say(line) }
    }
  }

  /// `web tokens make`.
  struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make",
      abstract: "Make a key that opens the page once, and print its addresses."
    )
    @OptionGroup var host: HostOption
    @OptionGroup var key: WebKeyOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
      let made = try await host.withClient { try await $0.call(MakeWebToken.self, key.params) }
      if json { return try Terminal.say(json: made) }
      for address in made.addresses { Terminal.say(address) }
    }
  }

  /// `web tokens revoke`.
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "Take a key back, and close its connections."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The key's number, from 'web tokens list'.") var id: Int

    func run() async throws {
      _ = try await host.withClient {
        try await $0.call(RevokeWebToken.self, RevokeWebToken.Params(id: id))
      }
    }
  }
}

/// The rights and the label of a key.
///
/// Pure value: [any-thread].
struct WebKeyOptions: ParsableArguments {
  @Option(
    help: "The rights: all, mix (one route's sends and gain) or watch (reading only).",
    transform: { text in
      guard let role = WebRole(name: text) else {
        throw ValidationError("'\(text)' is not a role; allowed: \(WebRole.allowed)")
      }
      return role
    }
  )
  var role = WebRole.all

  @Option(help: "The route of the role mix.") var route: String?
  @Option(help: "Words by which you know the key, such as \"Ana's phone\".") var label: String?

  var params: MakeWebToken.Params { MakeWebToken.Params(role: role, route: route, label: label) }
}
