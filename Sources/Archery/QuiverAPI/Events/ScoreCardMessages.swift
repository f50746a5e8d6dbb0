public import QuiverProtobuf

/// Records all arrows of an end on the second card, or replaces what another operation recorded.
public struct CardOperation: Message {
  /// UUIDv7, unique per principal.
  public var clientID: [UInt8] = []
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// From 0, through all passes.
  public var endIndex: UInt32 = 0
  /// None: empties the end, with replaces_client_id.
  public var arrows: [MatchArrow] = []
  /// The operation whose end is corrected.
  public var replacesClientID: [UInt8] = []
  /// Of a correction: 1 to 200 characters.
  public var reason = ""
  /// By the client's clock; 0, or more than 5 minutes ahead: now.
  public var scoredAtMilliseconds: Int64 = 0
  /// At most 200 characters; in an event that demands leases that of the lease.
  public var device = ""
  /// The other participant who agreed to a correction; 0: none.
  public var witnessID: Int64 = 0
  /// The organiser or judge who agreed instead; 0: none.
  public var judgeID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardOperation",
    .bytes(1, "client_id", \.clientID), .int64(2, "participant_id", \.participantID),
    .uint32(3, "end_index", \.endIndex), .messages(4, "arrows", \.arrows),
    .bytes(5, "replaces_client_id", \.replacesClientID), .string(6, "reason", \.reason),
    .int64(7, "scored_at_ms", \.scoredAtMilliseconds), .string(8, "device", \.device),
    .int64(9, "witness_id", \.witnessID), .int64(10, "judge_id", \.judgeID))
}

/// Applies operations on second cards.
public struct ApplyCardOperationsRequest: Message {
  /// 1 to 50.
  public var operations: [CardOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyCardOperationsRequest",
    .messages(1, "operations", \.operations))
}

/// What became of the operations.
public struct ApplyCardOperationsResponse: Message {
  /// One for each, in their order.
  public var verdicts: [CardOperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyCardOperationsResponse",
    .messages(1, "verdicts", \.verdicts))
}

/// What became of an operation on a second card.
public struct CardOperationVerdict: Message {
  /// The client id of the operation.
  public var clientID: [UInt8] = []
  /// STORED, SAME (it was stored before, whoever may score now, or the same arrows are there),
  /// NOT_YET (the event has not started or is paused, no device has joined the target, or the
  /// operation that it replaces has not arrived; send it again later), CONFLICT (other arrows are
  /// there) or REFUSED.
  public var verdict = Verdict.unspecified
  /// Of NOT_YET, CONFLICT and REFUSED: the status code.
  public var code: UInt32 = 0
  /// Why it was refused.
  public var message = ""
  /// After the operation, without the first card; absent if it has no arrows.
  public var end: ComparedEnd?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardOperationVerdict",
    .bytes(1, "client_id", \.clientID), .enum(2, "verdict", \.verdict), .uint32(3, "code", \.code),
    .string(4, "message", \.message), .message(5, "end", \.end))
}

/// How the two cards of an end compare. The order of the arrows does not count.
public struct CardEndState: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The second card does not have the end.
  public static let unspecified = Self(rawValue: 0)
  /// The first card does not have all arrows of the end.
  public static let waiting = Self(rawValue: 1)
  /// Agreed.
  public static let agreed = Self(rawValue: 2)
  /// Disputed.
  public static let disputed = Self(rawValue: 3)
  /// By a judge, or by the rule set after both confirmations.
  public static let ruled = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.CardEndState",
    [
      (0, "CARD_END_STATE_UNSPECIFIED"), (1, "CARD_END_STATE_WAITING"),
      (2, "CARD_END_STATE_AGREED"), (3, "CARD_END_STATE_DISPUTED"), (4, "CARD_END_STATE_RULED"),
    ])
}

/// Who confirms a card.
public struct CardRole: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Archer.
  public static let archer = Self(rawValue: 1)
  /// Scorer.
  public static let scorer = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.CardRole",
    [
      (0, "CARD_ROLE_UNSPECIFIED"), (1, "CARD_ROLE_ARCHER"), (2, "CARD_ROLE_SCORER"),
    ])
}

/// How far a card is checked.
public struct CardStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// There is one card, or two that are not compared in all ends or are in dispute.
  public static let provisional = Self(rawValue: 1)
  /// Two cards agree in all ends of the round, or a judge has ruled.
  public static let agreed = Self(rawValue: 2)
  /// Archer and scorer have confirmed.
  public static let confirmed = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.CardStatus",
    [
      (0, "CARD_STATUS_UNSPECIFIED"), (1, "CARD_STATUS_PROVISIONAL"), (2, "CARD_STATUS_AGREED"),
      (3, "CARD_STATUS_CONFIRMED"),
    ])
}

