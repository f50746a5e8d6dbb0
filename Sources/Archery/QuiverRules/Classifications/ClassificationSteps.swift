/// Where the classes of a bowstyle lie on the scale of handicaps.
///
/// Archery GB, Shooting Administrative Procedures SAP7: target outdoors and indoors 2023, field
/// 2025; the numbers are those of archeryutils 3.0.0 (`AGB_bowstyles.json`, `AGB_ages.json`), MIT.
struct ClassificationSteps: Sendable {
  /// Of a Master Bowman among open adults.
  let datum: Double
  /// From one class to the next.
  let perClass: Double
  /// From open to female.
  let perGender: Double
  /// From one age group to the next.
  let perAge: Double

  init(_ datum: Double, _ perClass: Double, _ perGender: Double, _ perAge: Double) {
    self.datum = datum
    self.perClass = perClass
    self.perGender = perGender
    self.perAge = perAge
  }

  /// Of target archery outdoors; `bow` is one of its four bowstyles.
  static func outdoor(_ bow: BowDivision) -> ClassificationSteps {
    switch bow.onTarget {
    case .compound: ClassificationSteps(15, 6, 4, 6)
    case .recurve: ClassificationSteps(30, 7, 5, 6.5)
    case .longbow: ClassificationSteps(65, 6, 7, 6)
    default: ClassificationSteps(47, 5.5, 5.5, 5.5)
    }
  }

  /// Of target archery indoors.
  static func indoor(_ bow: BowDivision) -> ClassificationSteps {
    switch bow.onTarget {
    case .compound: ClassificationSteps(11, 8, 4, 6)
    case .recurve: ClassificationSteps(28, 7.5, 5, 6.5)
    case .longbow: ClassificationSteps(61, 6.5, 7, 6)
    default: ClassificationSteps(42, 6, 5.5, 5.5)
    }
  }

  /// Of field archery.
  static func field(_ bow: BowDivision) -> ClassificationSteps {
    switch bow {
    case .compound: ClassificationSteps(18, 7.5, 4, 6)
    case .recurve: ClassificationSteps(34, 8, 5, 5.5)
    case .barebow: ClassificationSteps(49, 6.5, 5.5, 4)
    case .longbow: ClassificationSteps(68, 5.5, 10, 5.5)
    case .traditional: ClassificationSteps(55, 6, 7, 6)
    case .flatbow: ClassificationSteps(62, 5.5, 8, 5.5)
    case .compoundLimited: ClassificationSteps(32, 7, 5, 5.5)
    case .compoundBarebow: ClassificationSteps(46, 6, 5.5, 4)
    }
  }

  /// The handicap of a Master Bowman of a category. Girls and boys have the same from under 15.
  func master(_ category: ArcherCategory) -> Double {
    let ages = Double(category.age.stepsFromAdult)
    var handicap = datum + ages * perAge
    if category.gender == .female, category.age.stepsFromAdult <= AgeDivision.under16.stepsFromAdult
    {
      // Under 16 the female handicap is not above that of under 15.
      handicap += category.age == .under16 ? min(perGender, perAge) : perGender
    }
    return handicap
  }
}

extension AgeDivision {
  /// How many steps of handicap the group lies from adults.
  var stepsFromAdult: Int {
    switch self {
    case .adult: 0
    case .over50, .under21: 1
    case .under18: 2
    case .under16: 3
    case .under15: 4
    case .under14: 5
    case .under12: 6
    }
  }

  /// The longest distance of target archery outdoors that the group must shoot, in metres; a round
  /// in yards needs as many yards.
  func longestDistance(_ gender: GenderDivision) -> Double {
    let isOpen = gender == .open
    switch self {
    case .adult, .under21: return isOpen ? 90 : 70
    case .over50, .under18: return isOpen ? 70 : 60
    case .under16: return isOpen ? 60 : 50
    case .under15: return 50
    case .under14: return 40
    case .under12: return 30
    }
  }

  /// The least and the greatest longest distance of a field round, in metres.
  func fieldDistances(hasSight: Bool) -> ClosedRange<Double> {
    let longest: Double = hasSight ? 60 : 50
    switch self {
    case .over50, .adult, .under21, .under18: return longest...longest
    case .under16: return (longest - 10)...longest
    case .under15: return (longest - 20)...longest
    case .under14, .under12: return 30...longest
    }
  }
}
