import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension AccountService {
  private static let exports = ReadScheduler(.long)

  func exportMyData(
    _ request: ExportMyDataRequest, _ call: CallContext
  ) async throws -> ExportMyDataResponse {
    let principal = try call.storeCaller().principal
    let store = commands.store
    do throws(StoreError) {
      return try await Self.exports.run(of: .principal(principal)) { () throws(StoreError) in
        let work = store.work.begin(.export, of: principal)
        defer { withExtendedLifetime(work) {} }
        let page = try store.read { (snapshot) throws(StoreError) in
          try snapshot.export(
            principal: principal, pageSize: request.pageSize, pageToken: request.pageToken)
        }
        let coder = MessageCoder()
        var response = ExportMyDataResponse()
        response.records = page.items.map { ExportRecord($0, coder) }
        response.nextPageToken = page.nextPageToken
        response.watermark = page.watermark
        return response
      }
    } catch {
      throw RPCError(error)
    }
  }

  func deleteMyAccount(
    _ request: DeleteMyAccountRequest, _ call: CallContext,
    _ responder: Responder<DeleteMyAccountResponse>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(
      DeleteAccount(confirmation: request.confirmation), by: caller, call, responder
    ) { _ in DeleteMyAccountResponse() }
  }
}

extension ExportRecord {
  init(_ item: ExportItem, _ coder: MessageCoder) {
    switch item {
    case .profile(let record): self.init(message: Profile(record), coder)
    case .preference(let record): self.init(message: Preference(record), coder)
    case .equipment(let record): self.init(equipment: record, coder)
    case .bowSetup(let record): self.init(message: BowSetup(record), coder)
    case .sightMark(let record): self.init(message: SightMark(record), coder)
    case .format(let record): self.init(message: QuiverAPI.RoundFormat(record), coder)
    case .session(let record): self.init(message: ShootingSession(record), coder)
    case .tournament(let record): self.init(message: TournamentEvent(record), coder)
    case .ruling(let record): self.init(message: KeptOperation(record), coder)
    case .scorecard(let record): self.init(message: Scorecard(record), coder)
    case .weightPlan(let record): self.init(message: WeightPlan(record), coder)
    case .weightEntry(let record): self.init(message: WeightEntry(record), coder)
    case .liftSet(let record): self.init(message: LiftSet(record), coder)
    case .eventCategory(let record): self.init(message: EventCategory(record), coder)
    case .eventSession(let record): self.init(message: EventSession(record), coder)
    case .stage(let record): self.init(message: EliminationStage(record), coder)
    case .role(let record): self.init(message: EventOfficial(record), coder)
    case .eventEntry(let record): self.init(message: EventEntry(record), coder)
    case .comparedCard(let card):
      self.init(message: ComparedCard(card, showsSignatures: true), coder)
    case .lease(let lease): self.init(message: TargetLease(lease), coder)
    case .device(let device): self.init(message: EventDevice(device, endedAt: 0), coder)
    case .targetCall(let call): self.init(message: TargetCall(call), coder)
    case .tie(let tie): self.init(message: DecideTieRequest(tie), coder)
    case .notice(let record): self.init(message: EventNotice(record), coder)
    case .pause(let record): self.init(message: ShootingPause(record), coder)
    case .typedTotal(let record): self.init(message: TypedTotal(record), coder)
    case .token(let record): self.init(message: Token(record), coder)
    case .invite(let record): self.init(message: Invite(record), coder)
    case .certificate(let record): self.init(message: CertificateBinding(record), coder)
    case .share(let record): self.init(message: Share(record), coder)
    case .shareInvite(let record): self.init(message: ShareInvite(record), coder)
    case .action(let record): self.init(message: QuiverAPI.AuditEntry(record), coder)
    case .match(let found):
      self.init(
        message: EliminationMatch(found.match, in: found.bracket, showsCards: true), coder)
    }
  }

  private init(equipment record: EquipmentRecord, _ coder: MessageCoder) {
    self.init(Equipment.itemType(record.content.type), record, coder)
  }

  private init<Item: EquipmentItemMessage>(
    _: Item.Type, _ record: EquipmentRecord, _ coder: MessageCoder
  ) {
    self.init(message: Item(record), coder)
  }

  private init<M: Message>(message: M, _ coder: MessageCoder) {
    self.init()
    type = M.schema.core.name
    value = coder.encode(message)
  }
}

extension DecideTieRequest {
  /// The decision as it was sent.
  fileprivate init(_ tie: ExportedTie) {
    self.init()
    tournamentID = tie.event
    categoryID = tie.category
    participantIDs = tie.participants
    decision = TieDecision(rawValue: tie.decision)
    shots = tie.shots.map(QuiverAPI.TieShots.init)
  }
}