/// The comparison of the cards of a participant.
public struct CardSummary: Message {
  /// How far the card is checked.
  public var status = CardStatus.unspecified
  /// On which both cards agree, or which were ruled.
  public var confirmedEnds: UInt32 = 0
  /// The number of ends in dispute.
  public var disputedEnds: UInt32 = 0
  /// The number of ends on which somebody has ruled.
  public var ruledEnds: UInt32 = 0
  /// Ends of the second card.
  public var secondEnds: UInt32 = 0
  /// Whether the archer has confirmed.
  public var archerConfirmed = false
  /// Whether the scorer has confirmed.
  public var scorerConfirmed = false
  /// Absent: none was typed.
  public var paperTotal: UInt32?
  /// The points by which the total on paper is lower than the arrows, once it counts: the total of
  /// the participant is without them.
  public var deducted: UInt32 = 0
  /// The total on paper with its counts; nil: none was typed.
  public var paper: PartSums?
  /// By what each sum on paper is lower, once they count; nil: by nothing.
  public var deductions: PartSums?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardSummary",
    .enum(1, "status", \.status), .uint32(2, "confirmed_ends", \.confirmedEnds),
    .uint32(3, "disputed_ends", \.disputedEnds), .uint32(4, "ruled_ends", \.ruledEnds),
    .uint32(5, "second_ends", \.secondEnds), .bool(6, "archer_confirmed", \.archerConfirmed),
    .bool(7, "scorer_confirmed", \.scorerConfirmed),
    .optionalUint32(8, "paper_total", \.paperTotal), .uint32(9, "deducted", \.deducted),
    .message(10, "paper", \.paper), .message(11, "deductions", \.deductions))
}

/// An end of both cards.
public struct ComparedEnd: Message {
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// Of the card that RecordArrow and the like score.
  public var first: [MatchArrow] = []
  /// The arrows of the second card.
  public var second: [MatchArrow] = []
  /// How the cards compare.
  public var state = CardEndState.unspecified
  /// That stored the second card's end; assigned by the server.
  public var operationClientID: [UInt8] = []
  /// The name of the judge; empty: nobody, or the rule set.
  public var ruledBy = ""
  /// When a judge has ruled, in milliseconds since 1970-01-01 UTC.
  public var ruledAtMilliseconds: Int64 = 0
  /// Of the ruling.
  public var reason = ""
  /// The participant who agreed to the correction that the second card has; 0: none.
  public var witnessID: Int64 = 0
  /// The organiser or judge who agreed instead; 0: none.
  public var judgeID: Int64 = 0
  /// The name of who agreed, as the caller may see it; at most 200 characters.
  public var witnessName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparedEnd",
    .uint32(1, "end_index", \.endIndex), .messages(2, "first", \.first),
    .messages(3, "second", \.second), .enum(4, "state", \.state),
    .bytes(5, "operation_client_id", \.operationClientID), .string(6, "ruled_by", \.ruledBy),
    .int64(7, "ruled_at_ms", \.ruledAtMilliseconds), .string(8, "reason", \.reason),
    .int64(9, "witness_id", \.witnessID), .int64(10, "judge_id", \.judgeID),
    .string(11, "witness_name", \.witnessName))
}

/// Who confirmed a card.
public struct CardConfirmation: Message {
  /// The role.
  public var role = CardRole.unspecified
  /// Whose token it was.
  public var principalID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// When, in milliseconds since 1970-01-01 UTC.
  public var confirmedAtMilliseconds: Int64 = 0
  /// Whether there is a signature.
  public var signed = false
  /// Only for organisers, judges and the archer.
  public var signature: [UInt8] = []
  /// The number of a distance, from 1; 0: the whole card.
  public var part: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardConfirmation",
    .enum(1, "role", \.role), .int64(2, "principal_id", \.principalID),
    .string(3, "display_name", \.displayName),
    .int64(4, "confirmed_at_ms", \.confirmedAtMilliseconds), .bool(5, "signed", \.signed),
    .bytes(6, "signature", \.signature), .uint32(7, "part", \.part))
}

/// Both cards of a participant.
public struct ComparedCard: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// Changes with each operation on one of the cards; 0: nothing is recorded.
  public var revision: UInt64 = 0
  /// That counts.
  public var total: UInt32 = 0
  /// Of the arrows of the second card.
  public var secondTotal: UInt32 = 0
  /// Absent: there is neither a second card nor a confirmation.
  public var summary: CardSummary?
  /// Those in which a card has arrows.
  public var ends: [ComparedEnd] = []
  /// The confirmations of the whole card.
  public var confirmations: [CardConfirmation] = []
  /// Of the event, for cards that differ in total.
  public var rule = ""
  /// The parts of the card by their numbers; each is by arrows or typed.
  public var parts: [CardPart] = []
  /// The confirmations of single distances, by their numbers.
  public var partConfirmations: [CardConfirmation] = []
  /// Whether a sum of the whole card on paper is another one than that of the card, or, while
  /// arrows are missing, a lower one.
  public var paperDiffers = false
  /// Who must agree to the correction of an end; unspecified: nobody.
  public var correctionConsent = CorrectionConsent.unspecified
  /// The arrows that the archer owes, by their ends.
  public var owed: [OwedArrows] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparedCard",
    .int64(1, "participant_id", \.participantID), .int64(2, "tournament_id", \.tournamentID),
    .string(3, "display_name", \.displayName), .uint64(4, "revision", \.revision),
    .uint32(5, "total", \.total), .uint32(6, "second_total", \.secondTotal),
    .message(7, "summary", \.summary), .messages(8, "ends", \.ends),
    .messages(9, "confirmations", \.confirmations), .string(10, "rule", \.rule),
    .messages(11, "parts", \.parts), .messages(12, "part_confirmations", \.partConfirmations),
    .bool(13, "paper_differs", \.paperDiffers),
    .enum(14, "correction_consent", \.correctionConsent), .messages(15, "owed", \.owed))
}

