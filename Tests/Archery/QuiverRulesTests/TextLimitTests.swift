import QuiverRules
import Testing

@Suite("Texts with the character U+0000", .timeLimit(.minutes(5)))
struct TextLimitTests {
  @Test("The character is found at each place of texts of each length, beside all other bytes")
  func places() {
    // Bytes of which one less than the lowest of a word borrows from the next.
    for filler in ["\u{1}", "a", "\u{7F}", "é", "\u{80}", "\u{100}", "🎯"] {
      for count in 0...20 {
        let text = String(repeating: filler, count: count)
        #expect(!text.hasZeroCharacter, "\(count) of \(filler.debugDescription)")
        for place in 0...count {
          var other = text
          other.insert("\u{0}", at: other.index(other.startIndex, offsetBy: place))
          #expect(other.hasZeroCharacter, "at \(place) of \(count) of \(filler.debugDescription)")
        }
      }
    }
  }

  @Test("In place of the character a question mark stands, a byte for a byte")
  func replacement() {
    #expect("a\u{0}é\u{0}".replacingZeroCharacters == "a?é?")
    #expect("a\u{0}é\u{0}".utf8.count == "a?é?".utf8.count)
    #expect("as it is".replacingZeroCharacters == "as it is")
  }
}
