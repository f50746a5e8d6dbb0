import QuiverRules

/// One item of a principal's data.
package enum ExportItem: Sendable {
  case profile(PrincipalRecord)
  case preference(PreferenceRecord)
  case equipment(EquipmentRecord)
  /// A setup in one of its versions.
  case bowSetup(BowSetupRecord)
  case sightMark(SightMarkRecord)
  /// A format that the principal created.
  case format(RoundFormatRecord)
  /// A practice session with its notes and conditions.
  case session(SessionRecord)
  /// An event that the principal organises.
  case tournament(TournamentRecord)
  /// The round of the principal, of a guest or of an entry, with or without a tournament, with the
  /// operations on it. A long history continues in further items without arrows.
  case scorecard(ScorecardRecord)
  /// An operation that the principal admitted or rejected as an organiser, or a correction on the
  /// card of another one to which it agreed.
  case ruling(OperationRecord)
  case weightEntry(WeightEntryRecord)
  case weightPlan(WeightPlanRecord)
  case liftSet(LiftSetRecord)
  /// The structure of an event that the principal organises.
  case eventCategory(EventCategoryRecord)
  case eventSession(EventSessionRecord)
  case stage(EliminationStageRecord)
  /// The role of the principal in an event, or of another one in an event of its own.
  case role(EventOfficialRecord)
  /// The entry of the principal, of a guest, or of an event of its own.
  case eventEntry(EventEntryRecord)
  /// A match of such an entry, with both cards.
  case match(MatchInBracket)
  /// The second card of the principal, of a guest or of an entry, with confirmations; of another
  /// archer only what the principal has confirmed.
  case comparedCard(ComparedCardRecord)
  /// A lease of a device of the principal.
  case lease(TargetLeaseRecord)
  /// A device of an event that the principal organises.
  case device(EventDeviceRecord)
  /// A call from a target that the principal raised, or of an event that it organises.
  case targetCall(TargetCallRecord)
  /// How a tie of such an entry was decided, or one that the principal decided.
  case tie(ExportedTie)
  /// A notice that the principal sent, and a pause of the shooting that it began.
  case notice(EventNoticeRecord)
  case pause(ShootingPauseRecord)
  /// A total that the principal typed from a paper, or one of the card of the principal, of a guest
  /// or of an entry.
  case typedTotal(TypedTotalRecord)
  /// A token, an invite or a certificate, without its secret.
  case token(TokenRecord)
  case invite(InviteRecord)
  case certificate(CertificateBindingRecord)
  /// What the principal lets others read, or others let it read; and an invitation to that.
  case share(ShareRecord)
  case shareInvite(ShareInviteRecord)
  /// What the principal did with a device or for a reason, and what was done to its card, entry or
  /// match for a reason.
  case action(AuditRecord)

  /// About the number of bytes of its message: all of its texts, and the rest at its largest.
  var byteCount: Int {
    switch self {
    case .profile, .eventSession: 512
    case .sightMark(let mark): 256 + mark.content.notes.utf8.count
    case .ruling(let operation): operation.byteCount
    case .session(let session):
      session.notes.utf8.count + session.conditions.place.utf8.count + 256
        + session.format.byteCount
        + session.rounds.reduce(0) { $0 + 256 + $1.participant.displayName.utf8.count }
    case .tournament(let event):
      512 + event.head.name.utf8.count + event.organiserName.utf8.count + event.format.byteCount
    case .format(let format): format.byteCount
    case .scorecard(let card):
      512 + card.round.participant.displayName.utf8.count + card.format.byteCount
        + card.arrows.count * 128 + card.history.reduce(0) { $0 + $1.byteCount }
    case .weightEntry(let entry): entry.byteCount
    case .weightPlan, .stage, .shareInvite: 128
    case .share(let share): 128 + share.ownerName.utf8.count + share.readerName.utf8.count
    case .liftSet(let record): 128 + record.set.exercise.text.utf8.count
    case .eventCategory(let category): 512 + category.format.format.passes.count * 64
    case .eventEntry(let entry):
      256 + entry.content.club.utf8.count + entry.content.country.utf8.count
        + entry.content.licence.utf8.count
    case .role, .lease: 256
    case .device(let device): 256 + device.device.utf8.count
    case .targetCall(let call):
      256 + call.content.text.utf8.count + call.decision.utf8.count
    case .token(let token): 256 + token.label.utf8.count
    case .invite(let invite): 128 + invite.label.utf8.count
    case .certificate(let binding): 256 + binding.label.utf8.count + binding.name.value.utf8.count
    case .action(let row):
      128 + row.entry.before.count + row.entry.after.count + row.entry.device.utf8.count
        + row.entry.reason.utf8.count
    case .notice(let notice): 128 + notice.content.text.utf8.count
    case .typedTotal(let total):
      256 + total.displayName.utf8.count + total.paper.utf8.count + total.reason.utf8.count
    case .pause(let pause): 512 + pause.reason.utf8.count
    case .tie(let tie): 64 + tie.participants.count * 16
    case .comparedCard(let card): card.byteCount
    case .match(let found): 512 + found.match.operations.count * 128
    case .preference(let preference): preference.key.utf8.count + preference.value.utf8.count
    case .equipment(let item): item.content.values.reduce(256) { $0 + $1.textByteCount }
    case .bowSetup(let setup):
      setup.notes.utf8.count + setup.name.utf8.count + 256
        + setup.components.reduce(0) { count, component in
          count + 64 + component.displayBrand.utf8.count + component.displayModel.utf8.count
        }
    }
  }
}

/// A page of a principal's data, of one snapshot.
package struct ExportPage: Sendable {
  package let items: [ExportItem]

  /// The start of the next page; empty after the last.
  package let nextPageToken: String

  /// The latest commit that the page includes.
  package let watermark: Int64
}

extension ComparedCardRecord {
  /// About the number of bytes of its message.
  fileprivate var byteCount: Int {
    512 + participant.displayName.utf8.count + arrows.count * 16
      + ends.reduce(0) { $0 + $1.byteCount }
      + confirmations.reduce(0) { $0 + 128 + ($1.signature?.count ?? 0) }
  }
}

extension CardEndRecord {
  fileprivate var byteCount: Int {
    128 + arrows.count * 16 + reason.utf8.count + (witness?.name.utf8.count ?? 0)
  }
}

extension OperationRecord {
  /// About the number of bytes of its message.
  var byteCount: Int {
    192 + reason.utf8.count + device.utf8.count + ruling.utf8.count
      + (witness?.name.utf8.count ?? 0)
  }
}

extension RoundFormatRecord {
  fileprivate var byteCount: Int { 256 + format.name.utf8.count + format.passes.count * 64 }
}

extension EquipmentValue {
  fileprivate var textByteCount: Int {
    guard case .text(let text) = self else { return 0 }
    return text.utf8.count
  }
}

/// A decided tie of an event.
package struct ExportedTie: Sendable, Equatable {
  package let event: Int64
  package var category: Int64 = 0
  /// Those whom the decision names still, best first.
  package var participants: [Int64] = []
  /// The raw value of a ``DecideTie/Decision``.
  package var decision: Int32 = 0
  /// Of a shoot-off, if they are known.
  package var shots: [TieShots] = []

  init(event: Int64) { self.event = event }
}
