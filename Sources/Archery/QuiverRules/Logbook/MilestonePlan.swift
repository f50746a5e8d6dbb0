/// The way from a weight to a goal, with milestones on it.
public struct MilestonePlan: Sendable, Equatable {
  /// The unit of the weights.
  public var unit: MassUnit
  /// In thousandths of the unit, as all weights here.
  public var startThousandths: Int64
  /// The goal in thousandths of the unit; different from the start.
  public var goalThousandths: Int64
  /// One of the unit's ``MassUnit/milestoneSteps``.
  public var stepThousandths: Int64
  /// Entries before it reach nothing.
  public var startDay: Int32

  /// Creates a value; each parameter is the property of its name.
  public init(
    unit: MassUnit, startThousandths: Int64, goalThousandths: Int64, stepThousandths: Int64,
    startDay: Int32
  ) {
    self.unit = unit
    self.startThousandths = startThousandths
    self.goalThousandths = goalThousandths
    self.stepThousandths = stepThousandths
    self.startDay = startDay
  }

  /// The same, or the first rule that it breaks; `prefix` is its path in the request.
  public func validated(prefix: String) throws(RuleViolation) -> MilestonePlan {
    let range = unit.bodyWeightRange
    for (name, value) in [("start", startThousandths), ("goal", goalThousandths)]
    where !range.contains(value) {
      throw RuleViolation(
        field: "\(prefix).\(name)_thousandths",
        message: "must be from \(range.lowerBound) to \(range.upperBound)")
    }
    guard startThousandths != goalThousandths else {
      throw RuleViolation(
        field: prefix + ".goal_thousandths", message: "must be another weight than the start")
    }
    guard unit.milestoneSteps.contains(stepThousandths) else {
      let steps = unit.milestoneSteps.map(String.init).joined(separator: ", ")
      throw RuleViolation(
        field: prefix + ".step_thousandths", message: "must be one of \(steps) in \(unit.symbol)")
    }
    guard CivilDate.dayRange.contains(startDay) else {
      throw RuleViolation(
        field: prefix + ".start_day", message: "must be a day of the years 1 to 9999")
    }
    return self
  }

  /// Whether weight is to be lost.
  public var isLoss: Bool { goalThousandths < startThousandths }

  /// Multiples of the step strictly between start and goal, in the order of the way, then the goal.
  public var milestones: [Int64] {
    guard stepThousandths > 0 else { return [goalThousandths] }
    let step = isLoss ? -stepThousandths : stepThousandths
    // The multiple next to the start, on the goal's side of it.
    var weight = startThousandths / stepThousandths * stepThousandths
    if isLoss ? weight >= startThousandths : weight <= startThousandths { weight += step }
    var found: [Int64] = []
    while isLoss ? weight > goalThousandths : weight < goalThousandths {
      found.append(weight)
      weight += step
    }
    return found + [goalThousandths]
  }

  /// Whether a weight in the plan's unit is at a milestone or beyond.
  public func reaches(_ milestone: Int64, with thousandths: Int64) -> Bool {
    isLoss ? thousandths <= milestone : thousandths >= milestone
  }

  /// For each milestone the first entry, on or after the start day, that is at it or beyond; nil
  /// where none is yet. The entries come in their order.
  public func crossings(_ entries: some Sequence<WeighIn>) -> [Crossing] {
    let milestones = milestones
    var crossings = milestones.map { Crossing(milestoneThousandths: $0, entry: nil) }
    var reachedCount = 0
    for entry in entries where entry.day >= startDay {
      let weight = entry.weight.thousandths(in: unit)
      while reachedCount < milestones.count, reaches(milestones[reachedCount], with: weight) {
        crossings[reachedCount].entry = entry
        reachedCount += 1
      }
      if reachedCount == milestones.count { break }
    }
    return crossings
  }

  /// A milestone with the entry that reached it first.
  public struct Crossing: Sendable, Equatable {
    /// The milestone in thousandths of the plan's unit.
    public let milestoneThousandths: Int64
    /// The first entry at the milestone or beyond; nil: not reached.
    public internal(set) var entry: WeighIn?
  }
}
