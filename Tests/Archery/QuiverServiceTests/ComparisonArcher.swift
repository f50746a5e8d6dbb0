import QuiverAPI
import QuiverCrypto
import QuiverRPC
import Testing

/// An archer who shoots rounds and compares setups, by calls alone.
struct ComparisonArcher {
  let client: Client

  /// In place of now.
  static let asOf: Int64 = 1_700_000_000_000
  private static let hour: Int64 = 3_600_000

  init(_ server: TestServer) throws {
    client = try server.client()
  }

  func setup(_ name: String, _ items: [Int64] = []) async throws -> BowSetup {
    var request = CreateBowSetupRequest()
    request.bowSetup = BowSetup()
    request.bowSetup?.name = name
    request.bowSetup?.components = items.map { id in
      var component = SetupComponent()
      component.equipmentID = id
      return component
    }
    return try await client.call(Equipment.createBowSetup, request)
  }

  func riser() async throws -> Riser {
    var request = CreateItemRequest<Riser>()
    request.item = Riser()
    request.item?.brand = "Hoyt"
    request.item?.model = "Formula"
    return try await client.call(Equipment.risers.create, request)
  }

  /// Begins a session by a format; answers the owner's round.
  func begin(_ setup: BowSetup?, _ codename: String = "wa18") async throws -> Round {
    var request = CreateSessionRequest()
    request.format = FormatReference()
    request.format?.codename = codename
    request.setupID = setup?.id ?? 0
    return try #require(try await client.call(Rounds.createSession, request).rounds.first)
  }

  /// One operation that records an arrow.
  static func record(
    _ participant: Int64, end: Int, arrow: Int, _ value: UInt32, at: Int64, x: Double? = nil,
    y: Double = 0
  ) throws -> ScoringOperation {
    var operation = ScoringOperation()
    operation.clientID = try UUIDv7.make(unixMilliseconds: UInt64(asOf))
    operation.kind = .record
    operation.participantID = participant
    operation.endIndex = UInt32(end)
    operation.arrowIndex = UInt32(arrow)
    operation.value = value
    if let x {
      operation.x = x
      operation.y = y
    }
    operation.scoredAtMilliseconds = at
    return operation
  }

  /// Shoots the first `values.count` arrows of a round.
  @discardableResult
  func shoot(
    _ round: Round, _ values: [UInt32], at start: Int64, drift: Double? = nil,
    arrowsPerEnd: Int = 3
  ) async throws -> [OperationVerdict] {
    var request = ApplyOperationsRequest()
    request.operations = try values.enumerated().map { index, value in
      try Self.record(
        round.participantID, end: index / arrowsPerEnd, arrow: index % arrowsPerEnd, value,
        at: start + Int64(index) * 60_000,
        x: drift.map { $0 + Double(index % 5) / 100 }, y: Double(index % 7) / 100)
    }
    let verdicts = try await client.call(Rounds.applyOperations, request).verdicts
    #expect(verdicts.allSatisfy { $0.verdict == .stored })
    return verdicts
  }

  func set(_ status: RoundStatus, _ round: Round) async throws {
    var request = SetRoundStatusRequest()
    request.participantID = round.participantID
    request.status = status
    _ = try await client.call(Rounds.setRoundStatus, request)
  }

  /// Completed rounds whose level differs from round to round, `hours` apart.
  func shootRounds(
    _ setup: BowSetup, _ count: Int, level: Int, drift: Double, hours: Int64 = 24,
    _ codename: String = "wa18", arrows: Int = 60, arrowsPerEnd: Int = 3
  ) async throws {
    for index in 0..<count {
      let round = try await begin(setup, codename)
      let values = (0..<arrows).map { arrow in
        UInt32(
          min(10, level + [0, 1, 0, -1, 1][(arrow + index) % 5] + (arrow % 11 + index % 2) / 11))
      }
      try await shoot(
        round, values, at: Self.asOf - Int64(index + 1) * hours * Self.hour,
        drift: drift + Double(index % 3) / 50, arrowsPerEnd: arrowsPerEnd)
    }
  }

  static func request(
    _ setups: [BowSetup], _ method: InferenceMethod = .welch,
    range: QuiverAPI.ComparisonRange = .thirtyDays
  ) -> CompareRequest {
    var request = CompareRequest()
    request.setups = setups.map { setup in
      var compared = ComparedSetup()
      compared.id = setup.id
      return compared
    }
    request.asOfMilliseconds = asOf
    request.method = method
    request.range = RangeChoice()
    request.range?.range = range
    return request
  }

  func compare(
    _ setups: [BowSetup], _ method: InferenceMethod = .welch,
    range: QuiverAPI.ComparisonRange = .thirtyDays
  ) async throws -> CompareResponse {
    try await client.call(Comparison.compare, Self.request(setups, method, range: range))
  }
}
