import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("Kept replies of the logbook", .timeLimit(.minutes(5)))
struct KeptLogbookTests {
  @Test("Lift windows and weight sections show each change at once, also the unit of the profile")
  func followsChanges() async throws {
    let seed = TestSeed.value
    try await TestServer.run { server in
      let client = try server.client()
      let other = try server.client(named: "Tuck")
      var random = SeededGenerator(seed: seed)
      var sets: [Int64] = []
      var entries: [Int64] = []
      _ = try await client.call(Logbook.createSet, StrengthServiceTests.set(3, "Squat", 5, 200))
      for step in 0..<40 {
        let day = Int32.random(in: 19_800..<19_820, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
          let set = StrengthServiceTests.set(
            day, "Squat", UInt32.random(in: 1...14, using: &random), 150)
          sets.append(try await client.call(Logbook.createSet, set).id)
        case 2:
          guard let id = sets.popLast() else { continue }
          _ = try await client.call(Logbook.deleteSet, .with { $0.id = id })
        case 3:
          let entry = WeightServiceTests.entry(
            day, Int64.random(in: 78_000..<82_000, using: &random))
          entries.append(try await client.call(Logbook.createWeightEntry, entry).id)
        case 4:
          guard let id = entries.randomElement(using: &random) else { continue }
          _ = try? await client.call(Logbook.deleteWeightEntry, .with { $0.id = id })
        case 5:
          guard let id = entries.randomElement(using: &random) else { continue }
          _ = try? await client.call(Logbook.restoreWeightEntry, .with { $0.id = id })
        default:
          var profile = try await client.call(Account.getProfile, GetProfileRequest())
          profile.units = profile.units == .metric ? .imperial : .metric
          _ = try await client.call(
            Account.updateProfile,
            .with {
              $0.profile = profile
              $0.updateMask = ["units"]
            })
        }
        // No request has had this size: its reply is not kept.
        let size = 100 + UInt32(step)
        var replies: [[UInt8]] = []
        for number in [99, size, 99, size] {
          let lifts = try await client.call(
            Logbook.getLiftSeries,
            .with {
              $0.exercise = "Squat"
              $0.last = number
            })
          let weights = try await client.call(
            Logbook.getWeightSections, .with { $0.pageSize = number })
          replies.append(lifts.serializedBytes() + weights.serializedBytes())
        }
        #expect(Set(replies).count == 1, "seed \(seed), step \(step)")
      }
      let request = GetLiftSeriesRequest.with { $0.exercise = "Squat" }
      #expect(await other.refusal(Logbook.getLiftSeries, request)?.code == .notFound)
    }
  }
}
