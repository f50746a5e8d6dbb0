import QuiverAPI
import QuiverRPC
import QuiverStore

extension EliminationService {
  func placeMatches(
    _ request: PlaceMatchesRequest, _ call: CallContext,
    _ responder: Responder<QuiverAPI.EliminationBracket>
  ) throws {
    let caller = try call.storeCaller()
    var places = PlaceMatches.Places()
    places.firstTarget = request.firstTarget
    places.targetsPerMatch = request.targetsPerMatch
    places.startsAtMilliseconds = request.startsAtMilliseconds
    places.expectedRevision = request.expectedRevision
    guard request.roundSize == 0 || request.groupRound == 0 else {
      throw RPCError.invalid("group_round", "must be 0 with round_size")
    }
    let command = try PlaceMatches(
      request.groupRound > 0
        ? .groupRound(stage: request.stageID, request.groupRound)
        : .round(stage: request.stageID, size: request.roundSize), places)
    commands.submit(command, by: caller, call, responder) { QuiverAPI.EliminationBracket($0) }
  }

  func placeMatch(
    _ request: PlaceMatchRequest, _ call: CallContext, _ responder: Responder<EliminationMatch>
  ) throws {
    let caller = try call.storeCaller()
    var places = PlaceMatches.Places()
    places.firstTarget = request.firstTarget
    places.targetsPerMatch = request.targetsPerMatch
    places.startsAtMilliseconds = request.startsAtMilliseconds
    let id = request.matchID
    let command = try PlaceMatches(.match(id), places)
    commands.submit(command, by: caller, call, responder) { record in
      record.matches.first { $0.id == id }
        .map { EliminationMatch($0, in: record, showsCards: true) } ?? EliminationMatch()
    }
  }
}
