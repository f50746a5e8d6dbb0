import Testing

@testable import QuiverGateway

@Suite("Text of HTTP is bytes", .timeLimit(.minutes(1)))
struct HTTPTextTests {
  /// Texts that `String` finds equal, or equal in lower case, and that have other bytes.
  private static let alike = [
    ("\u{212A}", "K"), ("\u{212A}", "k"), ("\u{1FEF}", "`"), ("\u{37E}", ";"),
    ("e\u{301}", "\u{E9}"),
  ]

  @Test("Texts are equal where their bytes are, not where Unicode says so", arguments: alike)
  func equality(one: String, other: String) {
    #expect(HTTPText(one) != HTTPText(other))
    #expect(!HTTPText(one).isToken(HTTPText(other)))
    #expect(!HTTPText("a" + one).contains(HTTPText(other)))
    #expect(!HTTPText(one + "a").begins(with: HTTPText(other)))
    #expect(!HTTPText("a" + one).ends(with: HTTPText(other)))
    #expect(Set([HTTPText(one), HTTPText(other)]).count == 2)
    #expect(HTTPText(one).inLowerCase == HTTPText(one))
  }

  @Test("Only the letters A to Z have another case")
  func letterCase() {
    #expect(HTTPText("Chunked-\u{130}[@").inLowerCase == "chunked-\u{130}[@")
    #expect(HTTPText("CHUNKED").isToken("chunked") && !HTTPText("chunked ").isToken("chunked"))
    #expect(!HTTPText("[").isToken("{") && !HTTPText("@").isToken("`"))
  }

  @Test("A separator divides also where a mark of Unicode follows it")
  func division() {
    #expect(HTTPText("gzip,\u{301}br, a\t").list() == ["gzip", "\u{301}br", "a"])
    #expect(HTTPText(",a,").split(",") == ["", "a", ""])
    #expect(HTTPText("a?b?c").split("?", most: 1) == ["a", "b?c"])
    #expect(HTTPText(" \t ").trimmed.isEmpty && HTTPText("\u{A0}a").trimmed == "\u{A0}a")
    #expect(HTTPText("abc").dropping(1) == "bc" && HTTPText("a").dropping(2).isEmpty)
    #expect(HTTPText("abc").ends(with: "bc") && !HTTPText("c").ends(with: "bc"))
  }
}
