/// What a word of the command line names where the server wants an id.
enum NamedKind: Sendable, Hashable {
  case event, category, session, archer, stage, match, setup, item
  /// A device that joined with a code alone, and a call from a target.
  case device, call
  /// Who takes part in an event with an account, scores in it or has a role.
  case official
  case token, invite, binding
  /// An entry of the logbook, one that is deleted, and a round of one's own.
  case weight, deletedWeight, ownRound
  /// A practice round, and who shoots in one.
  case practice, shooter
  /// A sight mark, and a set of the strength log.
  case mark, set
  /// An arrow that arrived late, and a typed total.
  case late, typed
  /// An invitation to read parts of the caller's data.
  case shareInvite
  /// A user, a service or an administrator, as administrators name it.
  case account
  /// What the caller shares or receives, and a user who shares with the caller.
  case share, sharer

  /// What it is called in sentences.
  var word: String {
    switch self {
    case .event: "event"
    case .category: "category"
    case .session: "session"
    case .archer: "archer"
    case .stage: "stage"
    case .match: "match"
    case .setup: "bow setup"
    case .item: "item of equipment"
    case .device: "device"
    case .call: "call"
    case .token: "token"
    case .invite: "invite"
    case .binding: "certificate binding"
    case .weight: "weight entry"
    case .deletedWeight: "deleted weight entry"
    case .practice: "practice round"
    case .shooter: "archer"
    case .mark: "sight mark"
    case .set: "set"
    case .late: "late arrow"
    case .typed: "typed total"
    case .shareInvite: "invitation"
    case .ownRound: "round of your own"
    case .official, .account: "principal"
    case .share: "share"
    case .sharer: "user who shares with you"
    }
  }

  /// Whether it is part of an event, so that the event has to be known.
  var isOfEvent: Bool {
    switch self {
    case .category, .session, .archer, .stage, .match, .device, .call, .official, .late, .typed:
      true
    case .event, .setup, .item, .account, .token, .invite, .binding, .weight, .ownRound: false
    case .share, .sharer, .deletedWeight, .practice, .shooter, .mark, .set, .shareInvite: false
    }
  }

  /// Whether nothing of the kind has a name of digits alone, so that a number is an id.
  var hasNoDigits: Bool {
    switch self {
    case .match, .deletedWeight, .practice, .mark, .set, .late, .typed, .shareInvite: true
    default: false
    }
  }

  /// Whether its list is in the order of time, newest first, so that `last` names the first.
  var hasLast: Bool {
    switch self {
    case .practice, .weight, .deletedWeight, .shareInvite: true
    default: false
    }
  }

  /// What may be written, for the help.
  var accepted: String {
    switch self {
    case .event: "its name or the beginning of it, its join code, or its id"
    case .category: "its code, its name or the beginning of it, or its id"
    case .session: "its name or the beginning of it, or its id"
    case .archer: "a bib, a place as 12B, a name or the beginning of it, or the id of an entry"
    case .stage: "its code of event stages, as RM, or its id"
    case .match: "its code of event matches, as RM-8-1 or RM-gold, or its id"
    case .setup: "its name or the beginning of it, or its id"
    case .item: "brand and model or the beginning of them, or its id"
    case .token: "its label, the name of its principal, or its id"
    case .invite: "its label or the beginning of it, or its id"
    case .binding: "the name in the certificate, its label, or its id"
    case .weight, .deletedWeight: "last, its day as 2026-05-23, or its id"
    case .practice: "last, its day as 2026-05-23, the round that was shot, or its id"
    case .shooter: "me, the name of a guest or the beginning of it, or the id of the participant"
    case .mark:
      "its distance as 70m, with the sight or setup behind it if several have it, or its id"
    case .set: "its exercise and day as 'Squat 2026-05-23', 'Squat last', or its id"
    case .late: "bib or place, end and arrow as 12B-3-1, or its id"
    case .typed: "part-1 for the first distance, round for the whole round, or its id"
    case .shareInvite: "last, the last day of the share as 2026-05-23, or its id"
    case .ownRound: "its name or the beginning of it, or its id"
    case .device: "its name or the beginning of it, or its id"
    case .call: "the target or the archer of an open call, or its id"
    case .official: "a name or the beginning of it, a code of quiver account code, or an id"
    case .account: "its name or the beginning of it, or its id"
    case .share: "the name of the other side or the beginning of it, or the id of the share"
    case .sharer: "a name of quiver share list or the beginning of it, or an id"
    }
  }
}

/// An object that a word of the command line may name.
struct NamedObject: Sendable, Equatable {
  /// What names an object in full.
  struct Key: Sendable, Equatable {
    /// What it is, as in `bib`.
    let kind: String
    let text: String
  }

  let id: Int64
  /// The event that it is part of; 0: none.
  var event: Int64 = 0
  var keys: [Key] = []
  /// Of which a beginning suffices if no other object has it.
  var names: [String] = []
  /// The archer whom it is about; 0: none.
  var archer: Int64 = 0
  /// The type of an item of equipment; 0: it is none.
  var type: Int32 = 0
  /// What tells it apart from others, as in `Ann Archer (bib 12, 3A)`.
  var label = ""
}

extension NamedObject {
  /// The label with the id behind `#`, by which it can always be named.
  var labelWithID: String { "\(label) #\(id)" }
}
