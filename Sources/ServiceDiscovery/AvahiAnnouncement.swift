// SPDX-License-Identifier: MIT

internal import CAvahi
internal import Glibc

/// A connection to avahi-daemon, and the services that it announces.
///
/// Belongs to the announcer's thread, on which libavahi-client calls back. [any-thread]
@safe
final class AvahiAnnouncement {
  /// The time in which a daemon that starts again is no loss.
  private static let patience = Duration.seconds(3)
  /// The time between two attempts to reach a message bus.
  private static let pause = Duration.seconds(5)
  /// The most names that are tried.
  private static let nameLimit = 100

  private let services: [NetworkService]
  private let stream: AsyncStream<AnnouncementNews>.Continuation
  private var name: String
  private var loop: OpaquePointer?
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  /// Since when the services cannot be found, and why; nil while they can be.
  private var loss: (since: ContinuousClock.Instant, reason: String)?
  private var hasReportedLoss = false
  private var nextAttempt = ContinuousClock.now
  private var hasFailed = false
  private var renamings = 0

  /// Makes an announcement that has not begun.
  init(
    _ services: [NetworkService],
    name: String,
    stream: AsyncStream<AnnouncementNews>.Continuation,
  ) {
    self.services = services
    self.name = name
    self.stream = stream
  }

  /// Announces until the control ends it.
  func run(until control: AnnouncerControl) {
    guard let loop = unsafe avahi_simple_poll_new() else {
      stream.yield(.lost(unsafe String(cString: avahi_strerror(Int32(AVAHI_ERR_NO_MEMORY)))))
      return
    }
    unsafe self.loop = loop
    lose("avahi-daemon does not answer")
    var goesOn = unsafe control.use(loop)
    while goesOn {
      if hasFailed { disconnect() }
      if unsafe client == nil, ContinuousClock.now >= nextAttempt { connect() }
      reportLoss()
      goesOn = unsafe avahi_simple_poll_iterate(loop, waitMilliseconds) == 0
    }
    _ = unsafe control.use(nil)
    disconnect()
    unsafe avahi_simple_poll_free(loop)
    unsafe self.loop = nil
  }

  /// The time until something is due; negative for ever.
  private var waitMilliseconds: Int32 {
    var due: [ContinuousClock.Instant] = []
    if unsafe client == nil || hasFailed { due.append(nextAttempt) }
    if let loss, !hasReportedLoss { due.append(loss.since + Self.patience) }
    guard let next = due.min() else { return -1 }
    let wait = max(.zero, next - .now) / .milliseconds(1)
    return Int32(wait) + 1
  }

  // MARK: - The daemon

  private func connect() {
    guard let loop = unsafe loop else { return }
    var fault: Int32 = 0
    let made = unsafe avahi_client_new(
      avahi_simple_poll_get(loop),
      AVAHI_CLIENT_NO_FAIL,
      multiroute_avahi_client,
      Unmanaged.passUnretained(self).toOpaque(),
      &fault,
    )
    guard let made = unsafe made else {
      lose("there is no message bus of the system: \(Self.text(of: fault))")
      nextAttempt = .now + Self.pause
      return
    }
    unsafe client = made
  }

  private func disconnect() {
    if let client = unsafe client { unsafe avahi_client_free(client) }
    // The client's group went with it.
    unsafe client = nil
    unsafe group = nil
    hasFailed = false
  }

