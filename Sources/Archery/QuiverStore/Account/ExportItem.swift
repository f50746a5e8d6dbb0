import QuiverRules

/// One record of a principal's data.
package enum ExportItem: Sendable {
  case profile(PrincipalRecord)
  case preference(PreferenceRecord)
  case equipment(EquipmentRecord)
  /// A setup in one of its versions.
  case bowSetup(BowSetupRecord)
  case sightMark(SightMarkRecord)
  /// A format of its own.
  case format(RoundFormatRecord)
  /// A round of its own or of a guest, alone or in a tournament, with every operation on it.
  case scorecard(ScorecardRecord)
  case weightEntry(WeightEntryRecord)
  case weightPlan(WeightPlanRecord)
  case liftSet(LiftSetRecord)

  /// About how many bytes its texts have.
  var byteCount: Int {
    switch self {
    case .profile, .sightMark: 512
    case .format(let format): 256 + format.format.passes.count * 64
    case .scorecard(let card): 512 + card.arrows.count * 64 + card.history.count * 128
    case .weightEntry(let entry): entry.byteCount
    case .weightPlan, .liftSet: 128
    case .preference(let preference): preference.key.utf8.count + preference.value.utf8.count
    case .equipment(let piece): piece.content.values.reduce(256) { $0 + $1.textByteCount }
    case .bowSetup(let setup):
      setup.notes.utf8.count + 256
        + setup.components.reduce(0) { count, component in
          count + 64 + component.displayBrand.utf8.count + component.displayModel.utf8.count
        }
    }
  }
}

/// A page of a principal's data, of one snapshot.
package struct ExportPage: Sendable {
  package let items: [ExportItem]

  /// Where the next page begins; empty after the last.
  package let nextPageToken: String

  /// The latest commit that the page shows.
  package let watermark: Int64
}

extension EquipmentValue {
  fileprivate var textByteCount: Int {
    guard case .text(let text) = self else { return 0 }
    return text.utf8.count
  }
}
