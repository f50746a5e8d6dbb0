import QuiverStore
import Synchronization
import Testing

@testable import QuiverService

@Suite("Refused tokens", .timeLimit(.minutes(5)))
struct TokenRefusalsTests {
  private static func token(_ number: Int) -> [UInt8] { Array("qv_\(number)".utf8) }

  @Test("The delay of refusals doubles after the first of a minute, up to a limit")
  func delays() {
    let delays = [0, 4, 5, 6, 7, 11, 12, 1_000_000].map { TokenRefusals.delayMilliseconds($0) }
    #expect(delays == [0, 0, 20, 40, 80, 1_280, 2_000, 2_000])
  }

  @Test("A refused token is bad without a lookup for a second, and other tokens are not")
  func knownBad() {
    let refusals = TokenRefusals(limitPerMinute: 10)
    #expect(!refusals.isKnownBad(Self.token(1), now: 5))
    refusals.note(Self.token(1), now: 5)
    #expect(refusals.isKnownBad(Self.token(1), now: 999_999_999))
    #expect(!refusals.isKnownBad(Self.token(2), now: 5))
    #expect(!refusals.isKnownBad(Self.token(1), now: 1_000_000_005))
  }

  @Test("The number of refused tokens that are kept is limited")
  func limited() {
    let refusals = TokenRefusals(limitPerMinute: 10)
    for number in 0...LookupLimits.refusedTokens { refusals.note(Self.token(number), now: 1) }
    let kept = (0...LookupLimits.refusedTokens).count {
      refusals.isKnownBad(Self.token($0), now: 1)
    }
    #expect(kept == 1)
  }

  @Test("Lookups of an address that the store refuses wait and are repeated")
  func refusedByStore() async {
    let calls = Mutex(0)
    let lookups = TokenLookups { _, lookup in
      let isRefused = calls.withLock { calls in
        calls += 1
        return calls <= 3
      }
      if isRefused { return StoreError(.resourceExhausted, "full") }
      lookup(nil)
      return nil
    }
    for _ in 0..<10 {
      let refusal = await withCheckedContinuation { continuation in
        lookups.submit("a") { continuation.resume(returning: $0) }
      }
      #expect(refusal == nil)
    }
    #expect(calls.withLock { $0 } == 13 && lookups.waitingCount == 0)
  }

  @Test("The addresses take turns, each with few lookups at the store")
  func turns() {
    let started = Mutex<[(address: String, lookup: TokenLookups.Lookup)]>([])
    let lookups = TokenLookups { address, lookup in
      started.withLock { $0.append((address, lookup)) }
      return nil
    }
    let answered = Mutex(0)
    for address in ["a", "b"] {
      for _ in 0..<100 { lookups.submit(address) { _ in answered.withLock { $0 += 1 } } }
    }
    let first = started.withLock { $0.map(\.address) }
    #expect(first.count { $0 == "a" } == LookupLimits.startedPerAddress)
    #expect(first.count { $0 == "b" } == LookupLimits.startedPerAddress)
    var index = 0
    while let next = started.withLock({ $0.count > index ? $0[index].lookup : nil }) {
      next(nil)
      index += 1
    }
    #expect(answered.withLock { $0 } == 200 && lookups.waitingCount == 0)
  }

  @Test("When the lookups of an address are at their limit the oldest ends for a new one")
  func oldest() {
    let lookups = TokenLookups { _, _ in nil }
    let refused = Mutex<[Int]>([])
    for number in 0...(LookupLimits.waitingPerAddress + LookupLimits.startedPerAddress) {
      lookups.submit("a") { refusal in
        if refusal != nil { refused.withLock { $0.append(number) } }
      }
    }
    #expect(refused.withLock { $0 } == [LookupLimits.startedPerAddress])
  }
}
