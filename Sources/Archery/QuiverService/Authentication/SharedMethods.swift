import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire

/// Which methods show what a user lets another principal read (`Account/ShareData`).
///
/// A method that is not named here is PERMISSION_DENIED for every reader: all that change
/// something, those of events, and those of the account. A test compares all methods of all
/// services with a table of its own.
enum SharedMethods {
  /// Any of the parts gives the method.
  static let table: [(parts: ActingScopes, methods: [MethodInfo])] = [
    (.parts, [Health.check.info, Health.watch.info, Reflection.describe.info]),
    (
      .equipmentPart,
      [
        Equipment.getHub.info, Equipment.listItems.info, Equipment.watchHub.info,
        Equipment.watchItems.info, Equipment.watchBowSetups.info, Equipment.listSightMarks.info,
        Equipment.getBowSetup.info, Equipment.listBowSetups.info,
      ] + itemReads
    ),
    (
      .roundsPart,
      [
        Rounds.listFormats.info, Rounds.getFormat.info, Rounds.getSession.info,
        Rounds.listSessions.info, Rounds.getScorecard.info, Rounds.getPersonalBests.info,
        Rounds.getRunningHandicap.info,
      ]
    ),
    ([.roundsPart, .comparisonPart], [Rounds.listFaces.info, Comparison.getClassification.info]),
    (
      .comparisonPart,
      [
        Comparison.listComparableSetups.info, Comparison.getSetupPerformance.info,
        Comparison.getItemPerformance.info, Comparison.compare.info,
        Comparison.getArrowNumbers.info, Comparison.getRange.info,
        Comparison.getHandicapScore.info, Comparison.getScoreHandicap.info,
      ]
    ),
    (
      .weightPart,
      [
        Logbook.getWeightEntry.info, Logbook.listWeightEntries.info,
        Logbook.getWeightSections.info, Logbook.getWeightChart.info, Logbook.getWeightPlan.info,
        Logbook.getMilestones.info, Logbook.exportWeights.info, Logbook.watchWeights.info,
      ]
    ),
    (
      .strengthPart,
      [
        Logbook.getSet.info, Logbook.listSets.info, Logbook.listExercises.info,
        Logbook.getLiftSeries.info, Logbook.getNearestLift.info, Logbook.compareFormulas.info,
        Logbook.exportSets.info,
      ]
    ),
    (.trainingLogPart, [Logbook.getTrainingLog.info, Logbook.watchTrainingLog.info]),
  ]

  private static let itemReads = [
    Equipment.risers.get.info, Equipment.limbs.get.info, Equipment.sights.get.info,
    Equipment.rests.get.info, Equipment.plungers.get.info, Equipment.bowStrings.get.info,
    Equipment.stabilizers.get.info, Equipment.weights.get.info, Equipment.arrows.get.info,
    Equipment.accessories.get.info,
  ]

  private static let byMethodID: [UInt32: ActingScopes] = {
    var found: [UInt32: ActingScopes] = [:]
    for (parts, methods) in table {
      for method in methods { found[method.id, default: []].formUnion(parts) }
    }
    return found
  }()

  /// The parts of which one has to be shared so that a method may be called; nil: none gives it.
  static func parts(showing method: MethodInfo) -> ActingScopes? { byMethodID[method.id] }

  /// The error for a reader of whom nothing, or not this part, is shared now.
  static let denied = RPCError(
    .permissionDenied,
    "quiver-user: that user does not share this with the caller, or not any more"
      + " (Account/ListShares)",
    isNotProcessed: true)
}
