// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

/// The mix as flat arrays of inputs, outputs and the cells between them: made by control, read by the audio thread.
///
/// Holds no gains but those of the lists at the end, which are the audio thread's own. All memory
/// belongs to a ``PlanStorage``.
///
/// Made by control before it is published: [control-thread]; then the audio thread's.
@safe
struct RenderPlan {
  /// A strip and its inputs.
  @safe
  struct Strip {
    var state: UnsafeMutablePointer<StripState>
    var taps: UnsafeMutablePointer<MixTaps>
    var faults: UnsafeMutablePointer<FaultCell>
    var firstInput: Int32
    var channels: Int32
    /// The crossfader's end to which it belongs: 1 for A, -1 for B, 0 for neither.
    var crossfaderSide: Double
  }

  /// A route and its outputs.
  @safe
  struct Route {
    var state: UnsafeMutablePointer<RouteState>
    var taps: UnsafeMutablePointer<MixTaps>
    var limiter: OpaquePointer
    /// Nil until the route is delayed for the first time.
    var delay: UnsafeMutablePointer<DelayState>?
    var firstOutput: Int32
    var channels: Int32
    /// Whether the route is heard, or has not fallen silent yet.
    var isActive = false
    /// Whether any cell of it is heard.
    var isHeard = false

    /// The highest levels with which the route needs nothing but its meters.
    ///
    /// [audio-thread] never waits, never allocates.
    var limit: MixLevel {
      @_noLocks @_noAllocation
      get {
        let passing = unsafe delay == nil ? mix_limiter_passing_peak(limiter) : -1
        return MixLevel(peak: passing, squares: .greatestFiniteMagnitude)
      }
    }

    /// Whether limiter, delay and meters have come to rest since the route fell silent.
    ///
    /// [audio-thread] never waits, never allocates.
    var isAtRest: Bool {
      @_noLocks @_noAllocation
      get {
        guard unsafe mix_limiter_is_at_rest(limiter) else { return false }
        if let delay = unsafe delay, unsafe !delay.pointee.isAtRest { return false }
        for channel in 0..<Int(channels) {
          if unsafe !mix_taps_are_at_rest(taps + channel) { return false }
        }
        return true
      }
    }
  }

  /// An output channel: a run of cells, and the part of it that is heard now.
  struct Output {
    var firstCell: Int32
    var cellCount: Int32
    /// Cells in the lists whose gain stands still.
    var steadyCount: Int32 = 0
    /// Cells in the lists whose gain moves; they come behind the others.
    var movingCount: Int32 = 0
    /// The next of the outputs that take the same inputs at gains that stand still; -1 for none.
    ///
    /// They are summed together.
    var nextAlike: Int32 = -1
    /// Whether another output leads them; it is summed with that one.
    var isLed = false
    /// Whether any cell is heard.
    var isHeard: Bool {
      @_noLocks @_noAllocation
      get { steadyCount + movingCount > 0 }
    }
  }

  /// A cell of the matrix that may be heard.
  @safe
  struct Cell {
    var state: UnsafeMutablePointer<SendState>
    var strip: UnsafeMutablePointer<StripState>
    var route: UnsafeMutablePointer<RouteState>
    var input: Int32
    /// The ``StripState/Tap``, as the index of its product.
    var tapIndex: Int

    /// The product of all factors; those of strip and route as they were last worked out.
    ///
    /// [audio-thread] never waits, never allocates.
    @_noLocks
    @_noAllocation
    func product(framesAhead: UInt32) -> Float {
      unsafe state.pointee.ramps.value(0, framesAhead: framesAhead)
        * strip.pointee.products[tapIndex] * route.pointee.product
    }
  }

  var serial: UInt32
  var tag: UInt64
  var inputCount: Int
  var crossfaderCurve: CrossfaderSpec.Curve
  /// Frames of the ramp that a move of the crossfader by the audio thread makes.
  var crossfadeFrames: UInt32
  var strips: UnsafeMutableBufferPointer<Strip>
  var routes: UnsafeMutableBufferPointer<Route>
  var outputs: UnsafeMutableBufferPointer<Output>
  var cells: UnsafeMutableBufferPointer<Cell>
  /// Cells of strips and routes that are gone: silent before this plan comes into force.
  var awaited: UnsafeMutableBufferPointer<UnsafeMutablePointer<SendState>>

  // MARK: The audio thread's lists

  /// The ramps that are moving; has room for all ramps.
  var moving: UnsafeMutableBufferPointer<UnsafeMutablePointer<GainRamp>>
  /// For each output, from its first cell on: inputs, gains and steps of the cells to be heard; those that stand still first.
  var heardInputs: UnsafeMutableBufferPointer<Int32>
  var heardGains: UnsafeMutableBufferPointer<Float>
  var heardSteps: UnsafeMutableBufferPointer<Float>
  var heardStates: UnsafeMutableBufferPointer<UnsafeMutablePointer<SendState>>
  /// The first of each number of outputs that are summed together.
  var leaders: UnsafeMutableBufferPointer<Int32>
  /// All that stands still, packed for the kernels: one value, which points to the lists below and to ``heardInputs``.
  var sums: UnsafeMutableBufferPointer<MixGroups>
  var singles: UnsafeMutableBufferPointer<MixSingle>
  var pairs: UnsafeMutableBufferPointer<MixPair>
  var groups: UnsafeMutableBufferPointer<MixGroup>
  var groupGains: UnsafeMutableBufferPointer<Float>
  var groupOutputs: UnsafeMutableBufferPointer<Int32>
  /// The level of each output, where one slice made up the whole block; 0 for outputs that are only cleared.
  var outputLevels: UnsafeMutableBufferPointer<MixLevel>
  /// The highest levels with which an output needs nothing but its meter.
  var outputLimits: UnsafeMutableBufferPointer<MixLevel>
  /// The outputs from the first of an active route to the last.
  var firstActiveOutput = 0
  var activeOutputSpan = 0
  /// The outputs of active routes.
  var meteredOutputs: UnsafeMutableBufferPointer<MixMeteredOutput>
  var meteredOutputCount = 0
  /// Whether each active route is heard, so that none can come to rest.
  var areActiveRoutesHeard = true
  /// Room for inputs that are there, with their gains.
  var gatheredInputs: UnsafeMutableBufferPointer<UnsafePointer<Float>?>
  var gatheredGains: UnsafeMutableBufferPointer<Float>
  var gatheredSteps: UnsafeMutableBufferPointer<Float>
  /// Whether an input is heard; a byte each.
  var inputIsHeard: UnsafeMutableBufferPointer<Bool>
  /// The channels of strips whose level is taken.
  var metered: UnsafeMutableBufferPointer<MixMetered>
  var meteredCount = 0
  /// The inputs that are read.
  var readPlaces: UnsafeMutableBufferPointer<Int32>
  var readCount = 0
  /// Each input as it was read last, with the caller's samples or cleaned ones; behind them one that is always silent.
  var inputs: UnsafeMutableBufferPointer<MixInput>
  /// Routes that are active, and the outputs of those that are not.
  var activeRoutes: UnsafeMutableBufferPointer<Int32>
  var activeRouteCount = 0
  var idleOutputs: UnsafeMutableBufferPointer<Int32>
  var idleOutputCount = 0
}
