import QuiverAPI
import QuiverRules

extension QuiverRules.RoundFormat {
  /// Converts the server's format; nil for a face or a unit that this version does not know.
  init?(_ message: QuiverAPI.RoundFormat) {
    guard let location = QuiverRules.RoundLocation(rawValue: message.location.rawValue) else {
      return nil
    }
    var passes: [QuiverRules.RoundPass] = []
    for pass in message.passes {
      guard let unit = QuiverRules.DistanceUnit(rawValue: pass.unit.rawValue),
        let face = QuiverRules.Face(rawValue: pass.face.rawValue), pass.arrowsPerEnd > 0
      else { return nil }
      passes.append(
        QuiverRules.RoundPass(
          arrowCount: Int(pass.arrows), arrowsPerEnd: Int(pass.arrowsPerEnd),
          distance: pass.distance, unit: unit, face: face,
          diameterCentimetres: pass.diameterCentimetres))
    }
    self.init(
      codename: message.codename, name: message.name, location: location, body: message.body,
      passes: passes)
  }

  /// The format as a message, without the fields that the server sets.
  var message: QuiverAPI.RoundFormat {
    var message = QuiverAPI.RoundFormat()
    message.codename = codename
    message.name = name
    message.location = QuiverAPI.RoundLocation(rawValue: location.rawValue)
    message.body = body
    message.passes = passes.map { pass in
      var message = QuiverAPI.RoundPass()
      message.arrows = UInt32(clamping: pass.arrowCount)
      message.arrowsPerEnd = UInt32(clamping: pass.arrowsPerEnd)
      message.distance = pass.distance
      message.unit = QuiverAPI.DistanceUnit(rawValue: pass.unit.rawValue)
      message.face = QuiverAPI.Face(rawValue: pass.face.rawValue)
      message.diameterCentimetres = pass.diameterCentimetres
      return message
    }
    message.arrowCount = UInt32(clamping: arrowCount)
    message.endCount = UInt32(clamping: endCount)
    message.maximumScore = UInt32(clamping: maximumScore)
    return message
  }
}

extension ScoreTally {
  /// Converts the server's tally.
  init(_ score: Score) {
    self.init(
      total: Int(score.total), xCount: Int(score.xCount), goldCount: Int(score.goldCount),
      arrowCount: Int(score.arrowCount), endsCompleted: Int(score.endsCompleted),
      counts: score.counts.map { Int($0) },
      missing: MissingCounts(rawValue: score.missingCounts))
  }
}
