import QuiverCrypto
import Testing

@Suite(.timeLimit(.minutes(5))) struct Base64URLTests {
  @Test(
    "the vectors of RFC 4648 come out without padding and go back in",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
  func knownAnswers(plain: String, text: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(plain.utf8))
  }

  @Test("every number of bytes survives the way there and back")
  func thereAndBack() throws {
    for count in 0..<100 {
      let bytes = try RandomBytes.make(count)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
  }

  @Test(
    "text that encode would not write is refused",
    arguments: ["A", "Zg==", "Zh", "Zm9", "Zm 9", "Zm9v!", "é"])
  func refused(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
