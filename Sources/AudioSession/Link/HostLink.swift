// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Foundation
internal import Glibc
internal import NIOConcurrencyHelpers
internal import SystemSupport

/// A connection to a host whose calls block, each for a limited time.
///
/// The SDK's calls block too, also on threads of the concurrency pool. So no task takes part in a call: it could wait for
/// a thread of that pool forever. The caller writes its line and sleeps; the link's thread reads. [any-thread]
final class HostLink: Sendable {
  private struct State {
    var waiting: [MessageID: Call] = [:]
    var lastID: Int64 = 0
    var isOpen = true
  }

  /// A call that waits for its answer.
  private final class Call: Sendable {
    let done = MonotonicSemaphore(value: 0)
    let answer = NIOLockedValueBox<Result<Data, HostFault>?>(nil)

    func finish(_ result: Result<Data, HostFault>) {
      answer.withLockedValue { $0 = result }
      done.signal()
    }
  }

  private let socket: UnsharedDescriptor
  private let state = NIOLockedValueBox(State())
  private let writing = NIOLock()
  private let encoder = MessageEncoder()
  private let decoder = ReplyDecoder()

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - trust: Decides whether the process that listens there is trusted; nothing is sent to another one.
  ///   - deadline: The end of the time for connecting.
  ///   - onEvent: Called with each event of the host, in order, on the link's thread; it must not call a method.
  ///   - onEnd: Called once when the connection has ended, on the link's thread.
  /// - Throws: `noHost`, or `notTrusted`.
  init(
    path: String,
    trust: HostTrust,
    until deadline: HostDeadline,
    onEvent: @escaping @Sendable (ControlEvent) -> Void,
    onEnd: @escaping @Sendable () -> Void,
  ) throws(HostFault) {
    socket = UnsharedDescriptor(try Self.connect(path, trust, deadline))
    let thread = Thread { [self] in
      read(onEvent)
      close()
      for call in state.withLockedValue({ Array($0.waiting.values) }) {
        call.finish(.failure(.disconnected))
      }
      onEnd()
    }
    thread.name = "multiroute link"
    thread.start()
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: The method's parameters.
  ///   - deadline: The end of the time to wait for the answer.
  /// - Returns: The answer and its number in the order of all calls: of two answers, the one with the higher
  ///   number is newer.
  /// - Throws: ``HostFault``; `forked` in a forked child, which has neither the thread that reads nor the socket.
  /// [any-thread] except the link's thread, which would wait for itself.
  func call<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    until deadline: HostDeadline,
  ) throws(HostFault) -> (result: Method.Result, order: Int64) {
    guard !socket.isInChild else { throw .forked }
    let fault = HostFault.timedOut(method: Method.name, seconds: deadline.limitSeconds)
    guard deadline.secondsLeft > 0 else { throw fault }
    let call = Call()
    let (id, order) = try send(method, params, call, until: deadline)
    let isInTime = call.done.wait(within: .seconds(deadline.secondsLeft))
    state.withLockedValue { _ = $0.waiting.removeValue(forKey: id) }
    guard isInTime, let answer = call.answer.withLockedValue({ $0 }) else {
      throw fault
    }
    guard let result = try? decoder.result(of: method, in: try answer.get()) else {
      if case .failure(let fault) = answer { throw fault }
      throw .badAnswer(method: Method.name)
    }
    return (result, order)
  }

  /// Whether calls can be made.
  var isOpen: Bool { state.withLockedValue { $0.isOpen } }

  /// Ends the connection; calls that wait fail.
  func close() {
    // A forked child would end the connection of its parent.
    guard !socket.isInChild else { return }
    state.withLockedValue { $0.isOpen = false }
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }

  // MARK: - Writing

