import Testing

@testable import QuiverGateway

@Suite("Names by which a gateway is reached", .timeLimit(.minutes(1)))
struct ServedHostsTests {
  private static let hosts = ServedHosts(["Club.example", "scores.club.example."])

  @Test(
    "Addresses, localhost and the names of the configuration are served",
    arguments: [
      "127.0.0.1", "127.0.0.1:80", "192.0.2.1", "[::1]", "[2001:db8::1]:443", "localhost",
      "LOCALHOST:7480", "localhost.", "club.example", "CLUB.EXAMPLE.:443", "scores.club.example",
      "club.example:",
    ])
  func served(host: String) { #expect(Self.hosts.serves(HTTPText(host))) }

  @Test(
    "Other names are not served, however they resemble these",
    arguments: [
      "", ":80", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.1", "1",
      "0x7f.0.0.1", "::1", "[::1", "[::1]x", "[127.0.0.1]", "[localhost]", "[]", "[::1]:80:90",
      "club.example.evil", "club.example:80x", "club.example:80:80", "club.example..",
      "evil.club.example", "user@localhost", "localhost ", "\u{212A}lub.example",
      "loca\u{17F}lhost",
    ])
  func refused(host: String) { #expect(!Self.hosts.serves(HTTPText(host))) }

  @Test("A name has no port, and no characters that a name cannot have")
  func names() {
    #expect(ServedHosts.isName("a-b.club.example"))
    for text in ["", "club.example:80", "http://club.example", "*", "a b", "cl\u{FC}b.example"] {
      #expect(!ServedHosts.isName(text))
    }
  }
}
