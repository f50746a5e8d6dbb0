package import QuiverRules

/// The role of an official of an event; the raw values are those of `quiver.v1.EventRole`, and are
/// stored.
package enum EventRole: Int32, Sendable, CaseIterable {
  /// Everything that the organiser who created the event may do in its structure.
  case organiser = 1
  /// Rulings: states of entries, disqualifications, ties, and matches.
  case judge = 2
  /// Scores all archers and matches.
  case scorer = 3
  /// Reads everything.
  case results = 4
  /// Notes who has come.
  case checkIn = 5

  /// As refusals name it.
  var label: String { self == .checkIn ? "check-in helper" : "\(self)" }
}

/// A category of an event.
package struct EventCategoryRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let revision: UInt64
  /// Whether participants without an entry are in it.
  package let isFirst: Bool
  package let content: EventCategoryContent
  package let format: RoundFormatRecord
  /// Whether the format is the category's own, and not the event's.
  package let hasOwnFormat: Bool
  /// The rounds of the qualification in their order; one unless more were added.
  package let rounds: [QualificationRound]
  package let entryCount: Int64
}

/// The fields of a category that its organiser sets.
package struct EventCategoryContent: Sendable, Equatable {
  package var code = ""
  package var name = ""
  /// 0: none of them in particular.
  package var bow: Int32 = 0
  package var gender: Int32 = 0
  package var age: Int32 = 0
  /// 0: the event's.
  package var tiePolicy: Int32 = 0

  package init() {}
}

/// A session of an event: the archers who shoot at the same time.
package struct EventSessionRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let revision: UInt64
  package let content: EventSessionContent
  /// The seed of the latest draw; 0: none was drawn at random.
  package let drawSeed: UInt64
  package let drawnAtMilliseconds: Int64
  package let entryCount: Int64
}

/// The fields of a session that its organiser sets.
package struct EventSessionContent: Sendable, Equatable {
  package var name = ""
  package var startsAtMilliseconds: Int64 = 0
  package var firstTarget: UInt32 = 1
  package var lastTarget: UInt32 = 1
  package var archersPerTarget: UInt32 = 4
  /// Which round of its category an entry shoots in this session, from 1.
  package var round: UInt32 = 1
  /// ``SetSessionPlaces`` sets them.
  package internal(set) var places = SessionPlaces()

  package init() {}

  /// All places of some targets that are not blocked.
  func openPlaces(_ targets: ClosedRange<UInt32>) -> [TargetDraw.Place] {
    targets.flatMap { target in
      (0..<Int(archersPerTarget)).map { TargetDraw.Place(target: Int(target), letter: $0) }
    }.filter { !places.isBlocked($0) }
  }
}

/// A participant as an entry of an event.
package struct EventEntryRecord: Sendable, Equatable {
  package let participant: Int64
  package let event: Int64
  package internal(set) var displayName: String
  /// What is shown to who has no part in the event; empty: the name itself.
  package internal(set) var publicName: String
  package let principal: Int64
  package let clientID: [UInt8]
  package let status: ParticipantStatus
  package let arrowCount: Int64
  /// The text fields, the category, and what the entry says of its archer.
  package internal(set) var content: EventEntryContent
  package let categoryCode: String
  /// Of the first round, or of the session that a list names; 0: none.
  package internal(set) var session: Int64
  /// Nil: no place.
  package internal(set) var place: TargetDraw.Place?
  /// Its session and place in the first round, whichever it is shown in.
  let firstPlace: EventRoundPlace
  package let stored: EventEntryState
  /// Its sessions and places in the rounds after the first.
  package internal(set) var laterPlaces: [EventRoundPlace] = []

  /// The state as it is shown: that of the participant, and whether it shoots, come first.
  package var state: EventEntryState {
    switch status {
    case .withdrawn: .withdrawn
    case .disqualified: .disqualified
    case .active, .completed:
      stored.isOut ? stored : arrowCount > 0 ? .active : stored
    }
  }

  /// Whether it is ranked.
  package var isRanked: Bool {
    status.standing == .ranked && stored != .didNotStart
  }

  /// Of all of it but its arrows, whichever session it is shown in.
  package var revision: UInt64 {
    var revision = ContentRevision()
    for text in [displayName, content.bib, content.club, content.country, content.licence] {
      revision.add(text)
    }
    revision.add(content.category)
    for number in [
      content.bow, content.gender, content.age, content.faceLayout?.rawValue ?? 0,
      content.publicName?.rawValue ?? 0, stored.rawValue, status.rawValue,
    ] { revision.add(number) }
    revision.add((content.isFixed ? 1 : 0) | (content.usesWheelchair ? 2 : 0))
    for place in [firstPlace] + laterPlaces {
      revision.add(place.round)
      revision.add(place.session)
      revision.add(place.place?.target ?? 0)
      revision.add(place.place?.letter ?? 0)
    }
    return revision.value
  }
}

/// The fields of an entry that its organiser sets.
package struct EventEntryContent: Sendable, Equatable {
  package var bib = ""
  package var club = ""
  package var country = ""
  package var licence = ""
  /// 0: the first.
  package var category: Int64 = 0
  /// For classes and records, apart from the category; 0: as the category says.
  package var bow: Int32 = 0
  package var gender: Int32 = 0
  package var age: Int32 = 0
  /// Nil: as the round says.
  package var faceLayout: FaceLayout?
  /// How the name is shown to who has no part in the event; nil: as the event says.
  package var publicName: PublicName?
  /// Whether draws leave its place to it.
  package var isFixed = false
  /// Whether draws give it a place on a target for wheelchairs first.
  package var usesWheelchair = false

  package init() {}

  /// Whether it says nothing of its archer but what earlier versions knew.
  var isPlain: Bool {
    bow == 0 && gender == 0 && age == 0 && faceLayout == nil && publicName == nil && !isFixed
      && !usesWheelchair
  }

  mutating func copyArcher(of other: EventEntryContent) {
    (bow, gender, age) = (other.bow, other.gender, other.age)
    (faceLayout, publicName, isFixed) = (other.faceLayout, other.publicName, other.isFixed)
    usesWheelchair = other.usesWheelchair
  }
}

/// The faces of one archer; the raw values are those of `quiver.v1.FaceLayout`, and are stored.
package enum FaceLayout: Int32, Sendable, CaseIterable {
  case single = 1
  case triple = 2
}

/// The state of an entry; the raw values are those of `quiver.v1.EventEntryState`. The first four
/// are stored.
package enum EventEntryState: Int32, Sendable {
  case entered = 1
  case checkedIn = 2
  case didNotStart = 3
  case didNotFinish = 4
  case active = 5
  case withdrawn = 6
  case disqualified = 7

  var isOut: Bool { self == .didNotStart || self == .didNotFinish }
}

/// An official of an event.
package struct EventOfficialRecord: Sendable, Equatable {
  package let event: Int64
  package let principal: Int64
  package let displayName: String
  package let role: EventRole
  /// Of one who signs in by a code, and is bound to the event; nil: it has an account.
  package let device: EventDeviceRecord?
}
