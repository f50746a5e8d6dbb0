import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite("Counts of the store's limits", .timeLimit(.minutes(5))) struct StoreLimitTests {
  /// How often each limit was reached while `body` ran; other tests may run meanwhile.
  private static func counted(
    _ body: () throws -> Void
  ) rethrows -> [StoreLimit: UInt64] {
    let before = StoreLimit.allCases.map(\.reachedCount)
    try body()
    var counts: [StoreLimit: UInt64] = [:]
    for (limit, count) in zip(StoreLimit.allCases, before) where limit.reachedCount > count {
      counts[limit] = limit.reachedCount - count
    }
    return counts
  }

  @Test("A refusal of a command counts its limit, once for each call, and nothing else")
  func commands() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    defer { store.close() }
    let put = { (number: Int64) throws in
      _ = try store.perform(SetPreference(key: "k\(number)", value: "v"), .of(7))
    }
    let full = try Self.counted {
      for number in 0..<StoreLimits.preferencesPerPrincipal { try put(number) }
    }
    #expect(full[.preferencesPerPrincipal] == nil)
    let refused = Self.counted {
      for number in Int64(1_000)..<1_003 {
        let error = #expect(throws: StoreError.self) { try put(number) }
        #expect(error?.code == .resourceExhausted && error?.notProcessed == true)
      }
    }
    #expect(try #require(refused[.preferencesPerPrincipal]) >= 3)
  }

  @Test("Quotas of an account are counted under their names")
  func quotas() throws {
    let directory = try TemporaryDirectory()
    var quotas = StoreQuotas.none
    quotas.storedRows = 2
    let store = try directory.open(quotas: quotas)
    defer { store.close() }
    let refused = try Self.counted {
      for _ in 0..<2 { _ = try store.perform(CreateEquipment(.riser()), .of(3)) }
      for _ in 0..<2 {
        #expect(throws: StoreError.self) { try store.perform(CreateEquipment(.riser()), .of(3)) }
      }
    }
    #expect(try #require(refused[.storedRowsPerPrincipal]) >= 2)
  }

  @Test("Names of limits are those of the table, and texts name them in words")
  func names() {
    #expect(StoreLimit.spectatorWindowsAroundPerAddress.name == "spectatorWindowsAroundPerAddress")
    #expect(
      StoreLimit.spectatorWindowsAroundPerAddress.words == "spectator-windows-around-per-address")
    #expect(StoreLimit.watches.words == "watches")
  }
}
