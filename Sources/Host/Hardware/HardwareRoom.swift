// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import ServerControl
internal import Sessions

/// The sample rate and the I/O buffer: the preferences, the actual values, and the reasons.
///
/// Changes of the hardware take time, and follow each other in ``settle(_:)``'s queue; notifications of JACK never wait
/// for them. Belongs to the control thread.
final class HardwareRoom {
  /// The other rooms, as the hardware needs them; the host joins them once all rooms exist.
  struct Links {
    /// The values that the sessions prefer now; nil without any.
    var demand: () -> HardwareDemand? = { nil }
    /// The hardware runs at other values, or a preference was settled; `byOthers` where another program did it.
    var changed: (_ values: HardwareValues, _ byOthers: Bool) -> Void = { _, _ in }
    /// Leaves the server and attaches anew with the sessions as they are; faded routes get these gains in dB back.
    var attachAnew: (_ routeGains: [String: Double]) async -> Void = { _ in }
  }

  /// The fade of the routes before the server is restarted.
  private static let fadeSeconds = 0.01

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let server: any HostServer
  private var links = Links()
  /// The preferences of the graph's session.
  private var preference: ServerPreference { graph.serverPreference }
  /// The present preferences: the graph's, or those of all active sessions together.
  private var asked: ServerPreference
  private var actual = NegotiatedHardware()
  private var bufferBudget = EnforcementBudget()
  /// The buffer that the server had before the host's.
  private var loan: BufferLoan?
  /// The buffer that a user has set with another program, in frames, where that counts (`enforce: users`).
  private var userFrames: Int?
  private var rates = RateChoice()
  /// Whether the host itself is changing the buffer at this moment.
  private var isSettingBuffer = false
  /// Whether the buffer that sessions ask for is to be set once no client is stopped.
  private var isBufferStale = false
  private var haveStoppedClients = false
  private var work: Task<Void, Never>?

  /// Makes a room for hardware that is still unknown.
  init(
    control: Control,
    graph: GraphRoom,
    server: any HostServer,
  ) {
    self.control = control
    inForce = graph
    self.server = server
    asked = graph.file.serverPreference
  }

  /// Joins the other rooms.
  func join(_ links: Links) { self.links = links }

  // MARK: - Questions

  /// The server's actual values, with reasons.
  var facts: NegotiatedHardware { actual }
  /// Why the rate that the sessions ask for is not the actual one; nil where the server was not asked.
  var rateRefusal: String? { rates.refusal }

  /// The sample rate in hertz; 0 before the first attachment.
  var sampleRateHz: Int { actual.sampleRateHz }
  /// The I/O buffer in frames; 0 before the first attachment.
  var bufferFrames: Int { actual.bufferFrames }
  /// The length of a period in microseconds.
  var periodMicroseconds: Double { actual.periodMicroseconds }

  /// The hardware as the control tower sees it.
  var towerFacts: HardwareFacts {
    HardwareFacts(
      base: actual.values,
      canSetSampleRate: server.canSetSampleRate,
      sampleRatesHz: RateChoice.ratesHz(
        actualHz: actual.sampleRateHz,
        preferredHz: preference.sampleRateHz,
      ),
      minimumBufferFrames: 16,
      maximumBufferFrames: 8_192,
    )
  }

  /// The session of the graph itself.
  ///
  /// - Throws: `SessionError` for a combination that only the tower knows to be wrong.
  func hostSession() throws(SessionError) -> SessionDescription {
    try graph.hostSession(preference, sampleRateHz: actual.sampleRateHz)
  }

  // MARK: - The server

  /// Opens the host's client and brings the server to the preferred values.
  ///
  /// - Parameter keepingSessions: Whether the sessions and their preferences stay.
  /// - Returns: The client, open and not active yet.
  /// - Throws: `HostError` or `JACKError` where no server answers, or it is gone again.
  func attach(keepingSessions: Bool) async throws -> any OpenedPresence {
    if !keepingSessions { asked = wished }
    let opened = try await server.open(name: graph.clientNames.main, preference: asked)
    let present = try opened.currentBufferFrames
    let isSameServer = actual.identity?.pid == server.identity().pid
    if loan?.oursFrames != present || !isSameServer { loan = BufferLoan(foundFrames: present) }
    actual = try await NegotiatedHardware.negotiate(
      asked,
      server: server,
      client: opened,
    ) { [control] in
      // Wall time, a time-out for the server's answer: this client is not active yet, and counts no cycles.
      await control.sleep($0)
    }
    loan?.set(actual.bufferFrames)
    if !keepingSessions {
      rates.begin(preferredHz: preference.sampleRateHz, actualHz: actual.sampleRateHz)
    }
    return opened
  }

