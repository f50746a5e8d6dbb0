import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension ComparisonService {
  func getHandicapScore(
    _ request: GetHandicapScoreRequest, _ call: CallContext
  ) throws -> GetHandicapScoreResponse {
    let format = try format(request.format, call)
    var response = GetHandicapScoreResponse()
    let score = try ruled { () throws(RuleViolation) in
      try HandicapScheme.score(
        handicap: Int(request.handicap), passes: format.handicapPasses)
    }
    response.score = UInt32(clamping: score)
    response.maximumScore = UInt32(clamping: format.maximumScore)
    response.formatName = format.name
    return response
  }

  func getScoreHandicap(
    _ request: GetScoreHandicapRequest, _ call: CallContext
  ) throws -> GetScoreHandicapResponse {
    let format = try format(request.format, call)
    var response = GetScoreHandicapResponse()
    let handicap = try ruled { () throws(RuleViolation) in
      try HandicapScheme.handicap(score: Int(request.score), passes: format.handicapPasses)
    }
    response.handicap = Int32(clamping: handicap)
    response.maximumScore = UInt32(clamping: format.maximumScore)
    response.formatName = format.name
    return response
  }

  func format(
    _ reference: QuiverAPI.FormatReference?, _ call: CallContext
  ) throws -> QuiverRules.RoundFormat {
    let principal = try call.storeCaller().principal
    guard let reference else { throw RPCError.invalid("format", "must be given") }
    let named = try reference.reference()
    let format = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.format(named, principal: principal).format
    }
    return reference.arrowLimit > 0
      ? format.cut(toArrows: Int(clamping: reference.arrowLimit)) : format
  }

  func ruled<Result>(
    _ body: () throws(RuleViolation) -> Result
  ) throws -> Result {
    do throws(RuleViolation) {
      return try body()
    } catch {
      throw RPCError.invalid(error.field, error.message)
    }
  }
}
