// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The tree of parameters over OSC: messages set and ask, subscribers are told of changes.
///
/// One `set` of the tree is under way at a time; meanwhile the latest value of each address waits in the inbox, so a flood of
/// messages neither grows nor delays the host.
public actor OSCSurface {
  private let tree: any ParameterTree
  private let directory: OSCDirectory
  private let sender: OSCSender
  private let loops: OSCLoops

  private var subscriptions = OSCSubscriptions()
  private var echoes = OSCEchoes()
  private let schedule: OSCSchedule
  private var ports = OSCPorts()

  /// Makes a surface; ``begin()`` begins its work.
  ///
  /// - Parameters:
  ///   - tree: The tree, used by this surface alone.
  ///   - inbox: Takes in the packets of the transport.
  ///   - transport: The way to the clients.
  init(tree: any ParameterTree, inbox: OSCInbox, transport: any OSCTransport) {
    self.tree = tree
    directory = OSCDirectory(tree)
    sender = OSCSender(transport)
    loops = OSCLoops(tree: tree, inbox: inbox, sender: sender)
    schedule = OSCSchedule(inbox)
  }

  /// Begins to take packets and to send changes.
  func begin() { loops.begin(self) }

  /// Closes the port, and leaves the tree.
  public func end() async { await loops.end() }

  // MARK: - In

  private func take(_ entry: OSCInbox.Entry, _ changes: inout OSCChangeSet) async {
    switch entry {
    case .packet(let packet, let client): await take(packet, from: client, &changes)
    case .fault(let fault, let client): await complain(fault, about: "/", to: client)
    case .closed(let client): await leave(client)
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
    let refused = await tree.setEach(collected.changes.map(\.setting))
    guard !refused.isEmpty else { return }
    // A parameter may have gone since the book was made.
    await directory.doubt()
    for (place, fault) in refused {
      let change = collected.changes[place]
      echoes.forget(change.address)
      await complain(OSCError(fault.message), about: change.address, to: change.client)
      await takeBack(change)
    }
  }

  /// Gives a subscriber the value of a parameter that it could not set.
  private func takeBack(_ change: OSCChangeSet.Change) async {
    let client = ports.receiver(for: change.client)
    // The client knows already why it was refused; a parameter that has gone has no value.
    guard let subscriber = subscriptions.subscribers[client], subscriber.wants(change.address),
      let address = await directory.book[change.address],
      let present = try? await tree.get([address.parameter.path]).first
    else { return }
    await sender.send([address.message(present.value, subscriber.form)], to: client)
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
      try await watch(tellingOf: interest, to: receiver)
      loops.beginTicks()
    case .unsubscribe(let path, let port):
      subscriptions.unsubscribe(ports.receiver(for: client, port: port), from: path)
      await watchFewer()
    case .renew(let port):
      guard subscriptions.renew(ports.receiver(for: client, port: port), now: .now) else {
        throw OSCError("there are no subscriptions any more; subscribe again")
      }
    }
  }

  private func leave(_ client: OSCClient) async {
    subscriptions.unsubscribe(client, from: nil)
    await sender.forget(client)
    await watchFewer()
  }

  /// Watches what is left of the subscriptions.
  private func watchFewer() async {
    // The host refuses only those who do not watch yet, and tells of that itself.
    _ = try? await watch()
  }

  /// Watches all that somebody has subscribed to.
  ///
  /// - Returns: The present values.
  @discardableResult
  private func watch() async throws(ControlError) -> [ParameterSetting] {
    try await tree.watch(subscriptions.watched(in: await directory.book), echoes: true)
  }

  /// Watches a new subscription, and tells its present values.
  ///
  /// - Throws: ``OSCError`` where the host takes no further watchers; the subscription has ended.
  private func watch(tellingOf interest: OSCInterest, to client: OSCClient) async throws(OSCError) {
    let values: [ParameterSetting]
    do throws(ControlError) {
      values = try await watch()
    } catch {
      subscriptions.unsubscribe(client, from: interest.path)
      throw OSCError(error.message)
    }
    guard let form = subscriptions.subscribers[client]?.form else { return }
    let book = await directory.book
    let messages = values.flatMap { setting in
      book.addresses(ofParameter: setting.path).filter { interest.contains($0.path) }
        .map { $0.message(setting.value, form) }
    }
    await sender.send(messages, to: client)
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

  /// Goes on with other addresses; OSC has no word for that, so a subscriber is sent the values at the new ones.
  private func rename(_ steps: [ParameterRename]) async {
    echoes.rename(steps)
    let renamed = subscriptions.rename(steps)
    await directory.doubt()
    await directory.refresh(after: .zero)
    // A pattern may reach others now. The surface watches already, so it is not refused.
    let values = (try? await watch()) ?? []
    let present = Dictionary(values.map { ($0.path, $0.value) }) { $1 }
    let book = await directory.book
    for (client, interest) in renamed {
      guard let form = subscriptions.subscribers[client]?.form else { continue }
      let messages = book.addresses(of: interest).compactMap { address in
        present[address.parameter.path].map { address.message($0, form) }
      }
      await sender.send(messages, to: client)
    }
  }

  private func complain(_ fault: OSCError, about path: String, to client: OSCClient) async {
    await sender.complain(fault, about: path, to: ports.receiver(for: client))
  }
}

extension OSCSurface: OSCService {
  func take(_ entries: [OSCInbox.Entry], lost: Int) async {
    var changes = OSCChangeSet()
    for entry in entries { await take(entry, &changes) }
    await carryOut(&changes)
    if lost > 0, case .packet(_, let client)? = entries.last {
      await complain(OSCError("\(lost) packets were dropped; send fewer"), about: "/", to: client)
    }
  }

  func tell(_ changes: ParameterChanges) async {
    guard !subscriptions.subscribers.isEmpty else { return }
    if let steps = changes.renamed { await rename(steps) }
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

  func tick() async -> Duration? {
    if subscriptions.expire(now: .now) { await watchFewer() }
    return subscriptions.subscribers.isEmpty ? nil : .milliseconds(100)
  }
}
