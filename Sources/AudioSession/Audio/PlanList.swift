// SPDX-License-Identifier: MIT

/// Keeps plans that a callback may still use.
final class PlanList {
  private let plans: [AppPlanHolder]

  init(_ plans: [AppPlanHolder]) { self.plans = plans }
}
