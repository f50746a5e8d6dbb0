import Testing

@testable import QuiverGateway

@Suite("Heads of HTTP/1.1 requests", .timeLimit(.minutes(1)))
struct HTTP1HeadTests {
  private func head(_ text: String) throws(HTTP1Head.Refusal) -> HTTP1Head {
    try HTTP1Head(Array(text.utf8)[...], limits: GatewayLimits())
  }

  private func status(_ text: String) -> Int? {
    do throws(HTTP1Head.Refusal) {
      _ = try head(text)
      return nil
    } catch {
      return error.status
    }
  }

  @Test("A request has its method, path, query and fields")
  func parts() throws {
    let head = try head(
      "POST /a.B/C?x=1?2 HTTP/1.1\r\nHost: club\r\nX-Gold: \t ten \t\r\nContent-Length: 7")
    #expect(head.head.method == "POST")
    #expect(head.head.path == "/a.B/C")
    #expect(head.head.query == "x=1?2")
    #expect(head.head.fields["x-gold"] == "ten")
    #expect(head.body == .length(7))
    #expect(head.keepsAlive)
  }

  @Test("A target with scheme and host is a path, and one without a slash is refused")
  func targets() throws {
    #expect(try head("GET http://club/a?b HTTP/1.1\r\nHost: x").head.path == "/a")
    #expect(try head("GET HTTPS://club HTTP/1.1\r\nHost: x").head.path == "/")
    #expect(status("GET club HTTP/1.1\r\nHost: x") == 400)
    #expect(status("CONNECT club:443 HTTP/1.1\r\nHost: x") == 400)
  }

  @Test("The host of a target must be served like that of the field Host")
  func hostsOfTargets() throws {
    func hosts(_ target: String) throws -> [HTTPText] {
      try head("GET \(target) HTTP/1.1\r\nHost: club:80").head.fields.values(of: "host")
    }
    #expect(try hosts("/a") == ["club:80"])
    #expect(try hosts("http://club:80/a") == ["club:80"])
    #expect(try hosts("http://evil.example/a") == ["club:80", "evil.example"])
    #expect(try hosts("HTTPS://Evil.example:443?http://club") == ["club:80", "Evil.example:443"])
    #expect(try hosts("http://evil.example") == ["club:80", "evil.example"])
    #expect(try hosts("http://club:80@evil.example/") == ["club:80", "club:80@evil.example"])
    #expect(try hosts("http:///a") == ["club:80", ""])
    let old = try head("GET http://evil.example/a HTTP/1.0\r\n").head
    #expect(old.fields.values(of: "host") == ["evil.example"] && old.path == "/a")
    let query = try head("GET http://club:80?b=/c HTTP/1.1\r\nHost: club:80").head
    #expect(query.path == "/" && query.query == "b=/c")
  }

  @Test(
    "A body that two readers could delimit differently is refused",
    arguments: [
      "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1, 1", "Content-Length: +1",
      "Content-Length: -1", "Content-Length: 0x1", "Content-Length: 1 1", "Content-Length:",
      "Content-Length: 9999999999999999999", "Content-Length: ١",
      "Transfer-Encoding: chunked\r\nContent-Length: 1", "Content-Length : 1", " Content-Length: 1",
    ])
  func ambiguous(field: String) {
    #expect(status("POST / HTTP/1.1\r\nHost: x\r\n" + field) == 400)
  }

  @Test("No transfer encoding but chunked alone is accepted")
  func encodings() throws {
    let others = ["gzip", "chunked, chunked", "gzip, chunked", "chunked;a=b", "identity"]
    for value in others + ["chun\u{212A}ed", "chunked\u{301}"] {
      #expect(status("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \(value)") == 501)
    }
    #expect(try head("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked").body == .chunked)
  }

  @Test("A character that Unicode has for a letter of ASCII is another one in every word of HTTP")
  func otherLetters() throws {
    let host = "Host: x\r\n"
    #expect(status("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chun\u{212A}ed") == 501)
    #expect(status("POST / HTTP/1.1\r\n\(host)Expect: 100-continue\u{301}") == 417)
    #expect(status("POST / HTTP/1.1\r\n\(host)\u{212A}eep: x") == 400)
    #expect(status("GET / HTTP/1.\u{FF11}\r\n\(host)") == 505)
    #expect(try head("GET / HTTP/1.1\r\n\(host)Connection: clo\u{17F}e").keepsAlive)
    #expect(try !head("GET / HTTP/1.1\r\n\(host)Connection: a\u{301},close").keepsAlive)
    let type = try head("POST / HTTP/1.1\r\n\(host)Content-Type: a/b\u{37E}c").head.contentType
    #expect(type == "a/b\u{37E}c" && type != "a/b;c")
  }

  @Test("A connection is kept in HTTP/1.1 unless it says close")
  func keeping() throws {
    #expect(try !head("GET / HTTP/1.0\r\n").keepsAlive)
    #expect(try !head("GET / HTTP/1.1\r\nHost: x\r\nConnection: te, Close").keepsAlive)
  }

  @Test("Random changes of a valid head end in a head or a refusal")
  func mutations() {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    print("seed \(seed)")
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let valid = Array("POST /a?b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = valid
      for _ in 0..<next(4) { bytes[next(bytes.count)] = UInt8(next(256)) }
      let parsed = try? HTTP1Head(bytes[...], limits: GatewayLimits())
      guard let parsed else { continue }
      accepted += 1
      #expect(parsed.head.path.begins(with: "/") || parsed.head.path == "*")
      #expect(parsed.head.fields.entries.allSatisfy { !$0.value.bytes.contains(13) })
    }
    #expect(accepted > 1_000 && accepted < 20_000)
  }
}
