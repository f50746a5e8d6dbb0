import QuiverWire
import Testing

@testable import QuiverDispatch

@Suite("Admission of TLS handshakes", .timeLimit(.minutes(5)))
struct HandshakeAdmissionTests {
  private static func admission(total: Int, perAddress: Int) -> HandshakeAdmission {
    var limits = Limits()
    limits.maxUnfinishedHandshakes = total
    limits.maxUnfinishedHandshakesPerAddress = perAddress
    return HandshakeAdmission(limits)
  }

  @Test("Over the limit of an address its oldest unfinished handshake ends")
  func perAddress() {
    var admission = Self.admission(total: 100, perAddress: 2)
    #expect(admission.begin(1, from: "a") == nil)
    #expect(admission.begin(2, from: "a") == nil)
    #expect(admission.begin(3, from: "b") == nil)
    #expect(admission.begin(4, from: "a") == 1)
    admission.end(2)
    #expect(admission.begin(5, from: "a") == nil)
    #expect(admission.begin(6, from: "a") == 4)
  }

  @Test("Over the limit of the server the address with most unfinished handshakes ends one")
  func total() {
    var admission = Self.admission(total: 5, perAddress: 100)
    #expect(admission.begin(1, from: "regular") == nil)
    for id in 2...5 as ClosedRange<UInt64> { #expect(admission.begin(id, from: "storm") == nil) }
    for id in 6...50 as ClosedRange<UInt64> {
      #expect(admission.begin(id, from: "storm") == id - 4)
    }
    #expect(admission.begin(51, from: "other") == 47)
    #expect(admission.count == 5)
  }

  @Test("A handshake whose input waits is the newest again, and the next one ends")
  func retained() {
    var admission = Self.admission(total: 100, perAddress: 2)
    #expect(admission.begin(1, from: "a") == nil)
    #expect(admission.begin(2, from: "a") == nil)
    #expect(admission.begin(3, from: "a") == 1)
    #expect(admission.retain(1, from: "a") == 2)
    #expect(admission.begin(4, from: "a") == 3)
    #expect(admission.count == 2)
  }

  @Test("Where each handshake has another address, one that was answered is not the next to end")
  func retainedAlone() {
    var admission = Self.admission(total: 3, perAddress: 2)
    for (id, host) in zip(1...3 as ClosedRange<UInt64>, ["a", "b", "c"]) {
      #expect(admission.begin(id, from: host) == nil)
    }
    let first = admission.begin(4, from: "d")
    let hosts = [1: "a", 2: "b", 3: "c", 4: "d"] as [UInt64: String]
    guard let first, let host = hosts[first] else {
      Issue.record("a handshake must end for the fourth")
      return
    }
    let next = admission.retain(first, from: host)
    #expect(next != nil && next != first)
    #expect(admission.count == 3)
  }

  @Test("Connections of a proxy have the limit of the server alone, and a count of their own")
  func proxied() {
    var admission = Self.admission(total: 10, perAddress: 2)
    for id in 1...10 as ClosedRange<UInt64> { #expect(admission.begin(id, from: nil) == nil) }
    #expect(admission.begin(11, from: nil) == 1)
    for id in 1...11 as ClosedRange<UInt64> { admission.end(id) }
    admission.end(11)
    #expect(admission.count == 0)
  }
}
