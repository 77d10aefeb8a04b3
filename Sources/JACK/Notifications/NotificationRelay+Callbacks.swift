// SPDX-License-Identifier: MIT

internal import CJACK
internal import CRealtime

extension NotificationRelay {
  /// Sets all callbacks of `client`, that of xruns only for one that wants it.
  ///
  /// The relay must live until the client is closed.
  func attach(to client: OpaquePointer, hearsXruns: Bool) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe jack_on_info_shutdown(client, onShutdown, context)
    unsafe jack_set_port_registration_callback(client, onPortRegistration, context)
    unsafe jack_set_port_rename_callback(client, onPortRename, context)
    unsafe jack_set_port_connect_callback(client, onPortConnect, context)
    unsafe jack_set_client_registration_callback(client, onClientRegistration, context)
    unsafe jack_set_graph_order_callback(client, onGraphOrder, context)
    unsafe jack_set_buffer_size_callback(client, onBufferSize, context)
    unsafe jack_set_sample_rate_callback(client, onSampleRate, context)
    if hearsXruns { unsafe jack_set_xrun_callback(client, onXrun, context) }
    unsafe jack_set_freewheel_callback(client, onFreewheel, context)
    unsafe jack_set_latency_callback(client, onLatency, context)
    unsafe jack_set_property_change_callback(client, onPropertyChange, context)
  }
}

private func withRelay(_ context: UnsafeMutableRawPointer?, _ body: (NotificationRelay) -> Void) {
  guard let context = unsafe context else { return }
  Cancellation.disabled {
    unsafe Unmanaged<NotificationRelay>.fromOpaque(context)._withUnsafeGuaranteedRef { relay in
      relay.settlePriority()
      body(relay)
    }
  }
}

private func text(_ characters: UnsafePointer<CChar>?) -> String {
  guard let characters = unsafe characters else { return "" }
  return unsafe String(cString: characters)
}

@c(multiroute_jack_shutdown)
private func onShutdown(
  _ status: jack_status_t,
  _ reason: UnsafePointer<CChar>?,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { relay in
    unsafe relay.shutDown(status: ClientStatus(status), reason: text(reason))
  }
}

@c(multiroute_jack_port_registration)
private func onPortRegistration(
  _ id: UInt32,
  _ isRegistered: Int32,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { $0.portChanged(id: id, isRegistered: isRegistered != 0) }
}

@c(multiroute_jack_port_rename)
private func onPortRename(
  _ id: UInt32,
  _ from: UnsafePointer<CChar>?,
  _ to: UnsafePointer<CChar>?,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { relay in
    unsafe relay.portRenamed(id: id, from: text(from), to: text(to))
  }
}

@c(multiroute_jack_port_connect)
private func onPortConnect(
  _ source: UInt32,
  _ destination: UInt32,
  _ isConnected: Int32,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { relay in
    relay.portsChanged(source: source, destination: destination, isConnected: isConnected != 0)
  }
}

@c(multiroute_jack_client_registration)
private func onClientRegistration(
  _ name: UnsafePointer<CChar>?,
  _ isRegistered: Int32,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { relay in
    let name = unsafe text(name)
    relay.yield(
      isRegistered != 0 ? .clientRegistered(name: name) : .clientUnregistered(name: name)
    )
  }
}

@c(multiroute_jack_graph_order)
private func onGraphOrder(_ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe withRelay(context) { $0.graphReordered() }
  return 0
}

@c(multiroute_jack_buffer_size)
private func onBufferSize(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe withRelay(context) { $0.yield(.bufferSizeChanged(frames: frames)) }
  return 0
}

@c(multiroute_jack_sample_rate)
private func onSampleRate(_ hz: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe withRelay(context) { $0.yield(.sampleRateChanged(hz: hz)) }
  return 0
}

@c(multiroute_jack_xrun)
private func onXrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe withRelay(context) { $0.xrun() }
  return 0
}

@c(multiroute_jack_freewheel)
private func onFreewheel(_ isStarting: Int32, _ context: UnsafeMutableRawPointer?) {
  unsafe withRelay(context) { $0.freewheel(isOn: isStarting != 0) }
}

@c(multiroute_jack_latency)
private func onLatency(
  _ mode: jack_latency_callback_mode_t,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { $0.computeLatency(LatencyMode(mode)) }
}

@c(multiroute_jack_property_change)
private func onPropertyChange(
  _ subject: jack_uuid_t,
  _ key: UnsafePointer<CChar>?,
  _ change: jack_property_change_t,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe withRelay(context) { relay in
    let name = unsafe text(key)
    relay.yield(
      .propertyChanged(
        subject: subject,
        key: name.isEmpty ? nil : MetadataKey(rawValue: name),
        change: MetadataChange(change),
      )
    )
  }
}

/// Protection of callbacks on libjack's own threads. [any-thread]
enum Cancellation {
  /// Runs `body` on a thread that cannot be cancelled meanwhile.
  ///
  /// libjack ends its threads with pthread_cancel, asynchronously, whenever a client is closed or a
  /// server dies. A thread that is ended so inside of a callback keeps for ever whatever lock it
  /// holds: that of standard error while it logs, that of the allocator, that of a stream.
  static func disabled(_ body: () -> Void) {
    let state = realtime_cancellation_disable()
    defer { realtime_cancellation_restore(state) }
    body()
  }
}
