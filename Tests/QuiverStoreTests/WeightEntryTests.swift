import QuiverRules
import QuiverStore
import Testing

@Suite struct WeightEntryTests {
  @Test("a deleted entry is restored for 30 days and then swept, and makes room")
  func thirtyDays() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "R"), .of(0)).id
    var draft = WeightEntryDraft()
    (draft.day, draft.thousandths, draft.unit) = (100, 80_000, .kilogram)
    let entry = try store.perform(CreateWeightEntry(draft), .of(robin))
    let thirtyDays: Int64 = 30 * 86_400_000
    _ = try store.perform(DeleteWeightEntry(.id(entry.id)), .of(robin))
    clock.set(wallMilliseconds: 1_700_000_000_000 + thirtyDays)
    let back = try store.perform(RestoreWeightEntry(.id(entry.id)), .of(robin))
    #expect(back.deletedAtMilliseconds == 0 && back.revision == 3)
    _ = try store.perform(DeleteWeightEntry(.id(entry.id)), .of(robin))
    clock.set(wallMilliseconds: 1_700_000_000_000 + 2 * thirtyDays + 1)
    let late = #expect(throws: StoreError.self) {
      _ = try store.perform(RestoreWeightEntry(.id(entry.id)), .of(robin))
    }
    #expect(late?.code == .notFound)
    // Ages are told by the clock that is not set. Many commands let the sweep come round.
    clock.set(monotonicNanoseconds: UInt64(2 * thirtyDays + 2) * 1_000_000)
    for number in 0..<(2 * StoreLimits.commandsPerSweep) {
      _ = try store.perform(SetPreference(key: "k", value: "\(number)"), .of(robin))
    }
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.weightEntry(id: entry.id, principal: robin)
    }
    #expect(found == nil)
  }
}
