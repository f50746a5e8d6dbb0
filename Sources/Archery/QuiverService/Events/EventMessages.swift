import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverStore

extension EventCategory: ObjectMessage {
  static let fieldName = "category"

  init(_ record: EventCategoryRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    code = record.content.code
    name = record.content.name
    bowstyle = Bowstyle(rawValue: record.content.bow)
    gender = ArcherGender(rawValue: record.content.gender)
    ageGroup = AgeGroup(rawValue: record.content.age)
    format = QuiverAPI.RoundFormat(record.format)
    ownFormat = record.hasOwnFormat
    tiePolicy = QuiverAPI.TiePolicy(rawValue: record.content.tiePolicy)
    entryCount = UInt32(clamping: record.entryCount)
    isFirst = record.isFirst
    revision = record.revision
    rounds = record.rounds.map(QuiverAPI.QualificationRound.init)
  }

  /// The fields that the organiser sets.
  var content: EventCategoryContent {
    var content = EventCategoryContent()
    content.code = code
    content.name = name
    content.bow = bowstyle.rawValue
    content.gender = gender.rawValue
    content.age = ageGroup.rawValue
    content.tiePolicy = tiePolicy.rawValue
    return content
  }
}

extension EventSession: ObjectMessage {
  static let fieldName = "session"

  init(_ record: EventSessionRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    name = record.content.name
    startsAtMilliseconds = record.content.startsAtMilliseconds
    firstTarget = record.content.firstTarget
    lastTarget = record.content.lastTarget
    archersPerTarget = record.content.archersPerTarget
    blockedPlaces = record.content.places.blockedTexts
    wheelchairTargets = record.content.places.wheelchairTargets.sorted().map {
      UInt32(clamping: $0)
    }
    drawSeed = record.drawSeed
    drawnAtMilliseconds = record.drawnAtMilliseconds
    entryCount = UInt32(clamping: record.entryCount)
    revision = record.revision
    round = record.content.round
  }

  /// The fields that the organiser sets.
  var content: EventSessionContent {
    var content = EventSessionContent()
    content.name = name
    content.startsAtMilliseconds = startsAtMilliseconds
    content.firstTarget = firstTarget
    content.lastTarget = lastTarget
    content.archersPerTarget = archersPerTarget
    content.round = round == 0 ? 1 : round
    return content
  }
}

extension EventEntry: ObjectMessage {
  static let fieldName = "entry"

  /// As officials see it.
  init(_ record: EventEntryRecord) { self.init(record, showsLicence: true) }

  init(_ record: EventEntryRecord, showsLicence: Bool) {
    self.init()
    participantID = record.participant
    tournamentID = record.event
    displayName = record.displayName
    bib = record.content.bib
    club = record.content.club
    country = record.content.country
    licence = showsLicence ? record.content.licence : ""
    categoryID = record.content.category
    categoryCode = record.categoryCode
    sessionID = record.session
    target = UInt32(clamping: record.place?.target ?? 0)
    letter = record.place?.letterText ?? ""
    state = QuiverAPI.EventEntryState(rawValue: record.state.rawValue)
    bowstyle = Bowstyle(rawValue: record.content.bow)
    gender = ArcherGender(rawValue: record.content.gender)
    ageGroup = AgeGroup(rawValue: record.content.age)
    faceLayout = QuiverAPI.FaceLayout(rawValue: record.content.faceLayout?.rawValue ?? 0)
    publicName = QuiverAPI.PublicName(rawValue: record.content.publicName?.rawValue ?? 0)
    publicDisplayName = record.publicName
    fixedPlace = record.content.isFixed
    wheelchair = showsLicence && record.content.usesWheelchair
    revision = showsLicence ? record.revision : 0
    laterPlaces = record.laterPlaces.map { later in
      .with { shown in
        (shown.round, shown.sessionID) = (UInt32(clamping: later.round), later.session)
        shown.target = UInt32(clamping: later.place?.target ?? 0)
        shown.letter = later.place?.letterText ?? ""
      }
    }
  }
}

extension QuiverAPI.QualificationRound {
  init(_ round: QuiverStore.QualificationRound) {
    self.init()
    number = UInt32(clamping: round.number)
    firstEnd = UInt32(clamping: round.firstEnd)
    endCount = UInt32(clamping: round.endCount)
    arrowCount = UInt32(clamping: round.arrowCount)
    maximumScore = UInt32(clamping: round.maximumScore)
  }
}

extension QuiverAPI.RoundTotal {
  init(_ total: QuiverStore.RoundTotal) {
    self.init()
    round = UInt32(clamping: total.round)
    self.total = UInt32(clamping: total.total)
    xCount = UInt32(clamping: total.xCount)
    tenCount = UInt32(clamping: total.tenCount)
    arrowCount = UInt32(clamping: total.arrowCount)
    typed = total.isTyped
  }
}

extension EventOfficial {
  init(_ record: EventOfficialRecord) {
    self.init()
    tournamentID = record.event
    principalID = record.principal
    displayName = record.displayName
    role = QuiverAPI.EventRole(rawValue: record.role.rawValue)
    guard let device = record.device else { return }
    isBound = true
    signedInAtMilliseconds = device.joinedAtMilliseconds
    lastCallAtMilliseconds = device.lastCallAtMilliseconds
    endsAtMilliseconds = device.officialEnd
  }
}
