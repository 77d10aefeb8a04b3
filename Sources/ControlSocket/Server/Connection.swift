// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Logging
import NIOCore

/// The connection of one client: takes lines as fast as the limits and the turns of others allow, and carries them out
/// in order. [server-loop]
final class Connection: TurnTaker {
  let id: ConnectionID
  /// Its other end.
  let origin: ConnectionOrigin
  let hub: Hub
  /// The way to its client.
  let transport: any ControlTransport
  /// Its use of the host.
  let account: ConnectionAccount
  /// The topics of its subscription; the hub sets them.
  var topics: Set<Topic> = []
  /// The interval of its subscription to meters; the hub sets it.
  var metersIntervalMilliseconds: Int?
  var waitsForTurn = false

  /// The reason why the hub does not admit it.
  private let refusal: ControlError?
  private var phase = Phase.open
  private var hasBegun = false
  private var hasLeft = false
  /// Received bytes and lines before the limits are applied.
  private var inbox: Inbox
  /// The line that is being carried out.
  private var work: LineWork?
  /// Whether its present line is with another thread, to be read or to be carried out.
  private var isAway = false
  /// Whether the transport has been asked for more bytes.
  private var isReading = false
  /// Set while the last answers may take their time.
  private var deadline: Scheduled<Void>?
  /// Set while lines wait for the rate limit.
  private var pause: Scheduled<Void>?
  private var wasSlowedDown = false

  /// The phases of a connection, from open to ended.
  private enum Phase {
    /// Lines are read and answered.
    case open
    /// The client has closed its sending side; answers and notifications still go out.
    case inputClosed
    /// The last answer is being sent; further input is discarded.
    case hangingUp
    /// The transport is gone; received lines are still carried out.
    case closed
    /// The handler knows that the connection is gone.
    case ended
  }

  /// The pieces of work on the loop.
  private enum Chore {
    /// To carry out a message, or to send the answer of the line.
    case carryOut
    /// To take the next line.
    case takeLine
    /// To ask the transport for more bytes.
    case read
  }

  /// The length of the lines that are read on the loop, in bytes; others take milliseconds.
  private static let shortLineBytes = 16 << 10
  /// About the time of reading 64 KiB, which the loop does after the turn.
  private static let readNanoseconds: UInt64 = 20_000

  init(
    id: ConnectionID,
    origin: ConnectionOrigin,
    hub: Hub,
    transport: any ControlTransport,
    account: ConnectionAccount,
    refusal: ControlError?,
  ) {
    self.id = id
    self.origin = origin
    self.hub = hub
    self.transport = transport
    self.account = account
    self.refusal = refusal
    inbox = Inbox(
      limits: hub.configuration.limits,
      nowNanoseconds: NIODeadline.now().uptimeNanoseconds,
    )
  }

  // MARK: Events of the transport

  /// Begins, because the transport is ready.
  func begin() {
    hasBegun = true
    hub.begin(self)
    if let refusal { hangUp(refusal) }
    isReading = true
    transport.read()
  }

  /// Takes in received bytes.
  func received(_ bytes: ByteBuffer) {
    guard phase == .open else { return }
    inbox.append(bytes)
  }

  /// Goes on, because all is received that it has asked for.
  func readingEnded() {
    isReading = false
    goOn()
  }

  /// Takes note that the client sends nothing more.
  func inputClosed() {
    switch phase {
    case .open:
      inbox.finish()
      phase = .inputClosed
      goOn()
    case .hangingUp: transport.close()
    case .inputClosed, .closed, .ended: break
    }
  }

  /// Takes note that nobody reads the answers any more; the transport may still bring lines that were sent before.
  func clientLeft() {
    guard !hasLeft, hasBegun, refusal == nil else { return }
    hasLeft = true
    hub.clientLeft(self)
  }

  /// Takes note that the transport is gone.
  func transportClosed() {
    if isAway || work != nil || inbox.hasInput() { clientLeft() }
    deadline?.cancel()
    // A transport that was never ready has no other end.
    guard hasBegun else { return hub.connectionEnded(self, wasAdmitted: refusal == nil) }
    if phase == .open { inbox.finish() }
    phase = .closed
    hub.remove(id)
    goOn()
  }