  /// Reads the buffer again once cycles run: PipeWire reports a size to a client without cycles that it does not run at.
  func confirmBuffer() {
    guard actual.isPipeWire else { return }
    afterWork { [weak self] in await self?.confirmNow() }
  }

  private func confirmNow() async {
    guard let attachment = control.attachment else { return }
    isSettingBuffer = true
    await control.wait(on: attachment, atMost: nil) { attachment.cycleCount >= 2 }
    isSettingBuffer = false
    guard control.attachment === attachment, let frames = try? attachment.currentBufferFrames,
      frames != actual.bufferFrames
    else { return }
    let asked = actual.bufferFrames
    actual.bufferFrames = frames
    actual.bufferReason = "PipeWire runs at \(frames) frames although \(asked) are set"
    attachment.latencies.restate()
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: frames)),
      "the I/O buffer is \(frames) frames: PipeWire does not follow the \(asked) that are set (HW-3)",
    )
    tellValues(byOthers: false)
  }

  // MARK: - What is given back

  /// The buffer to give back should the host be killed; nil without one.
  var bufferLoan: BufferLoan? {
    guard !server.isOwned, !actual.isPipeWire, loan?.oursFrames != nil else { return nil }
    return loan
  }
  /// The settings of another program's server to give back should the host be killed; nil without any.
  var serverLoan: ServerLoan? { server.loan }

  /// Gives the buffer back that the host found on another program's server, as the host leaves it (HW-8).
  ///
  /// A size that somebody else has set since stays.
  func giveBack(on attachment: Attachment) {
    guard let loan = bufferLoan, let present = try? attachment.currentBufferFrames,
      let frames = loan.framesToGiveBack(presentFrames: present)
    else { return }
    do {
      try attachment.askForBuffer(frames: frames)
    } catch {
      // Of a server that has just gone, its loss is told.
      let fault =
        "the I/O buffer is not given back: \(present) frames stay instead of \(frames): \(error)"
      return control.publish(.error(), fault)
    }
    self.loan = nil
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: frames)),
      "the I/O buffer is given back: \(frames) frames, as the host found it (HW-8)",
    )
  }

  // MARK: - Versions of the graph

  /// Goes over to the preferences of the version in force; the sessions' demand brings the hardware there.
  ///
  /// - Parameter before: The preferences of the version that was in force.
  func takePreference(insteadOf before: ServerPreference) {
    asked.enforcement = preference.enforcement
    asked.inputChannels = preference.inputChannels
    asked.outputChannels = preference.outputChannels
    settle()
    guard preference.ioBuffer != before.ioBuffer else { return }
    afterWork { [weak self] in await self?.settleGraph() }
  }

  /// Brings the buffer to the graph's preference where no session asks for a size, as an attachment does.
  private func settleGraph() async {
    guard let attachment = control.attachment, links.demand() == nil else { return }
    await settle(.graph, on: attachment)
  }

  /// Postpones all work on the hardware; what is asked for meanwhile follows then.
  ///
  /// - Returns: Ends the postponement; to be called once.
  func hold() -> () -> Void {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    afterWork { for await _ in stream {} }
    return { end.finish() }
  }

  /// The sample rate and the I/O buffer that follow from a graph and the sessions under it, as far as they are known before.
  ///
  /// - Parameters:
  ///   - next: The graph's preferences.
  ///   - demand: The values that the sessions will prefer; nil without any.
  /// - Returns: The rate in hertz and the buffer in frames.
  func forecast(
    under next: ServerPreference,
    _ demand: HardwareDemand?,
  ) -> (sampleRateHz: Int, bufferFrames: Int) {
    var rateHz = actual.sampleRateHz
    if let hz = demand?.sampleRateHz, hz != links.demand()?.sampleRateHz { rateHz = hz }
    let isOfGraph = demand == nil && next.ioBuffer != preference.ioBuffer
    guard let demand = demand ?? (isOfGraph ? .graph : nil) else {
      return (rateHz, actual.bufferFrames)
    }
    let wanted = ioBuffer(for: demand, under: next)
    guard let wanted, wanted != asked.ioBuffer || rateHz != actual.sampleRateHz else {
      return (rateHz, actual.bufferFrames)
    }
    return (rateHz, wanted.frames(atSampleRateHz: rateHz))
  }

  // MARK: - What other programs change

  /// The server has another buffer size (HW-2).
  ///
  /// The engine takes any size. If the graph says so and the budget allows it, the size is restored, in a
  /// separate task: a server that agrees without acting must not delay other notifications.
  func bufferChanged(_ frames: Int) {
    guard let attachment = control.attachment, !isSettingBuffer, frames != actual.bufferFrames
    else { return }
    let before = actual.bufferFrames
    actual.bufferFrames = frames
    actual.bufferReason = "another program changed it"
    attachment.latencies.restate()
    loan?.changedByOthers(to: frames)
    if asked.enforcement == .users { return takeAsWish(frames, before: before) }
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: frames)),
      "another program changed the I/O buffer from \(before) to \(frames) frames",
    )
    guard asked.enforcement == .always, asked.ioBuffer != nil else {
      return tellValues(byOthers: true)
    }
    guard bufferBudget.spend(nowNanoseconds: control.nowNanoseconds) else {
      actual.bufferReason =
        "another program insists on it; the host gave way after \(bufferBudget.limit) times"
      control.publish(
        .gaveWay(.ioBuffer(frames: frames)),
        "another program insists on \(frames) frames; put back \(bufferBudget.limit) times "
          + "within a minute, the host gives way",
      )
      return tellValues(byOthers: false)
    }
    afterWork { [weak self] in await self?.putBack(from: frames) }
  }

  /// A user has set the buffer with another program: the size is preferred from now on.
  private func takeAsWish(_ frames: Int, before: Int) {
    userFrames = frames
    asked.ioBuffer = .frames(frames)
    actual.bufferReason = Self.userReason
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: frames)),
      "a user set the I/O buffer from \(before) to \(frames) frames; it stays ('enforce: users')",
    )
    tellValues(byOthers: false)
  }

  private func putBack(from others: Int) async {
    guard let attachment = control.attachment else { return }
    await setBuffer(on: attachment)
    let frames = actual.bufferFrames
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: frames)),
      frames == others
        ? "the I/O buffer stays at \(frames) frames: \(actual.bufferReason ?? "the server's") (HW-3)"
        : "the I/O buffer is put back to \(frames) frames (HW-2)",
    )
    tellValues(byOthers: false)
  }

  /// The server runs at another rate (PipeWire changes it in mid-run).
  ///
  /// - Returns: Whether the host has to attach again, because the rate is not its own choice.
  func sampleRateChanged(_ hz: Int) -> Bool {
    guard control.attachment != nil, hz != actual.sampleRateHz else { return false }
    control.publish(.hardwareChanged(), "the server's sample rate is \(hz) Hz now")
    guard hz == asked.sampleRateHz, hz != preference.sampleRateHz else { return true }
    // PipeWire follows a session's preference, but late.
    afterWork { [weak self] in
      guard let self, self.control.attachment != nil else { return }
      await self.links.attachAnew([:])
    }
    return false
  }

  /// Clients of the server are stopped (SIGSTOP), or go on: JACK asks every client when the buffer changes, and would
  /// wait for a stopped one.
  func setHaveStoppedClients(_ haveStopped: Bool) {
    haveStoppedClients = haveStopped
    guard isBufferStale, !haveStopped else { return }
    isBufferStale = false
    settle()
  }

  // MARK: - What sessions ask for

  /// Brings the hardware to the preferences of the active sessions, after the present work.
  func settle() {
    afterWork { [weak self] in await self?.settleNow() }
  }

  /// Returns when all work on the hardware is done.
  func isSettled() async { await work?.value }

  private func afterWork(_ body: @escaping () async -> Void) {
    let before = work
    work = control.task {
      await before?.value
      await body()
    }
  }

  /// Sets rate and buffer, and reads them back (HW-3): the tower decides the values, the server how near it comes.
  private func settleNow() async {
    guard let attachment = control.attachment, let demand = links.demand() else { return }
    await settle(demand, on: attachment)
  }

  private func settle(_ demand: HardwareDemand, on attachment: Attachment) async {
    let ioBuffer = ioBuffer(for: demand, under: preference)
    if let rate = rate(for: demand) {
      asked.ioBuffer = ioBuffer
      return await restart(at: rate, demand)
    }
    guard asked.ioBuffer != ioBuffer else { return tellValues(byOthers: false) }
    isBufferStale = haveStoppedClients
    guard !isBufferStale else {
      actual.bufferReason = "a node is stopped (SIGSTOP): it is set when that goes on"
      return tellValues(byOthers: false)
    }
    asked.ioBuffer = ioBuffer
    if demand.isBufferOwned || wished.ioBuffer != nil {
      await setBuffer(on: attachment)
    } else {
      await giveBackWish(on: attachment)
    }
    // The value was restored because the preferences ended, so other programs may change it.
    if !demand.isBufferOwned { asked.ioBuffer = wished.ioBuffer }
    control.publish(
      .hardwareChanged(.init(ioBufferFrames: actual.bufferFrames)),
      "the I/O buffer is \(actual.bufferFrames) frames, as the active sessions prefer (HW-4)",
    )
    tellValues(byOthers: false)
  }

  /// Gives back what the server had before sessions asked for a buffer (HW-8).
  private func giveBackWish(on attachment: Attachment) async {
    isSettingBuffer = true
    defer { isSettingBuffer = false }
    let before = actual.bufferFrames
    if await server.setBuffer(frames: nil) {
      // PipeWire chooses a size by itself now, and sets it some cycles later.
      await control.wait(on: attachment, atMost: .milliseconds(500)) {
        (try? attachment.currentBufferFrames) != before
      }
      actual.bufferFrames = (try? attachment.currentBufferFrames) ?? before
      control.attachment?.latencies.restate()
    } else {
      await setBuffer(on: attachment)
    }
    actual.bufferReason = "no preference; the server's"
  }

  private func setBuffer(on attachment: Attachment) async {
    isSettingBuffer = true
    defer { isSettingBuffer = false }
    let outcome = await actual.applyingBuffer(
      asked,
      server: server,
      client: attachment,
    ) { [control] in
      // Wall time, a time-out for the server's answer: jackd runs no cycles while it changes the buffer.
      await control.sleep($0)
    }
    // Only the buffer: the rest may have changed while this waited.
    actual.bufferFrames = outcome.bufferFrames
    actual.bufferReason = actual.bufferFrames == userFrames ? Self.userReason : outcome.bufferReason
    loan?.set(actual.bufferFrames)
    // JACK does not recompute by itself what depends on the buffer's size.
    control.attachment?.latencies.restate()
  }

  private func ioBuffer(
    for demand: HardwareDemand,
    under preference: ServerPreference,
  ) -> ServerPreference.IOBuffer? {
    if let userFrames { return .frames(userFrames) }
    return switch demand.buffer {
    case .ofGraph(let frames):
      preference.ioBuffer ?? (foundFrames ?? frames).map { .frames($0) }
    case .seconds(let seconds): .durationSeconds(seconds)
    }
  }

  /// The buffer that another program's server had before the host's; nil for a server of the host's own.
  private var foundFrames: Int? { server.isOwned ? nil : loan?.foundFrames }

  /// The graph's preferences, with the buffer that a user has set since.
  private var wished: ServerPreference {
    var wished = preference
    if let userFrames { wished.ioBuffer = .frames(userFrames) }
    return wished
  }

  private static let userReason = "a user set it with another program"

  /// The rate to restart the server at; nil where it stays as it is.
  private func rate(for demand: HardwareDemand) -> Int? {
    guard let wantedHz = demand.sampleRateHz else { return nil }
    let now = control.nowNanoseconds
    switch rates.choose(wantedHz, actualHz: actual.sampleRateHz, nowNanoseconds: now) {
    case .stay: return nil
    case .restart: return wantedHz
    case .giveWay(let reason):
      control.publish(
        .gaveWay(.sampleRate),
        "the sample rate stays at \(actual.sampleRateHz) Hz: \(reason)",
      )
      return nil
    }
  }

  /// Restarts the server at another rate (HW-2).
  ///
  /// The sessions asked for it, so it is not a loss to them: they stay, and are notified of a route in
  /// another configuration (RTE-2). Clients of the old server are gone, as after any restart (RST-2).
  private func restart(at sampleRateHz: Int, _ demand: HardwareDemand) async {
    let reason = demand.rateOwner.map { "as session '\($0)' prefers (HW-4)" } ?? "as preferred"
    control.publish(
      .hardwareChanged(.init(sampleRateHz: sampleRateHz)),
      "the JACK server \"\(server.name)\" restarts at \(sampleRateHz) Hz, \(reason)",
    )
    guard let last = control.attachment else { return }
    let gains = Dictionary(last.spec.routes.map { ($0.id, $0.gainDB) }) { first, _ in first }
    await last.fadeOut(seconds: Self.fadeSeconds)
    guard control.attachment != nil else { return }
    asked.sampleRateHz = sampleRateHz
    await links.attachAnew(gains)
    guard control.attachment != nil else { return }
    rates.restarted(for: sampleRateHz, actualHz: actual.sampleRateHz, actual.sampleRateReason)
    if actual.sampleRateHz == sampleRateHz, !demand.isRateOfGraph {
      actual.sampleRateReason = reason
    }
    tellValues(byOthers: false)
  }

  /// Reports the actual hardware values to the sessions.
  func tellValues(byOthers: Bool) { links.changed(actual.values, byOthers) }

  // MARK: - Status

  /// The graph's preferences, including those that are decided at the attachment, without the tower.
  var preferredValues: PreferredValues {
    PreferredValues(
      sampleRateHz: preference.sampleRateHz.map(Double.init),
      ioBufferDurationSeconds: preference.ioBuffer.map {
        $0.durationSeconds(atSampleRateHz: max(1, actual.sampleRateHz))
      },
      inputChannels: preference.inputChannels,
      outputChannels: preference.outputChannels,
    )
  }

  /// Preferred and actual values side by side (HW-3).
  var status: HardwareStatus {
    HardwareStatus.make(
      preference: wished,
      actual: actual,
      attachment: control.attachment,
      graph: graph,
    )
  }
}
