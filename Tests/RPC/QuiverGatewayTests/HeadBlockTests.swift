import Testing

@testable import QuiverGateway

@Suite("Heads of HTTP/2 requests that are read once", .timeLimit(.minutes(1)))
struct HeadBlockTests {
  private let limits = GatewayLimits()

  private func block(_ fields: [(String, String)], _ limits: GatewayLimits? = nil) -> HeadBlock {
    var block = HeadBlock()
    block.begin()
    for (name, value) in fields {
      Array(name.utf8).withUnsafeBufferPointer { name in
        Array(value.utf8).withUnsafeBufferPointer { value in
          block.append(name, value, limits ?? self.limits)
        }
      }
    }
    return block
  }

  private let basis = [
    (":method", "POST"), (":path", "/a.B/C?x=1"), (":authority", "host:1"), ("te", "trailers"),
  ]

  @Test("A head has its method, path, query, host and fields")
  func reading() {
    var known = KnownHeads()
    let head = block(basis + [("empty", "")]).head(&known).head
    #expect(head.method == "POST")
    #expect(head.path == "/a.B/C")
    #expect(head.query == "x=1")
    #expect(head.fields == ["te": "trailers", "empty": "", "host": "host:1"])
    #expect(head.isHTTP2)
  }

  @Test("Equal heads are one, and a head that differs in a byte is another")
  func sharing() {
    var known = KnownHeads()
    let first = block(basis + [("authorization", "Bearer qv_a")]).head(&known)
    #expect(block(basis + [("authorization", "Bearer qv_a")]).head(&known) === first)
    let second = block(basis + [("authorization", "Bearer qv_b")]).head(&known)
    #expect(second !== first)
    #expect(second.head.fields["authorization"] == "Bearer qv_b")
    #expect(block(basis + [("authorization", "Bearer qv_a")]).head(&known) === first)
  }

  @Test("Heads with the same bytes in other fields are different")
  func borders() {
    var known = KnownHeads()
    let one = block([("ab", "c"), ("d", "e")]).head(&known)
    let other = block([("a", "bc"), ("d", "e")]).head(&known)
    let third = block([("ab", "cd"), ("", "e")]).head(&known)
    #expect(one !== other && one !== third && other !== third)
    #expect(other.head.fields["a"] == "bc")
  }

  @Test("Fields that belong to one request are not part of its head")
  func ownFields() {
    var known = KnownHeads()
    let names = [
      "grpc-timeout", "connect-timeout-ms", "idempotency-key", "traceparent",
      "quiver-after-sequence", "quiver-store-epoch",
    ]
    let bare = block(basis).head(&known)
    for name in names {
      let block = block(basis + [(name, "7")])
      #expect(block.ownFields[HTTPText(name)] == "7")
      #expect(block.head(&known) === bare)
    }
  }

  @Test("A connection keeps its last four heads, and none that is large")
  func forgetting() {
    var known = KnownHeads()
    let first = block([("n", "0")]).head(&known)
    for number in 1...3 { _ = block([("n", "\(number)")]).head(&known) }
    #expect(block([("n", "0")]).head(&known) === first)
    for number in 4...12 { _ = block([("n", "\(number)")]).head(&known) }
    #expect(block([("n", "0")]).head(&known) !== first)
    let large = [("n", String(repeating: "x", count: 3_000))]
    #expect(block(large).head(&known) !== block(large).head(&known))
  }

  @Test("A head above the limits of bytes or fields is too large")
  func limited() {
    var small = GatewayLimits()
    small.maxHeadBytes = 100
    small.maxFields = 2
    // Each field counts 32 bytes beside its name and value.
    #expect(!block([("n", String(repeating: "x", count: 67))], small).isTooLarge)
    #expect(block([("n", String(repeating: "x", count: 68))], small).isTooLarge)
    #expect(!block([("a", ""), ("b", "")], small).isTooLarge)
    #expect(block([("a", ""), ("b", ""), ("c", "")], small).isTooLarge)
    #expect(block([("a", ""), ("b", ""), ("grpc-timeout", "")], small).isTooLarge)
  }
}