  // MARK: Turns

  /// Waits for a turn if there is something to do.
  private func goOn() {
    if chore() != nil { hub.turns.add(self) }
    settle()
  }

  /// The next piece of work; nil while it waits.
  private func chore() -> Chore? {
    if work != nil { return isAway ? nil : .carryOut }
    let hasInput = inbox.hasInput()
    if hasInput, !isAway, pause == nil, phase != .hangingUp { return .takeLine }
    // Input that waits here keeps the client waiting, so nothing piles up.
    if isReading || (hasInput && phase == .open) { return nil }
    return phase == .open || phase == .hangingUp ? .read : nil
  }

  func takeStep() -> TurnStep {
    var later: UInt64 = 0
    switch chore() {
    case .carryOut: carryOut()
    case .takeLine: takeLine()
    case .read:
      isReading = true
      transport.read()
      later = Self.readNanoseconds
    case nil: break
    }
    settle()
    return TurnStep(hasMore: chore() != nil, laterNanoseconds: later)
  }

  // MARK: Taking lines

  private func takeLine() {
    switch inbox.next() {
    case .line(let line) where line.readableBytes <= Self.shortLineBytes:
      take(transport.decoder.decode(buffer: line), bytes: line.readableBytes)
    case .line(let line): readElsewhere(line)
    case .fatal(let error): hangUp(error)
    case nil: break
    }
  }

  /// Begins to carry out a line; nil is a blank one, which counts as one message all the same.
  private func take(_ line: IncomingLine?, bytes: Int) {
    let now = NIODeadline.now().uptimeNanoseconds
    let messages = line?.messages.count ?? 1
    let wait = inbox.pay(messages: messages, bytes: bytes, nowNanoseconds: now)
    if wait > 0 { slowDown(for: .nanoseconds(wait)) }
    work = line.map(LineWork.init)
  }

  /// Has a long line read by the pool that tasks share.
  private func readElsewhere(_ line: ByteBuffer) {
    isAway = true
    hub.workBegins()
    let bound = NIOLoopBound(self, eventLoop: hub.eventLoop)
    hub.readingSlots.add(account) {
      [eventLoop = hub.eventLoop, decoder = transport.decoder] in
      Task {
        let start = NIODeadline.now()
        let read = decoder.decode(buffer: line)
        let time = NIODeadline.now() - start
        eventLoop.execute { bound.value.hasRead(read, bytes: line.readableBytes, in: time) }
      }
    }
  }

  private func hasRead(_ line: IncomingLine?, bytes: Int, in time: TimeAmount) {
    isAway = false
    let now = NIODeadline.now().uptimeNanoseconds
    account.charge(UInt64(time.nanoseconds), nowNanoseconds: now)
    take(line, bytes: bytes)
    hub.readingSlots.free()
    goOn()
    hub.workEnds()
  }

  /// Delays a client that sends faster than its rate; the log gets one line about it.
  private func slowDown(for time: TimeAmount) {
    guard pause == nil else { return }
    pause = hub.eventLoop.assumeIsolated().scheduleTask(in: time) {
      self.pause = nil
      self.goOn()
    }
    guard !wasSlowedDown else { return }
    wasSlowedDown = true
    let rate = Int(hub.configuration.limits.messagesPerSecond)
    hub.log(.tooFast, .notice, "\(id) sends more than \(rate) messages/s; slowed down")
  }

  // MARK: Carrying out

  /// Carries out the next message of the line, or sends the answer.
  private func carryOut() {
    if let message = work?.next() {
      carryOut(message)
    } else {
      let answer = work?.answer(hub.encoder)
      work = nil
      if let answer { send(ByteBuffer(line: answer)) }
    }
  }

