// SPDX-License-Identifier: MIT

internal import CAvahi
internal import Synchronization
internal import SystemSupport

/// Announces services in the network through avahi-daemon, for as long as it exists.
///
/// The daemon may come, go and start again: the services are announced again. Where their name is taken, they get another one. A thread
/// of its own speaks with the daemon, because libavahi-client waits for answers. [any-thread]
package final class ServiceAnnouncer: Sendable {
  /// The news of the announcement, in their order; a loss is news only when it has lasted for some seconds.
  package let news: AsyncStream<AnnouncementNews>

  private let control: AnnouncerControl

  /// Begins to announce services.
  ///
  /// - Parameters:
  ///   - services: The services.
  ///   - name: The name that all of them have; cut to 63 bytes.
  package init(_ services: [NetworkService], name: String) {
    let (news, stream) = AsyncStream.makeStream(of: AnnouncementNews.self)
    let control = AnnouncerControl()
    self.news = news
    self.control = control
    let hasThread = BackgroundThread.start(name: "announcer") {
      let name = NetworkService.name(fitting: name)
      AvahiAnnouncement(services, name: name, stream: stream).run(until: control)
      stream.finish()
    }
    guard !hasThread else { return }
    stream.yield(.lost("the system has no thread for it"))
    stream.finish()
  }

  deinit { end() }

  /// Withdraws the services.
  package func end() { control.end() }
}

/// The switch by which any thread ends the announcer's. [any-thread]
final class AnnouncerControl: Sendable {
  private struct State {
    var isEnding = false
    /// The address of the loop; 0 while there is none.
    var loop: UInt = 0
  }

  private let state = Mutex(State())

  /// Begins or ends the time in which a loop can be woken; nil for none.
  ///
  /// - Returns: Whether the thread is to go on.
  func use(_ loop: OpaquePointer?) -> Bool {
    state.withLock { state in
      state.loop = UInt(bitPattern: loop)
      return !state.isEnding
    }
  }

  /// Has the thread end its loop.
  func end() {
    state.withLock { state in
      state.isEnding = true
      guard let loop = unsafe OpaquePointer(bitPattern: state.loop) else { return }
      unsafe avahi_simple_poll_quit(loop)
    }
  }
}
