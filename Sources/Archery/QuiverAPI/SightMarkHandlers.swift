public import QuiverRPC

/// What answers ``Equipment`` about sight marks.
public protocol SightMarkHandlers: Sendable {
  func createSightMark(
    _ request: CreateSightMarkRequest, _ call: CallContext, _ responder: Responder<SightMark>)
  func listSightMarks(
    _ request: ListSightMarksRequest, _ call: CallContext
  ) throws(RPCError) -> ListSightMarksResponse
  func updateSightMark(
    _ request: UpdateSightMarkRequest, _ call: CallContext, _ responder: Responder<SightMark>)
  func deleteSightMark(
    _ request: DeleteSightMarkRequest, _ call: CallContext,
    _ responder: Responder<DeleteSightMarkResponse>)
}

extension SightMarkHandlers {
  @inlinable
  public var sightMarkRoutes: [Route] {
    [
      .responding(Equipment.createSightMark, createSightMark),
      .synchronous(Equipment.listSightMarks, listSightMarks),
      .responding(Equipment.updateSightMark, updateSightMark),
      .responding(Equipment.deleteSightMark, deleteSightMark),
    ]
  }
}
