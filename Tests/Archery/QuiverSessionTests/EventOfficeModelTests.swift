import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The office of an event on a device", .timeLimit(.minutes(5)))
struct EventOfficeModelTests {
  @Test("An organiser appoints, demands leases and ends one, each once; others change nothing")
  func office() async throws {
    try await SessionServer.run { server in
      let (organiser, judge, other) = (try server.token(), try server.token(), try server.token())
      let event = try await server.tournament(organiser) { $0.joins = false }
      let transport = FaultyTransport(try server.client(organiser))
      let session = try await server.session(organiser, transport: transport)
      let plan = EventPlanModel(session, event: event.id)
      try await plan.load()
      let line = try await plan.createSession(
        .with { session in
          (session.name, session.firstTarget, session.lastTarget) = ("Line", 1, 2)
          session.archersPerTarget = 2
        })
      let office = EventOfficeModel(session, event: event.id)
      try await office.load()
      #expect(office.steps.first?.kind == .entries && office.officials.isEmpty)
      #expect(!office.demandsLeases)
      let person = try await server.client(judge).call(Account.whoAmI, WhoAmIRequest())
      let id = try #require(person.principal?.id)
      // The organiser learns nothing by an id.
      let refusal = await #expect(throws: SessionError.self) {
        try await office.appoint(id, as: .judge)
      }
      #expect(refusal?.code.status == .notFound)
      let judgePhone = EventOfficeModel(try await server.session(judge), event: event.id)
      let code = try await judgePhone.introductionCode().code
      transport.loseAnswers(1)
      #expect(await failure { try await office.appoint(code: code, as: .judge) } != nil)
      try await office.appoint(code: code, as: .judge)
      #expect(office.officials.map(\.role) == [.judge])
      try await office.demandLeases(true)
      let codes = try await office.codes(ofSession: line.id)
      #expect(office.demandsLeases && codes.map(\.target) == [1, 2])

      // The judge's phone joins a target; it does not appoint anybody.
      let phone = try await server.session(judge, on: "judge") { $0.device = "phone" }
      await phone.syncNow()
      _ = try await phone.joinTarget(codes[0].code)
      let own = EventOfficeModel(phone, event: event.id)
      try await own.load()
      #expect(await failure { try await own.dismiss(id) } != nil)
      let foreign = try await server.session(other, on: "other")
      let none = EventOfficeModel(foreign, event: event.id)
      #expect(await failure { try await none.load() } != nil)
      #expect(none.steps.isEmpty && none.state.error != nil)
      try await office.load()
      #expect(office.leases.map(\.device) == ["phone"] && office.officials.count == 1)
      try await office.end(office.leases[0])
      #expect(office.leases.isEmpty)
      transport.disconnect()
      try await office.load()
      #expect(office.state.staleSince != nil && office.officials.count == 1)
      #expect(await failure { try await office.dismiss(id) } != nil)
      transport.reconnect()
      try await office.dismiss(id)
      #expect(office.officials.isEmpty)
      for session in [session, phone, foreign] { await session.close() }
    }
  }
}
