// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The tree of parameters over OSC: messages set and ask, subscribers are told of changes.
///
/// One `set` of the tree is under way at a time; meanwhile the latest value of each address waits in the inbox, so a flood of
/// messages neither grows nor delays the host.
public actor OSCSurface {
  private let tree: any ParameterTree
  private let inbox: OSCInbox
  private let directory: OSCDirectory
  private let sender: OSCSender

  private var subscriptions = OSCSubscriptions()
  private var echoes = OSCEchoes()
  private let schedule: OSCSchedule
  private var ports = OSCPorts()
  private var isWatchingLeases = false
  private var hasEnded = false
  private var tasks: [Task<Void, Never>] = []

  /// Makes a surface; ``begin()`` begins its work.
  ///
  /// - Parameters:
  ///   - tree: The tree, used by this surface alone.
  ///   - inbox: Takes in the packets of the transport.
  ///   - transport: The way to the clients.
  init(tree: any ParameterTree, inbox: OSCInbox, transport: any OSCTransport) {
    self.tree = tree
    self.inbox = inbox
    directory = OSCDirectory(tree)
    sender = OSCSender(transport)
    schedule = OSCSchedule(inbox)
  }

  /// Begins to take packets and to send changes.
  func begin() {
    tasks = [
      Task { [weak self, wakes = inbox.wakes] in
        for await _ in wakes { await self?.takeAll() }
      },
      Task { [weak self, news = tree.news] in
        for await news in news {
          if case .parameters(let changes) = news { await self?.tell(changes) }
        }
      },
    ]
  }

  /// Closes the port, and leaves the tree.
  public func end() async {
    hasEnded = true
    await sender.end()
    inbox.close()
    for task in tasks { task.cancel() }
    await tree.close()
  }

  // MARK: - In

  private func takeAll() async {
    while !hasEnded {
      let (entries, lost) = inbox.drain()
      guard !entries.isEmpty else { return }
      var changes = OSCChangeSet()
      for entry in entries {
        switch entry {
        case .packet(let packet, let client): await take(packet, from: client, &changes)
        case .fault(let fault, let client): await complain(fault, about: "/", to: client)
        case .closed(let client): await leave(client)
        }
      }
      await carryOut(&changes)
      if lost > 0, case .packet(_, let client)? = entries.last {
        await complain(OSCError("\(lost) packets were dropped; send fewer"), about: "/", to: client)
      }
    }
  }

  private func take(
    _ packet: OSCPacket,
    from client: OSCClient,
    _ changes: inout OSCChangeSet,
  ) async {
    switch packet {
    case .message(let message): await take(message, from: client, &changes)
    case .bundle(let bundle):
      guard let delay = OSCSchedule.delay(of: bundle.time) else {
        return await take(bundle, from: client, &changes)
      }
      do throws(OSCError) {
        try await schedule.postpone(bundle, by: delay, from: client)
      } catch {
        await complain(error, about: "#bundle", to: client)
      }
    }
  }

  /// Carries out a bundle whose time has come: all of its changes, or none if one is faulty.
  private func take(
    _ bundle: OSCBundle,
    from client: OSCClient,
    _ changes: inout OSCChangeSet,
  ) async {
    var own = OSCChangeSet()
    for element in bundle.elements {
      switch element {
      case .bundle: await take(element, from: client, &changes)
      case .message(let message) where !OSCCommand.isCommand(message) && !message.values.isEmpty:
        do throws(OSCError) {
          try await add(message, from: client, to: &own)
        } catch {
          await complain(error, about: message.path, to: client)
          return
        }
      case .message: break
      }
    }
    changes.append(own)
    for case .message(let message) in bundle.elements
    where OSCCommand.isCommand(message) || message.values.isEmpty {
      await take(message, from: client, &changes)
    }
  }

  private func take(
    _ message: OSCMessage,
    from client: OSCClient,
    _ changes: inout OSCChangeSet,
  ) async {
    do throws(OSCError) {
      if let command = try OSCCommand(message) {
        await carryOut(&changes)
        try await carryOut(command, of: client)
      } else if message.values.isEmpty {
        await carryOut(&changes)
        try await answer(message.path, to: client)
      } else {
        try await add(message, from: client, to: &changes)
      }
    } catch {
      await complain(error, about: message.path, to: client)
    }
  }

  private func add(
    _ message: OSCMessage,
    from client: OSCClient,
    to changes: inout OSCChangeSet,
  ) async throws(OSCError) {
    var fault: OSCError?
    var count = 0
    for address in try await directory.addresses(message.path) {
      do throws(OSCError) {
        changes.add(try address.setting(message.values), at: address.path, by: client)
        count += 1
      } catch {
        fault = error
      }
    }
    // A pattern may reach parameters that do not take the value, beside those that do.
    if count == 0, let fault { throw fault }
  }

  /// Sets what has been collected, all of it in one step.
  private func carryOut(_ changes: inout OSCChangeSet) async {
    let collected = changes
    changes = OSCChangeSet()
    guard !collected.isEmpty else { return }
    for change in collected.changes {
      echoes.note(change.setting.value, at: change.address, by: ports.receiver(for: change.client))
    }
    do throws(ControlError) {
      try await tree.set(collected.changes.map(\.setting), rampMilliseconds: nil)
    } catch {
      await carryOutEach(collected)
    }
  }

  /// Sets one by one, so that a fault hits only the change that has it.
  private func carryOutEach(_ collected: OSCChangeSet) async {
    for change in collected.changes {
      do throws(ControlError) {
        try await tree.set([change.setting], rampMilliseconds: nil)
      } catch {
        // The parameter may have gone since the book was made.
        await directory.doubt()
        await complain(OSCError(error.message), about: change.address, to: change.client)
      }
    }
  }

  // MARK: - Commands

  private func carryOut(_ command: OSCCommand, of client: OSCClient) async throws(OSCError) {
    switch command {
    case .ignored: break
    case .port(let port):
      try ports.set(port, for: client)
    case .subscribe(let interest, let options):
      let receiver = ports.receiver(for: client, port: options.port)
      await directory.refresh(after: .milliseconds(250))
      try subscriptions.subscribe(receiver, to: interest, options: options, now: .now)
      await watch(tellingOf: interest, to: receiver)
      watchLeases()
    case .unsubscribe(let path, let port):
      subscriptions.unsubscribe(ports.receiver(for: client, port: port), from: path)
      await watch()
    case .renew(let port):
      guard subscriptions.renew(ports.receiver(for: client, port: port), now: .now) else {
        throw OSCError("there are no subscriptions any more; subscribe again")
      }
    }
  }

  private func leave(_ client: OSCClient) async {
    subscriptions.unsubscribe(client, from: nil)
    await sender.forget(client)
    await watch()
  }

  /// Watches all that somebody has subscribed to.
  ///
  /// - Parameters:
  ///   - interest: A new subscription.
  ///   - client: The subscriber, which is told all present values of it.
  private func watch(tellingOf interest: OSCInterest? = nil, to client: OSCClient? = nil) async {
    let book = await directory.book
    guard let values = try? await tree.watch(subscriptions.watched(in: book), echoes: true),
      let interest, let client, let form = subscriptions.subscribers[client]?.form
    else { return }
    let messages = values.flatMap { setting in
      book.addresses(ofParameter: setting.path).filter { interest.contains($0.path) }
        .map { $0.message(setting.value, form) }
    }
    await sender.send(messages, to: client)
  }

  /// Ends leases while there are some.
  private func watchLeases() {
    guard !isWatchingLeases else { return }
    isWatchingLeases = true
    Task { [weak self] in
      while await self?.endLeases() == true { try? await Task.sleep(for: .milliseconds(100)) }
    }
  }

  private func endLeases() async -> Bool {
    if subscriptions.expire(now: .now) { await watch() }
    isWatchingLeases = !subscriptions.subscribers.isEmpty && !hasEnded
    return isWatchingLeases
  }

  // MARK: - Out

  private func answer(_ path: String, to asker: OSCClient) async throws(OSCError) {
    let addresses = try await directory.addresses(path)
    let values: [ParameterSetting]
    do throws(ControlError) {
      values = try await tree.get(addresses.map(\.parameter.path))
    } catch {
      await directory.doubt()
      throw OSCError(error.message)
    }
    let client = ports.receiver(for: asker)
    let form = subscriptions.subscribers[client]?.form ?? OSCForm()
    await sender.send(
      zip(addresses, values).map { address, setting in address.message(setting.value, form) },
      to: client
    )
  }

  private func tell(_ changes: ParameterChanges) async {
    guard !subscriptions.subscribers.isEmpty else { return }
    var book = await directory.book
    if changes.changes.contains(where: { book.addresses(ofParameter: $0.path).isEmpty }) {
      await directory.refresh(after: .milliseconds(20))
      book = await directory.book
    }
    var messages: [OSCClient: [OSCMessage]] = [:]
    for setting in changes.changes {
      for address in book.addresses(ofParameter: setting.path) {
        let owner = echoes.owner(of: setting.value, at: address.path)
        for (client, subscriber) in subscriptions.subscribers
        where (client != owner || subscriber.echoes) && subscriber.wants(address.path) {
          messages[client, default: []].append(address.message(setting.value, subscriber.form))
        }
      }
    }
    for (client, messages) in messages { await sender.send(messages, to: client) }
  }

  private func complain(_ fault: OSCError, about path: String, to client: OSCClient) async {
    await sender.complain(fault, about: path, to: ports.receiver(for: client))
  }
}