  private func send<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    _ call: Call,
    until deadline: HostDeadline,
  ) throws(HostFault) -> (id: MessageID, order: Int64) {
    // Numbers rise in the order in which lines leave, so that the newer of two answers is known.
    writing.lock()
    defer { writing.unlock() }
    let order = state.withLockedValue { state -> Int64? in
      guard state.isOpen else { return nil }
      state.lastID += 1
      return state.lastID
    }
    guard let order else { throw .disconnected }
    let id = MessageID.integer(order)
    guard var line = try? encoder.request(method, params, id: id) else {
      throw .badAnswer(method: Method.name)
    }
    do throws(ControlError) {
      try MessageEncoder.checkLength(ofRequest: line)
    } catch {
      throw .refused(error)
    }
    line.append(UInt8(ascii: "\n"))
    let isOpen = state.withLockedValue { state in
      if state.isOpen { state.waiting[id] = call }
      return state.isOpen
    }
    guard isOpen else { throw .disconnected }
    guard write(line, until: deadline) else {
      close()
      throw .disconnected
    }
    return (id, order)
  }

  private func write(_ line: Data, until deadline: HostDeadline) -> Bool {
    var sent = 0
    while sent < line.count {
      Self.limitSending(socket.descriptor, deadline)
      let count = unsafe line.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          socket.descriptor,
          bytes.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL),
        )
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  // MARK: - Reading

  private func read(_ onEvent: (ControlEvent) -> Void) {
    var pending = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { bytes in
        unsafe recv(socket.descriptor, bytes.baseAddress, bytes.count, 0)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      pending.append(contentsOf: chunk[..<count])
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        take(Data(pending[..<end]), onEvent)
        pending = Data(pending[(end + 1)...])
      }
    }
  }

  private func take(_ line: Data, _ onEvent: (ControlEvent) -> Void) {
    switch decoder.decode(line) {
    case .notification(.event(let event)): onEvent(event)
    case .reply(let id, let error):
      let call = state.withLockedValue { $0.waiting.removeValue(forKey: id) }
      call?.finish(error.map { .failure(.refused($0)) } ?? .success(line))
    // The library subscribes to no levels. Messages of a newer host that it does not know are ignored.
    case .notification, .failure, nil: break
    }
  }

  // MARK: - Connecting

  /// Bounds the next connect or send of a socket; to a time that is over, by a millisecond.
  private static func limitSending(_ descriptor: Int32, _ deadline: HostDeadline) {
    // Zero would be no limit.
    let seconds = max(deadline.secondsLeft, 0.001)
    var limit = timeval(
      tv_sec: Int(seconds),
      tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6),
    )
    unsafe setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_SNDTIMEO,
      &limit,
      socklen_t(MemoryLayout<timeval>.size),
    )
  }

  private static func connect(
    _ path: String,
    _ trust: HostTrust,
    _ deadline: HostDeadline,
  ) throws(HostFault) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else {
      throw .noHost("the system gives no socket: errno \(errno); close other files or programs")
    }
    // Bounds connect too.
    limitSending(descriptor, deadline)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      Glibc.close(descriptor)
      throw .noHost("no host answers at \(path): \(reason); start one with 'multiroute run GRAPH'")
    }
    do throws(ControlClientError) {
      try trust.check(descriptor: descriptor, path: path)
    } catch {
      Glibc.close(descriptor)
      throw HostFault(error)
    }
    return descriptor
  }
}

/// Why a request to the host failed.
enum HostFault: Error, CustomStringConvertible {
  /// The library cannot reach a host; the text gives the cause and the remedy.
  case noHost(String)
  /// Another user's process listens, or its folder was looked at; the text says which.
  case notTrusted(String)
  /// This process was forked from the one that uses the library.
  case forked
  /// The host did not answer in time.
  case timedOut(method: String, seconds: Double)
  /// The connection ended before the answer.
  case disconnected
  /// The host's answer is not of the method's type.
  case badAnswer(method: String)
  /// The host refused.
  case refused(ControlError)

  /// One sentence: the fault and the remedy.
  var description: String {
    switch self {
    case .noHost(let reason), .notTrusted(let reason): reason
    case .forked: "\(AVAudioSession.forkedReason)"
    case .timedOut(let method, let seconds):
      "the host did not answer \(method) within \(seconds) s; wait for mediaServicesWereReset"
    case .disconnected: "the host has ended; wait for mediaServicesWereReset"
    case .badAnswer(let method): "the host's answer to \(method) cannot be read"
    case .refused(let error): error.message
    }
  }
}

extension HostFault {
  /// The fault of looking for a host, or of the process that was found. [any-thread]
  init(_ error: ControlClientError) {
    self =
      error.code == .notPermitted ? .notTrusted(error.description) : .noHost(error.description)
  }
}