/// Arrows of an end that an archer owes after an equipment failure, until they are shot.
public struct OwedArrows: Message {
  /// Of the card, from 0.
  public var endIndex: UInt32 = 0
  /// At most as many as the end lacks.
  public var arrowCount: UInt32 = 0
  /// The call from the target that told of them.
  public var callID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OwedArrows",
    .uint32(1, "end_index", \.endIndex), .uint32(2, "arrow_count", \.arrowCount),
    .int64(3, "call_id", \.callID))
}

/// Requests both cards of a participant.
public struct GetComparedCardRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetComparedCardRequest",
    .int64(1, "participant_id", \.participantID))
}

/// Stores the total of a paper card.
public struct SetPaperTotalRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// At most that of the part; absent: removes it with its counts.
  public var total: UInt32?
  /// The number of a distance, from 1; 0: the whole card.
  public var part: UInt32 = 0
  /// Arrows above 0, as the paper has them.
  public var hits: UInt32?
  /// Arrows of the face's top value, Xs included.
  public var golds: UInt32?
  /// The number of X.
  public var xCount: UInt32?
  /// The revision of the card, as it was read: a card that differs is ABORTED; nil: any.
  public var expectedRevision: UInt64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetPaperTotalRequest",
    .int64(1, "participant_id", \.participantID), .optionalUint32(2, "total", \.total),
    .uint32(3, "part", \.part), .optionalUint32(4, "hits", \.hits),
    .optionalUint32(5, "golds", \.golds), .optionalUint32(6, "x_count", \.xCount),
    .optionalUint64(7, "expected_revision", \.expectedRevision))
}

/// Confirms a card for its archer or its scorer.
public struct ConfirmScoreCardRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The role.
  public var role = CardRole.unspecified
  /// That was read: what is confirmed.
  public var revision: UInt64 = 0
  /// A drawing in a format of the client's, at most 16,384 bytes. It must be given where another
  /// token than the archer's confirms for the archer.
  public var signature: [UInt8] = []
  /// The number of a distance, from 1; 0: the whole card.
  public var part: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ConfirmScoreCardRequest",
    .int64(1, "participant_id", \.participantID), .enum(2, "role", \.role),
    .uint64(3, "revision", \.revision), .bytes(4, "signature", \.signature),
    .uint32(5, "part", \.part))
}

/// Rules on an end in dispute.
public struct RuleOnEndRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// All of the end, as they count.
  public var arrows: [MatchArrow] = []
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RuleOnEndRequest",
    .int64(1, "participant_id", \.participantID), .uint32(2, "end_index", \.endIndex),
    .messages(3, "arrows", \.arrows), .string(4, "reason", \.reason))
}

/// Revokes the confirmations of a card.
public struct ReopenScoreCardRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// 1 to 200 characters.
  public var reason = ""
  /// The number of a distance, from 1; 0: the whole card, with its distances.
  public var part: UInt32 = 0
  /// The revision of the card, as it was read: a card that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ReopenScoreCardRequest",
    .int64(1, "participant_id", \.participantID), .string(2, "reason", \.reason),
    .uint32(3, "part", \.part),
    .uint64(4, "expected_revision", \.expectedRevision))
}

/// Requests a page of the ends in dispute of an event.
public struct ListCardDisputesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCardDisputesRequest",
    .int64(1, "tournament_id", \.tournamentID), .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken))
}

/// A page of the ends in dispute of an event.
public struct ListCardDisputesResponse: Message {
  /// By participant, then by end.
  public var disputes: [CardDispute] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCardDisputesResponse",
    .messages(1, "disputes", \.disputes), .string(2, "next_page_token", \.nextPageToken))
}

/// An end on which two cards differ.
public struct CardDispute: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// The bib.
  public var bib = ""
  /// 0: none.
  public var sessionID: Int64 = 0
  /// 0: no place.
  public var target: UInt32 = 0
  /// The letter; A to D.
  public var letter = ""
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// The arrows of the first card.
  public var first: [MatchArrow] = []
  /// The arrows of the second card.
  public var second: [MatchArrow] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardDispute",
    .int64(1, "participant_id", \.participantID), .string(2, "display_name", \.displayName),
    .string(3, "bib", \.bib), .int64(4, "session_id", \.sessionID), .uint32(5, "target", \.target),
    .string(6, "letter", \.letter), .uint32(7, "end_index", \.endIndex),
    .messages(8, "first", \.first), .messages(9, "second", \.second))
}
