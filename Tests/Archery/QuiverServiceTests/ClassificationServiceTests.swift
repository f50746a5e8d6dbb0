import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Classifications of the service", .timeLimit(.minutes(5)))
struct ClassificationServiceTests {
  @Test("A score is classified for the category of the request, or that of the profile")
  func classified() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Marian")
      var request = GetClassificationRequest()
      request.format = .with { $0.codename = "hereford" }
      request.score = 858
      request.bowstyle = .recurve
      request.gender = .female
      request.ageGroup = .under18
      let answer = try await client.call(Comparison.getClassification, request)
      #expect(answer.code == "B1" && answer.name == "Bowman 1st Class")
      #expect(answer.maximumScore == 1_296 && answer.formatName == "Hereford")
      #expect(answer.thresholds.map(\.code).first == "EMB" && answer.thresholds.count == 9)
      #expect(
        answer.thresholds.map(\.arrowsRequired) == [432, 432, 432, 216, 216, 216, 144, 144, 144])

      var wish = UpdateProfileRequest()
      wish.profile = try await client.call(Account.getProfile, .init())
      wish.profile?.bowstyle = .compound
      wish.profile?.gender = .female
      wish.profile?.ageGroup = .adult
      wish.updateMask = ["bowstyle", "gender", "age_group"]
      let profile = try await client.call(Account.updateProfile, wish)
      #expect(profile.bowstyle == .compound && profile.ageGroup == .adult)
      var own = GetClassificationRequest()
      own.format = .with { $0.codename = "worcester" }
      let table = try await client.call(Comparison.getClassification, own)
      #expect(table.code.isEmpty && table.bowstyle == .compound && table.gender == .female)
      #expect(table.thresholds.map { $0.score ?? 0 } == [0, 0, 298, 289, 276, 257, 233, 200])
      own.score = 300
      #expect(try await client.call(Comparison.getClassification, own).code == "I-B1")
      own.score = 0
      #expect(try await client.call(Comparison.getClassification, own).code.isEmpty)
    }
  }

  @Test("A request that cannot be classified fails with the name of its field")
  func refused() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var good = GetClassificationRequest()
      good.format = .with { $0.codename = "portsmouth" }
      good.bowstyle = .recurve
      good.gender = .open
      good.ageGroup = .adult
      let table: [(String, StatusCode, (inout GetClassificationRequest) -> Void)] = [
        ("bowstyle: must be given", .invalidArgument, { $0.bowstyle = .unspecified }),
        ("gender: must be given", .invalidArgument, { $0.gender = .unspecified }),
        ("age_group: must be given", .invalidArgument, { $0.ageGroup = .unspecified }),
        ("bowstyle: must be one", .invalidArgument, { $0.bowstyle = .init(rawValue: 99) }),
        ("score: must be from 0 to 600", .invalidArgument, { $0.score = 601 }),
        ("format: has no classes", .invalidArgument, { $0.format?.codename = "frostbite" }),
        ("format: has no classes", .invalidArgument, { $0.format?.arrowLimit = 30 }),
        ("format: must be given", .invalidArgument, { $0.format = nil }),
        ("format", .notFound, { $0.format?.codename = "nothing" }),
      ]
      for (text, code, change) in table {
        var wrong = good
        change(&wrong)
        let refusal = await client.refusal(Comparison.getClassification, wrong)
        #expect(refusal?.code == code && refusal?.message.hasPrefix(text) == true, "\(text)")
      }
      let nobody = try server.nobody()
      #expect(await nobody.refusal(Comparison.getClassification, good)?.code == .unauthenticated)
    }
  }
}
