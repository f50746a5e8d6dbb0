import Foundation
import QuiverRPC
import Testing

@Suite(.timeLimit(.minutes(5))) struct IdempotencyKeyTests {
  @Test("a new key is a UUIDv7 of now, and another one each time")
  func timeOrdered() {
    let before = UInt64(Date().timeIntervalSince1970 * 1_000)
    let keys = (0..<1_000).map { _ in IdempotencyKey.random() }
    let after = UInt64(Date().timeIntervalSince1970 * 1_000)
    #expect(Set(keys).count == keys.count)
    for key in keys {
      let bytes = key.bytes
      let milliseconds = bytes.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect((before...after + 1).contains(milliseconds))
      #expect(bytes[6] >> 4 == 7 && bytes[8] >> 6 == 0b10)
    }
  }
}
