import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverStore
import Testing

/// The enums that the messages and the rules or the store both declare: their numbers are converted
/// by raw value, so that each number must mean the same on both sides.
@Suite("Enums of messages and of the rules", .timeLimit(.minutes(1)))
struct EnumPairTests {
  /// One enum of the messages beside its counterpart.
  struct Pair: Sendable, CustomTestStringConvertible {
    let schema: EnumSchema
    /// The counterpart's cases by number, lower case.
    let counterpartNames: [Int32: String]
    /// Numbers that only the messages have.
    var onlyInMessages: Set<Int32> = [0]

    init<Counterpart: RawRepresentable>(
      _ schema: EnumSchema, _: Counterpart.Type, onlyInMessages: Set<Int32> = [0]
    ) where Counterpart.RawValue: FixedWidthInteger {
      self.schema = schema
      self.onlyInMessages = onlyInMessages
      counterpartNames = Dictionary(
        uniqueKeysWithValues: (Int32(-1)...200).compactMap { number in
          Counterpart.RawValue(exactly: number).flatMap(Counterpart.init(rawValue:)).map {
            (number, Self.plain("\($0)"))
          }
        })
    }

    var testDescription: String { schema.name }

    /// Case names by number, lower case without the common prefix and without underscores.
    var messageNames: [Int32: String] {
      let zero = schema.values[0].name
      let prefix = zero.hasSuffix("UNSPECIFIED") ? zero.dropLast("UNSPECIFIED".count) : ""
      return Dictionary(
        uniqueKeysWithValues: schema.values.filter { !onlyInMessages.contains($0.number) }.map {
          ($0.number, Self.plain($0.name.dropFirst(prefix.count)))
        })
    }

    private static func plain(_ name: some StringProtocol) -> String {
      let plain = name.lowercased().filter { $0 != "_" }
      // No name in Swift begins with a digit.
      let numbers = [("three", "3"), ("five", "5"), ("ten", "10"), ("eleven", "11")]
      guard let (word, digits) = numbers.first(where: { plain.hasPrefix($0.0) }) else {
        return plain
      }
      return digits + plain.dropFirst(word.count)
    }
  }

  private static let pairs = [
    Pair(AgeGroup.schema, AgeDivision.self),
    Pair(ArcherGender.schema, GenderDivision.self),
    Pair(Bowstyle.schema, BowDivision.self),
    Pair(CertificateNameKind.schema, CertificateName.Kind.self),
    Pair(ClassificationTier.schema, Classification.Tier.self),
    Pair(Light.schema, LightKind.self),
    Pair(StratumAspect.schema, StratumFeature.self),
    Pair(Weather.schema, WeatherKind.self),
    Pair(Wind.schema, WindStrength.self),
    Pair(QuiverAPI.ComparisonMetric.schema, SetupMetric.self),
    Pair(QuiverAPI.ComparisonRange.schema, ArrowSelection.self),
    Pair(QuiverAPI.ComparisonVerdict.schema, SetupVerdict.self),
    Pair(QuiverAPI.DeltaDirection.schema, DifferenceDirection.self),
    Pair(QuiverAPI.DistanceUnit.schema, LengthUnit.self),
    Pair(QuiverAPI.EquipmentGroup.schema, ItemGroup.self),
    Pair(QuiverAPI.EquipmentType.schema, ItemType.self),
    Pair(QuiverAPI.Face.schema, TargetFace.self),
    Pair(QuiverAPI.InputMode.schema, QuiverStore.InputMode.self),
    Pair(QuiverAPI.NextKind.schema, ScoringTurn.Kind.self),
    Pair(QuiverAPI.OneRepMaxFormula.schema, LiftFormula.self),
    Pair(QuiverAPI.OperationKind.schema, QuiverStore.OperationKind.self),
    Pair(QuiverAPI.ParticipantKind.schema, ParticipantRecord.Kind.self),
    Pair(QuiverAPI.ParticipantStatus.schema, QuiverStore.ParticipantStatus.self),
    Pair(QuiverAPI.PlaceVerdict.schema, PlaceConclusion.self),
    Pair(QuiverAPI.PrincipalKind.schema, PrincipalRecord.Kind.self),
    Pair(QuiverAPI.RoundLocation.schema, RoundVenue.self),
    Pair(QuiverAPI.RoundStatus.schema, QuiverStore.RoundStatus.self),
    Pair(QuiverAPI.TiePolicy.schema, TieBreak.self),
    Pair(QuiverAPI.TournamentStatus.schema, QuiverStore.TournamentStatus.self),
    Pair(QuiverAPI.TrendDirection.schema, WeightDirection.self),
    Pair(QuiverAPI.NoPrediction.schema, GoalPrediction.Reason.self),
    Pair(QuiverAPI.Units.schema, PrincipalRecord.Units.self, onlyInMessages: []),
    Pair(QuiverAPI.Verdict.schema, ScoringOutcome.Verdict.self),
    Pair(QuiverAPI.WeightUnit.schema, MassUnit.self),
    Pair(DrawMethod.schema, DrawPlaces.Method.self),
    Pair(TieDecision.schema, DecideTie.Decision.self),
    Pair(EventStepKind.schema, EventProgress.Kind.self),
    Pair(QuiverAPI.EventEntryState.schema, QuiverStore.EventEntryState.self),
    Pair(QuiverAPI.EventRole.schema, QuiverStore.EventRole.self),
    Pair(QuiverAPI.CardEndState.schema, QuiverStore.CardEndState.self),
    Pair(QuiverAPI.CardRole.schema, QuiverStore.CardRole.self),
    Pair(CardStatus.schema, QuiverStore.CardSummary.Status.self),
    Pair(QuiverAPI.CorrectionConsent.schema, QuiverStore.CorrectionConsent.self),
    Pair(QuiverAPI.MatchDecision.schema, QuiverRules.MatchDecision.self),
    Pair(QuiverAPI.MatchSystem.schema, QuiverRules.MatchSystem.self),
    Pair(MatchVerdict.schema, MatchOutcome.Verdict.self),
    Pair(QuiverAPI.TeamGroup.schema, QuiverStore.TeamGroup.self),
  ]

  @Test("Each raw value has the same meaning in a message and in the rules", arguments: pairs)
  func agree(_ pair: Pair) {
    #expect(!pair.messageNames.isEmpty)
    #expect(pair.messageNames == pair.counterpartNames)
  }
}
