import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension ComparisonService {
  func getClassification(
    _ request: GetClassificationRequest, _ call: CallContext
  ) throws -> GetClassificationResponse {
    let format = try format(request.format, call)
    let principal = try call.storeCaller().principal
    let profile = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.principal(id: principal)
    }
    let category = ArcherCategory(
      bow: try Self.chosen(request.bowstyle.rawValue, profile.bow, "bowstyle"),
      gender: try Self.chosen(request.gender.rawValue, profile.gender, "gender"),
      age: try Self.chosen(request.ageGroup.rawValue, profile.age, "age_group"))
    var response = GetClassificationResponse()
    let thresholds = try ruled { () throws(RuleViolation) in
      try ClassificationScheme.thresholds(format, category)
    }
    if let score = request.score {
      let known = try ruled { () throws(RuleViolation) in
        try ClassificationScheme.classification(score: Int(score), format, category)
      }
      response.code = known?.code ?? ""
      response.name = known?.name ?? ""
    }
    response.thresholds = thresholds.map { ClassificationThreshold($0, in: format.location) }
    response.maximumScore = UInt32(clamping: format.maximumScore)
    response.formatName = format.name
    response.bowstyle = Bowstyle(rawValue: category.bow.rawValue)
    response.gender = ArcherGender(rawValue: category.gender.rawValue)
    response.ageGroup = AgeGroup(rawValue: category.age.rawValue)
    return response
  }

  /// The value of a request, or the profile's where the request has none.
  private static func chosen<Value: RawRepresentable>(
    _ number: Int32, _ profile: Value?, _ field: String
  ) throws -> Value where Value.RawValue == Int32 {
    if number == 0 {
      guard let profile else {
        throw RPCError.invalid(field, "must be given, since the profile has none")
      }
      return profile
    }
    guard let value = Value(rawValue: number) else {
      throw RPCError.invalid(field, "must be one of the known values")
    }
    return value
  }
}

extension ClassificationThreshold {
  init(_ threshold: ClassThreshold, in location: RoundVenue) {
    self.init()
    let known = threshold.classification
    code = known.code
    name = known.name
    tier = ClassificationTier(rawValue: known.tier.rawValue)
    handicap = threshold.handicap
    score = threshold.score.map { UInt32(clamping: $0) }
    arrowsRequired = UInt32(
      clamping: ClassificationScheme.arrowsRequired(for: known.tier, in: location) ?? 0)
  }
}
