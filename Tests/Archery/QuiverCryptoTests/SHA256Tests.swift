import QuiverCrypto
import Testing

@Suite(.timeLimit(.minutes(5))) struct SHA256Tests {
  @Test(
    "the digest of a known text is the one that FIPS 180-4 gives",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func knownAnswers(text: String, expected: String) {
    #expect(hexadecimal(SHA256.hash(Array(text.utf8))) == expected)
    var digest = SHA256()
    for byte in text.utf8 { digest.update([byte]) }
    #expect(hexadecimal(digest.finalize()) == expected)
  }

  @Test("a keyed digest is the one that RFC 4231 gives")
  func keyedDigest() {
    let code = HMACSHA256.authenticationCode(
      for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      hexadecimal(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
