import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import Testing

@Suite("The catalogue", .timeLimit(.minutes(5)))
struct CatalogueTests {
  @Test("names every method of every service once, by id")
  func methods() {
    let ids = ServiceCatalogue.archery.methods.map(\.id)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    let ofServices = ServiceCatalogue.archery.files.flatMap(\.services).flatMap { service in
      service.methods.map { "\(service.name)/\($0.name)" }
    }
    #expect(Set(ofServices) == Set(ServiceCatalogue.archery.methods.map(\.name)))
  }

  @Test("holds every message that a method names")
  func messages() {
    let names = Set(ServiceCatalogue.archery.files.flatMap(\.messages).map(\.name))
    for method in ServiceCatalogue.archery.methods {
      #expect(names.contains(method.schema.input.name), "\(method.name)")
      #expect(names.contains(method.schema.output.name), "\(method.name)")
    }
  }

  @Test("says that a method mutates exactly where its name says so")
  func mutating() {
    let verbs = [
      "Create", "Update", "Delete", "Revoke", "Rotate", "Grant", "Set", "Redeem", "Disable",
      "Enable",
      "Archive",
      "Restore", "Copy", "Activate", "Deactivate", "Add", "Remove", "Start", "Pause", "Finalise",
      "Reopen", "Cancel", "Join", "Withdraw", "Disqualify", "Reinstate", "Appoint", "Dismiss",
      "Bind", "Record", "Correct", "Retract", "Apply", "Sync", "Admit", "Reject", "Import",
      "Transfer", "Draw", "Place", "Cut", "Decide", "Confirm", "Forfeit", "Substitute",
      "Rule", "Leave", "Send", "Resume", "End", "Report", "Raise", "Resolve", "Deliver", "Share",
      "Accept", "Move", "SignIn",
    ]
    for method in ServiceCatalogue.archery.methods {
      let short = method.schema.name
      #expect(method.isMutating == verbs.contains { short.hasPrefix($0) }, "\(method.name)")
    }
  }

  @Test("lets only health, invites and codes of events and targets be tried without a token")
  func callers() {
    let open = ServiceCatalogue.archery.methods.filter { $0.isAnonymous }.map(\.name)
    #expect(
      open == [
        "quiver.v1.Health/Check", "quiver.v1.Health/Watch",
        "quiver.v1.Tournament/GetSpectatorToken", "quiver.v1.Account/RedeemInvite",
        "quiver.v1.Events/SignInOfficial", "quiver.v1.Events/JoinTarget",
        "quiver.v1.Events/DeliverOperations",
      ])
  }

  @Test("names the method that has no handler, and one that it does not know")
  func faults() {
    #expect(
      ServiceCatalogue.archery.fault(in: [])
        == "no handler is registered for quiver.v1.Health/Check (id 257)")
    let routes = ServiceCatalogue.archery.methods.map(Self.route)
    #expect(ServiceCatalogue.archery.fault(in: routes) == nil)
    let unknown = UnaryMethod<EchoMessage, EchoMessage>("quiver.v1.Unknown/Call", id: 999)
    let sentence = ServiceCatalogue.archery.fault(in: routes + [Self.route(unknown.info)])
    #expect(sentence == "quiver.v1.Unknown/Call (id 999) is not in the catalogue")
  }

  private static func route(_ info: MethodInfo) -> Route {
    let method = UnaryMethod<EchoMessage, EchoMessage>(info.name, id: info.id)
    return .synchronous(method) { (request, _) throws(RPCError) in request }
  }
}