  /// Takes in the state of the connection; called inside of `connect` for the first time.
  fileprivate func take(_ state: AvahiClientState, of client: OpaquePointer) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING: unsafe publish(through: client)
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
      // The machine's own name changes: the services follow when it is settled.
      if let group = unsafe group { unsafe avahi_entry_group_reset(group) }
    case AVAHI_CLIENT_CONNECTING: lose("avahi-daemon does not run")
    case AVAHI_CLIENT_FAILURE:
      let fault = unsafe avahi_client_errno(client)
      startAnew(because: Self.text(of: fault), soon: fault == Int32(AVAHI_ERR_DISCONNECTED))
    default: break
    }
  }

  /// A connection that has failed cannot be used again, nor be freed within its own callback.
  private func startAnew(because reason: String, soon: Bool) {
    lose(reason)
    hasFailed = true
    nextAttempt = soon ? .now : .now + Self.pause
  }

  // MARK: - The services

  private func publish(through client: OpaquePointer) {
    if unsafe group == nil {
      unsafe group = avahi_entry_group_new(
        client,
        multiroute_avahi_group,
        Unmanaged.passUnretained(self).toOpaque(),
      )
    }
    guard let group = unsafe group else {
      return startAnew(because: Self.text(of: unsafe avahi_client_errno(client)), soon: false)
    }
    guard unsafe avahi_entry_group_is_empty(group) != 0 else { return }
    var fault = unsafe add(to: group)
    while fault == Int32(AVAHI_ERR_COLLISION), rename() {
      unsafe avahi_entry_group_reset(group)
      fault = unsafe add(to: group)
    }
    if fault == 0 { fault = unsafe avahi_entry_group_commit(group) }
    if fault < 0 { startAnew(because: Self.text(of: fault), soon: false) }
  }

  private func add(to group: OpaquePointer) -> Int32 {
    for service in services {
      var texts: UnsafeMutablePointer<AvahiStringList>?
      // libavahi puts each entry in front of the others.
      for text in service.texts.reversed() { unsafe texts = avahi_string_list_add(texts, text) }
      defer { unsafe avahi_string_list_free(texts) }
      // The ports are open for IPv4 only.
      let fault = unsafe avahi_entry_group_add_service_strlst(
        group,
        AvahiIfIndex(AVAHI_IF_UNSPEC),
        AvahiProtocol(AVAHI_PROTO_INET),
        AvahiPublishFlags(rawValue: 0),
        name,
        service.type,
        nil,
        nil,
        service.port,
        texts,
      )
      guard fault == 0 else { return fault }
    }
    return 0
  }

  /// Takes in the state of the services.
  fileprivate func take(_ state: AvahiEntryGroupState, of group: OpaquePointer) {
    guard let client = unsafe avahi_entry_group_get_client(group) else { return }
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      loss = nil
      hasReportedLoss = false
      let host = unsafe avahi_client_get_host_name_fqdn(client).map { unsafe String(cString: $0) }
      stream.yield(.announced(as: name, host: host))
    case AVAHI_ENTRY_GROUP_COLLISION:
      if rename() { unsafe publish(through: client) }
    case AVAHI_ENTRY_GROUP_FAILURE:
      startAnew(because: Self.text(of: unsafe avahi_client_errno(client)), soon: false)
    default: break
    }
  }

  private func rename() -> Bool {
    renamings += 1
    guard renamings <= Self.nameLimit, let other = unsafe avahi_alternative_service_name(name)
    else {
      return false
    }
    name = unsafe String(cString: other)
    unsafe avahi_free(other)
    return true
  }

  // MARK: - Losses

  private func lose(_ reason: String) {
    loss = (loss?.since ?? .now, reason)
  }

  private func reportLoss() {
    guard let loss, !hasReportedLoss, ContinuousClock.now >= loss.since + Self.patience else {
      return
    }
    hasReportedLoss = true
    stream.yield(.lost(loss.reason))
  }

  private static func text(of fault: Int32) -> String {
    unsafe avahi_strerror(fault).map { unsafe String(cString: $0) } ?? "error \(fault)"
  }
}

/// Is called by libavahi-client when a connection's state has changed.
@c(multiroute_avahi_client)
private func multiroute_avahi_client(
  _ client: OpaquePointer?,
  _ state: AvahiClientState,
  _ context: UnsafeMutableRawPointer?,
) {
  guard let client = unsafe client, let context = unsafe context else { return }
  let announcement = unsafe Unmanaged<AvahiAnnouncement>.fromOpaque(context).takeUnretainedValue()
  unsafe announcement.take(state, of: client)
}

/// Is called by libavahi-client when the state of services has changed.
@c(multiroute_avahi_group)
private func multiroute_avahi_group(
  _ group: OpaquePointer?,
  _ state: AvahiEntryGroupState,
  _ context: UnsafeMutableRawPointer?,
) {
  guard let group = unsafe group, let context = unsafe context else { return }
  let announcement = unsafe Unmanaged<AvahiAnnouncement>.fromOpaque(context).takeUnretainedValue()
  unsafe announcement.take(state, of: group)
}