  private func carryOut(_ message: IncomingMessage) {
    switch message.request {
    case .failure(let error):
      work?.collect(hub.encoder.reply(.failure(error), id: message.id), for: message)
    case .success(let request):
      if let reply = transport.answer(to: request) ?? ownReply(to: request) {
        work?.collect(hub.encoder.reply(reply, id: message.id), for: message)
      } else {
        hand(request, of: message)
      }
    }
  }

  /// Gives a request to the handler, and receives the answer on the loop.
  private func hand(_ request: ControlRequest, of message: IncomingMessage) {
    isAway = true
    let bound = NIOLoopBound(self, eventLoop: hub.eventLoop)
    let eventLoop = hub.eventLoop
    let meter = RequestMeter(executor: hub.configuration.executor) { time, isFirst in
      eventLoop.execute {
        let connection = bound.value
        connection.hub.requestRan(of: connection, nanoseconds: time, isFirst: isFirst)
      }
    }
    hub.queueRequest(of: self) { [hub, id, greeting = greeting(to: request)] in
      Task(executorPreference: hub.configuration.executor) {
        [handler = hub.handler, encoder = hub.encoder] in
        meter.begin()
        let reply = await Self.reply(of: handler, to: request, greeting, from: id)
        let answer = encoder.reply(reply, id: message.id)
        meter.end { eventLoop.execute { bound.value.collect(answer, for: message) } }
      }
    }
  }

  /// The handler's answer; to a hello, its answer with the role on which the handler decides.
  private static func reply(
    of handler: any ControlHandler,
    to request: ControlRequest,
    _ greeting: (answer: Hello.Result, role: ClientRole?)?,
    from id: ConnectionID,
  ) async -> ControlReply {
    guard let greeting else { return await handler.handle(request, from: id) }
    var answer = greeting.answer
    answer.role = await handler.role(greeting.role, of: id)
    return .success(answer)
  }

  private func collect(_ answer: Data, for message: IncomingMessage) {
    isAway = false
    work?.collect(answer, for: message)
    goOn()
    hub.workEnds()
  }

  // MARK: Sending

  /// Sends a line; a reader that is too far behind is disconnected instead.
  func send(_ line: ByteBuffer) {
    guard phase == .open || phase == .inputClosed else { return }
    let waiting = transport.waitingBytes
    guard waiting == 0 || waiting + line.readableBytes <= hub.configuration.limits.outboundBytes
    else {
      hub.log(.tooSlow, .warning, "\(id) does not read, \(waiting) bytes wait; cut off")
      phase = .hangingUp
      transport.close()
      return
    }
    transport.send(line)
  }

  /// Sends a line, unless the reader is behind.
  func sendUnlessBehind(_ line: ByteBuffer) {
    if !transport.isBehind { send(line) }
  }

  // MARK: Ending

  /// Ends the connection once its requests are answered and the answers are read.
  func finish(patience: TimeAmount) {
    deadline = hub.eventLoop.assumeIsolated().scheduleTask(in: patience) {
      self.transport.close()
    }
    pause?.cancel()
    pause = nil
    inbox.clear()
    if phase == .open { phase = .inputClosed }
    topics = []
    settle()
  }

  /// Sends a last answer and ends the connection.
  ///
  /// The client may still be writing. Its input is read and discarded for a second, because an earlier close
  /// would make the kernel discard the last answer.
  private func hangUp(_ error: ControlError) {
    send(ByteBuffer(line: hub.encoder.reply(.failure(error), id: nil)))
    let inputIsOpen = phase == .open
    guard phase == .open || phase == .inputClosed else { return }
    phase = .hangingUp
    if inputIsOpen { transport.closeOutput() } else { transport.closeWhenSent() }
    hub.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
      self.transport.close()
    }
  }

  /// Ends the connection when all work is done.
  private func settle() {
    guard !isAway, work == nil, pause == nil, !inbox.hasInput() else { return }
    switch phase {
    case .inputClosed where topics.isEmpty:
      phase = .hangingUp
      transport.closeWhenSent()
    case .closed:
      phase = .ended
      hub.connectionEnded(self, wasAdmitted: refusal == nil)
    case .open, .inputClosed, .hangingUp, .ended: break
    }
  }
}
