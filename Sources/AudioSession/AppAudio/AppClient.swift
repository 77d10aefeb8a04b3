// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// A JACK client that plays and records for the app, with the memory that its callback uses.
///
/// Its owner protects it by a lock. [control-thread]
@safe
struct AppClient: ~Copyable {
  private let client: ActiveClient
  private let state: UnsafeMutablePointer<AppProcess>
  private var plans: [AppPlanHolder]

  /// Joins the graph with a first plan.
  ///
  /// - Throws: ``JACKError``; the client is closed then.
  init(_ opened: consuming OpenedClient, plan: AppPlanHolder) throws(JACKError) {
    let state = UnsafeMutablePointer<AppProcess>.allocate(capacity: 1)
    unsafe state.initialize(to: AppProcess(plan: plan.pointer))
    do throws(JACKError) {
      client = try unsafe opened.activate(
        process: appProcess,
        context: UnsafeMutableRawPointer(state),
      )
    } catch {
      unsafe Self.release(state, [plan], isHung: error.code == .timedOut)
      throw error
    }
    unsafe self.state = unsafe state
    plans = [plan]
  }

  var connection: ClientConnection { client.connection }

  /// JACK's time at the last cycle, in frames, unwrapped to 64 bits.
  var frame: UInt64 { unsafe state.pointee.frame.load(ordering: .relaxed) }

  /// Whether recorders receive the input; otherwise they receive silence (PRM-1).
  func setInputOpen(_ isOpen: Bool) {
    unsafe state.pointee.isInputOpen.store(isOpen, ordering: .relaxed)
  }

  /// Publishes a plan, and frees the plans that the audio thread has left.
  mutating func publish(_ plan: AppPlanHolder) {
    _ = unsafe state.pointee.plans.publish(plan.pointer)
    let adopted = unsafe state.pointee.adopted.load(ordering: .acquiring)
    // The plan adopted last may still be in use; earlier ones are not.
    plans.removeAll { $0.number < adopted }
    plans.append(plan)
  }

  /// Closes the client.
  consuming func close() {
    let (state, plans) = unsafe (state, plans)
    unsafe Self.release(state, plans, isHung: client.close() == .timedOut)
  }

  /// Frees the memory of a callback, unless the callback may still run: then it is never freed.
  private static func release(
    _ state: UnsafeMutablePointer<AppProcess>,
    _ plans: [AppPlanHolder],
    isHung: Bool,
  ) {
    guard !isHung else {
      _ = unsafe Unmanaged.passRetained(PlanList(plans))
      return
    }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

/// A list of plans that a callback may still use.
private final class PlanList {
  private let plans: [AppPlanHolder]

  init(_ plans: [AppPlanHolder]) { self.plans = plans }
}
