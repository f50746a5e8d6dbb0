import QuiverAPI
import QuiverRPC
import QuiverWire
import Testing

@Suite("The inputs of comparisons", .timeLimit(.minutes(5)))
struct ComparisonChoiceTests {
  @Test("The setups to choose from are the active ones, by display name")
  func setups() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      for name in ["outdoor", "", "Barebow", "Gone"] { _ = try await archer.setup(name) }
      var away = DeactivateBowSetupRequest()
      away.id = 4
      _ = try await archer.client.call(Equipment.deactivateBowSetup, away)
      var request = ListComparableSetupsRequest()
      let list = try await archer.client.call(Comparison.listComparableSetups, request)
      #expect(list.setups.map(\.displayName) == ["Barebow", "outdoor", "Unnamed setup"])
      request.pageSize = 2
      let page = try await archer.client.call(Comparison.listComparableSetups, request)
      #expect(page.setups.count == 2)
      request.pageToken = page.nextPageToken
      let rest = try await archer.client.call(Comparison.listComparableSetups, request)
      #expect(rest.setups.map(\.displayName) == ["Unnamed setup"] && rest.nextPageToken.isEmpty)
      request.pageToken = "x"
      let refusal = await archer.client.refusal(Comparison.listComparableSetups, request)
      #expect(refusal?.code == .invalidArgument)
    }
  }

  @Test("The chosen range is stored for its user")
  func range() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let other = try ComparisonArcher(server)
      func kept(_ archer: ComparisonArcher) async throws -> RangeChoice {
        try await archer.client.call(Comparison.getRange, GetRangeRequest())
      }
      #expect(try await kept(archer).range == .thirtyDays)
      var request = SetRangeRequest()
      request.range = RangeChoice()
      request.range?.range = .custom
      request.range?.startMilliseconds = 5
      request.range?.endMilliseconds = 900
      #expect(try await archer.client.call(Comparison.setRange, request) == request.range)
      #expect(try await kept(archer) == request.range)
      #expect(try await kept(other).range == .thirtyDays)
      let setups = [try await archer.setup("A"), try await archer.setup("B")]
      var compare = ComparisonArcher.request(setups)
      compare.range = nil
      let shown = try await archer.client.call(Comparison.compare, compare).range
      #expect(shown?.range == .custom && shown?.endMilliseconds == 900)
      // It is one of the preferences, and what stands there may be no range.
      var preference = SetPreferenceRequest()
      preference.preference = Preference()
      preference.preference?.key = "comparison.range"
      preference.preference?.value = "FORTNIGHT"
      _ = try await archer.client.call(Account.setPreference, preference)
      #expect(try await kept(archer).range == .thirtyDays)
    }
  }

  @Test("A comparison that is not valid fails with the name of its field and changes nothing")
  func refused() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var setups: [BowSetup] = []
      for name in ["A", "B", "C", "D", "E"] { setups.append(try await archer.setup(name)) }
      let good = ComparisonArcher.request(Array(setups.prefix(2)))
      let table: [(String, StatusCode, (inout CompareRequest) -> Void)] = [
        ("setups", .invalidArgument, { $0.setups = [] }),
        ("setups", .invalidArgument, { $0.setups.removeLast() }),
        (
          "setups: must be two to four, not 5", .invalidArgument,
          { request in request.setups = ComparisonArcher.request(setups).setups }
        ),
        ("setups[1]: is named twice", .invalidArgument, { $0.setups[1] = $0.setups[0] }),
        (
          "setups[1]: is named twice", .invalidArgument,
          { request in
            request.setups[1] = request.setups[0]
            request.setups[1].version = 1
          }
        ),
        ("setups[0].id", .invalidArgument, { $0.setups[0].id = 0 }),
        ("setups[0].id", .invalidArgument, { $0.setups[0].id = -4 }),
        ("setups[1].client_id", .invalidArgument, { $0.setups[1].clientID = [1] }),
        ("setups[1]", .notFound, { $0.setups[1].id = 999 }),
        ("setups[0].version", .notFound, { $0.setups[0].version = 7 }),
        ("as_of_ms", .invalidArgument, { $0.asOfMilliseconds = -1 }),
        ("as_of_ms", .invalidArgument, { $0.asOfMilliseconds = .max }),
        ("method", .invalidArgument, { $0.method = InferenceMethod(rawValue: 9) }),
        ("range.range", .invalidArgument, { $0.range?.range = ComparisonRange(rawValue: 9) }),
        ("range.start_ms", .invalidArgument, { $0.range?.startMilliseconds = 5 }),
        ("range.start_ms", .invalidArgument, { $0.range?.range = .custom }),
        (
          "range.end_ms: must be after start", .invalidArgument,
          { request in
            request.range?.range = .custom
            request.range?.startMilliseconds = 900
            request.range?.endMilliseconds = 5
          }
        ),
        (
          "range.range", .invalidArgument,
          { request in
            request.range = RangeChoice()
            request.range?.endMilliseconds = 5
          }
        ),
      ]
      let before = try server.lastSequence()
      for (text, code, change) in table {
        var request = good
        change(&request)
        let refusal = await archer.client.refusal(Comparison.compare, request)
        #expect(refusal?.code == code, "\(text): \(String(describing: refusal))")
        #expect(refusal?.message.hasPrefix(text) == true, "\(String(describing: refusal))")
      }
      #expect(try server.lastSequence() == before)
      let nobody = try server.nobody()
      #expect(await nobody.refusal(Comparison.compare, good)?.code == .unauthenticated)
    }
  }

  @Test("A request without its object fails and changes nothing")
  func incomplete() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      let before = try server.lastSequence()
      for choice in [RangeChoice?.none, RangeChoice()] {
        var request = SetRangeRequest()
        request.range = choice
        #expect(
          await archer.client.refusal(Comparison.setRange, request)?.code == .invalidArgument)
      }
      var item = GetItemPerformanceRequest()
      item.equipmentID = 77
      #expect(
        await archer.client.refusal(Comparison.getItemPerformance, item)?.code == .notFound)
      #expect(
        await archer.client.refusal(
          Comparison.getSetupPerformance, GetSetupPerformanceRequest())?.code == .invalidArgument)
      #expect(
        await archer.client.refusal(
          Comparison.getArrowNumbers, GetArrowNumbersRequest())?.code == .invalidArgument)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("Library rounds and own formats have handicaps where the tables do")
  func handicaps() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = GetScoreHandicapRequest()
      request.format = FormatReference()
      request.format?.codename = "wa720_70"
      request.score = 500
      let answer = try await client.call(Comparison.getScoreHandicap, request)
      #expect(answer.handicap == 44 && answer.maximumScore == 720)
      request.format?.arrowLimit = 36
      request.score = 300
      #expect(try await client.call(Comparison.getScoreHandicap, request).maximumScore == 360)
      var back = GetHandicapScoreRequest()
      back.format = FormatReference()
      back.format?.codename = "wa18"
      back.handicap = -75
      #expect(try await client.call(Comparison.getHandicapScore, back).score == 600)

      var own = CreateFormatRequest()
      own.format = RoundFormat()
      own.format?.name = "Animals"
      own.format?.location = .field
      own.format?.passes = [RoundPass()]
      own.format?.passes[0].arrows = 24
      own.format?.passes[0].distance = 20
      own.format?.passes[0].unit = .metre
      own.format?.passes[0].face = .threeD
      own.format?.passes[0].diameterCentimetres = 60
      let animals = try await client.call(Rounds.createFormat, own)
      let table: [(String, StatusCode, (inout GetScoreHandicapRequest) -> Void)] = [
        ("score: must be from 1 to 720", .invalidArgument, { $0.score = 0 }),
        ("score: must be from 1 to 720", .invalidArgument, { $0.score = 721 }),
        ("score", .invalidArgument, { $0.score = .max }),
        ("format: must be given", .invalidArgument, { $0.format = nil }),
        ("format.id", .invalidArgument, { $0.format = FormatReference() }),
        ("format", .notFound, { $0.format?.codename = "nothing" }),
        (
          "format: must be shot at faces with rings", .invalidArgument,
          { request in
            request.format = FormatReference()
            request.format?.id = animals.id
          }
        ),
      ]
      for (text, code, change) in table {
        var wrong = request
        wrong.format?.arrowLimit = 0
        change(&wrong)
        let refusal = await client.refusal(Comparison.getScoreHandicap, wrong)
        #expect(
          refusal?.code == code && refusal?.message.hasPrefix(text) == true,
          "\(text): \(String(describing: refusal))")
      }
      for handicap in [Int32(-76), 301, .min, .max] {
        back.handicap = handicap
        let refusal = await client.refusal(Comparison.getHandicapScore, back)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("handicap: must be from -75 to 300") == true)
      }
    }
  }
}
