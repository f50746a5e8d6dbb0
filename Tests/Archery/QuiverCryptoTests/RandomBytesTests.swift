import QuiverCrypto
import Testing

@Suite(.timeLimit(.minutes(5))) struct RandomBytesTests {
  @Test("random bytes come in the number asked for and are never twice the same")
  func numberAndDifference() throws {
    #expect(try RandomBytes.make(0).isEmpty)
    let first = try RandomBytes.make(32)
    #expect(first.count == 32)
    #expect(try RandomBytes.make(32) != first)
  }

  @Test("bytes are equal only in full")
  func constantTimeComparison() {
    #expect(ConstantTime.isEqual([], []))
    #expect(ConstantTime.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2, 4]))
    #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2]))
  }
}
