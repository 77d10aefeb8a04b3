// SPDX-License-Identifier: MIT

import NIOCore

/// The use that all connections of one process, or of one address in the network, make of the host together. [server-loop]
final class ProcessAccount {
  private static let refusalsPerSecond = 64.0

  /// The number of its connections.
  var connections = 0
  /// The time that its connections have used on all threads.
  var time = TimeAccount(share: 0.1)
  /// Whether the log has a line about its use of the handler's thread.
  var wasReported = false

  /// The connections that it has made.
  private var connecting: TokenBucket
  /// The refusals that it has been told.
  private var refusals: TokenBucket
  /// The time on the handler's thread, in seconds.
  private var handling: TokenBucket
  /// Until when its requests wait.
  private var waitsUntilNanoseconds: UInt64 = 0

  /// Makes the account of a process that has used nothing.
  init(limits: ControlServerConfiguration.Limits, nowNanoseconds: UInt64) {
    connecting = TokenBucket(
      perSecond: limits.newConnectionsPerSecond,
      burst: Double(limits.connectionsPerProcess),
      nowNanoseconds: nowNanoseconds,
    )
    refusals = TokenBucket(
      perSecond: Self.refusalsPerSecond,
      burst: Self.refusalsPerSecond,
      nowNanoseconds: nowNanoseconds,
    )
    handling = TokenBucket(
      perSecond: limits.handlingShare,
      burst: limits.handlingBurstSeconds,
      nowNanoseconds: nowNanoseconds,
    )
  }

  /// Whether it may connect once more: it did not connect too often; a refused attempt does not count.
  func mayConnect(nowNanoseconds: UInt64) -> Bool {
    connecting.takeIfPaid(1, nowNanoseconds: nowNanoseconds)
  }

  /// Whether it is to be told of one more refusal; telling costs more than to close a connection.
  func mayBeTold(nowNanoseconds: UInt64) -> Bool {
    refusals.takeIfPaid(1, nowNanoseconds: nowNanoseconds)
  }

  /// Adds time that a request has taken on the handler's thread.
  func chargeHandling(_ usedNanoseconds: UInt64, nowNanoseconds: UInt64) {
    let wait = handling.take(Double(usedNanoseconds) * 1e-9, nowNanoseconds: nowNanoseconds)
    waitsUntilNanoseconds = nowNanoseconds + UInt64(wait)
  }

  /// How long its next request has to wait; 0 for no wait.
  func handlingWait(nowNanoseconds: UInt64) -> Int64 {
    waitsUntilNanoseconds > nowNanoseconds ? Int64(waitsUntilNanoseconds - nowNanoseconds) : 0
  }

  /// Whether it can be forgotten: without connections and without debts.
  func isOver(nowNanoseconds: UInt64) -> Bool {
    connections == 0 && time.clear(nowNanoseconds: nowNanoseconds) == 0
      && handlingWait(nowNanoseconds: nowNanoseconds) == 0
  }
}

/// The use that one connection makes of the host. [server-loop]
final class ConnectionAccount {
  /// The account of its process.
  let process: ProcessAccount
  /// The time that it has used on all threads.
  ///
  /// The share is small, so that 64 connections of one process have debts.
  private(set) var time = TimeAccount(share: 0.01)

  /// Makes the account of a connection that has used nothing.
  init(of process: ProcessAccount) { self.process = process }

  /// Adds used time, to the process's too.
  func charge(_ usedNanoseconds: UInt64, nowNanoseconds: UInt64) {
    time.charge(usedNanoseconds, nowNanoseconds: nowNanoseconds)
    process.time.charge(usedNanoseconds, nowNanoseconds: nowNanoseconds)
  }
}

/// The accounts of the processes that have connections, and of those that still have debts. [server-loop]
final class ProcessAccounts {
  private let limits: ControlServerConfiguration.Limits
  private let eventLoop: any EventLoop
  private var accounts: [AccountOwner: ProcessAccount] = [:]
  private var sweep: Scheduled<Void>?

  init(limits: ControlServerConfiguration.Limits, eventLoop: any EventLoop) {
    self.limits = limits
    self.eventLoop = eventLoop
  }

  /// The account of a process or an address.
  func account(of owner: AccountOwner) -> ProcessAccount {
    if let account = accounts[owner] { return account }
    let now = NIODeadline.now().uptimeNanoseconds
    let account = ProcessAccount(limits: limits, nowNanoseconds: now)
    accounts[owner] = account
    scheduleSweep()
    return account
  }

  /// Forgets processes that have gone, but only without a debt: nobody gets rid of one by connecting anew.
  private func scheduleSweep() {
    guard sweep == nil else { return }
    sweep = eventLoop.assumeIsolated().scheduleTask(in: .seconds(30)) {
      self.sweep = nil
      let now = NIODeadline.now().uptimeNanoseconds
      self.accounts = self.accounts.filter { !$0.value.isOver(nowNanoseconds: now) }
      if !self.accounts.isEmpty { self.scheduleSweep() }
    }
  }
}
