import QuiverCrypto
import Testing

@Suite(.timeLimit(.minutes(5))) struct UUIDv7Tests {
  @Test("an identifier that we make is valid and begins with its instant")
  func madeHere() throws {
    let bytes = try UUIDv7.make(unixMilliseconds: 0x0192_3456_789A)
    #expect(UUIDv7.isValid(bytes))
    #expect(Array(bytes.prefix(6)) == [0x01, 0x92, 0x34, 0x56, 0x78, 0x9A])
  }

  @Test(
    "another version, another variant and another length are refused",
    arguments: [
      (16, 0x40, 0x80), (16, 0x70, 0xC0), (16, 0x70, 0x00), (15, 0x70, 0x80), (0, 0, 0),
      (17, 0x70, 0x80),
    ] as [(Int, UInt8, UInt8)])
  func refused(byteCount: Int, version: UInt8, variant: UInt8) {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    if byteCount > 8 {
      bytes[6] = version
      bytes[8] = variant
    }
    #expect(!UUIDv7.isValid(bytes))
  }
}
