import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of the weight plan", .timeLimit(.minutes(5)))
struct WeightPlanModelTests {
  static func plan(
    _ start: Int64 = 180_000, _ goal: Int64 = 160_000, from day: Int32 = 19_782
  ) -> WeightPlan {
    var plan = WeightPlan()
    plan.unit = .pound
    plan.startThousandths = start
    plan.goalThousandths = goal
    plan.stepThousandths = 5_000
    plan.startDay = day
    return plan
  }

  @Test("Milestones and prediction of a plan made offline are those of the server after a sync")
  func offline() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = WeightPlanModel(session)
      try await model.load()
      #expect(model.plan == nil && model.milestones.isEmpty && model.prediction == nil)
      transport.disconnect()
      for index in 0..<20 {
        try await session.create(
          LogbookModelTests.entry(19_782 + Int32(index), 180_000 - Int64(index) * 400))
      }
      try await model.set(Self.plan())
      #expect(model.mark == .waiting && model.milestones.map(\.thousandths).first == 175_000)
      let (milestones, prediction) = (model.milestones, model.prediction)
      #expect(milestones.count == 4 && model.next?.thousandths == 170_000)
      #expect(milestones[0].reachedOnDay == 19_795 && milestones[0].entry != nil)
      transport.reconnect()
      transport.loseAnswers(2)
      for _ in 0..<3 { _ = await session.syncNow() }
      try await model.load()
      #expect(model.mark == .synced && model.milestones == milestones)
      let server = try await server.client(token).call(
        Logbook.getMilestones, GetMilestonesRequest())
      #expect(server.milestones.map(\.thousandths) == milestones.map(\.thousandths))
      #expect(server.milestones.map { $0.entry?.day } == milestones.map(\.reachedOnDay))
      #expect(server.nextThousandths == 170_000 && model.plan?.revision == 1)
      #expect(
        prediction == server.predictedDay.map { GoalPrediction.reached(onDay: $0) })
      #expect(prediction == model.prediction && prediction != nil)
      await session.close()
    }
  }

  @Test("A plan that is deleted and made again is the last one, on the device and on the server")
  func again() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = WeightPlanModel(session)
      try await model.load()
      try await model.set(Self.plan())
      #expect(await session.syncNow().error == nil)
      transport.disconnect()
      try await model.delete()
      #expect(model.plan == nil)
      try await model.set(Self.plan(170_000))
      try await model.delete()
      try await model.set(Self.plan(175_000))
      try await model.set(Self.plan(176_000))
      #expect(model.plan?.startThousandths == 176_000)
      transport.reconnect()
      let report = await session.syncNow()
      #expect(report.error == nil && report.refusedCount == 0 && report.conflictCount == 0)
      try await model.load()
      #expect(model.plan?.startThousandths == 176_000 && model.mark == .synced)
      let stored = try await server.client(token).call(
        Logbook.getWeightPlan, GetWeightPlanRequest())
      #expect(stored == model.plan)
      await session.close()
    }
  }

  @Test("Of two plans of two devices the user chooses, whether the other is there or was deleted")
  func conflicts() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token, on: "phone")
      let tablet = try await server.session(token, on: "tablet")
      let (one, other) = (WeightPlanModel(phone), WeightPlanModel(tablet))
      try await one.load()
      try await other.load()
      try await one.set(Self.plan())
      _ = await phone.syncNow()
      try await other.set(Self.plan(190_000))
      #expect(await tablet.syncNow().conflictCount == 1)
      await other.refresh()
      #expect(other.mark == .conflict && other.plan?.startThousandths == 190_000)
      let entry = try #require(try await tablet.outbox().first)
      #expect(entry.kind == "Weight plan")
      #expect(entry.serverObject(WeightPlan.self)?.startThousandths == 180_000)
      try await tablet.overwrite(entry.id)
      #expect(await tablet.syncNow().error == nil)
      try await other.load()
      #expect(other.mark == .synced && other.plan?.startThousandths == 190_000)

      try await one.load()
      try await other.delete()
      _ = await tablet.syncNow()
      try await one.set(Self.plan(185_000))
      #expect(await phone.syncNow().conflictCount == 1)
      let lost = try #require(try await phone.outbox().first)
      try await phone.overwrite(lost.id)
      let report = await phone.syncNow()
      #expect(report.error == nil && report.conflictCount == 0 && report.refusedCount == 0)
      try await one.load()
      #expect(one.mark == .synced && one.plan?.startThousandths == 185_000)
      await phone.close()
      await tablet.close()
    }
  }

  @Test("A plan that is not valid is refused and not stored")
  func badPlans() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let model = WeightPlanModel(session)
      try await model.load()
      var step = Self.plan()
      step.stepThousandths = 3_000
      for (plan, field) in [
        (Self.plan(180_000, 180_000), "goal_thousandths"), (step, "step_thousandths"),
        (WeightPlan(), "unit"),
      ] {
        #expect(
          await fails(saying: "Failed to change weight plan: plan.\(field)") {
            try await model.set(plan)
          })
      }
      #expect(model.plan == nil)
      try await model.delete()
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }
}
