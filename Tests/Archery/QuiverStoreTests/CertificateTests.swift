import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite("Certificate bindings and token rotation", .timeLimit(.minutes(5))) struct CertificateTests {
  @Test("A bound name authenticates its principal until it is unbound")
  func bound() throws {
    let unbound = Results()
    var hooks = StoreHooks()
    hooks.permissionsEnded = { changes in
      unbound.set(0, .success(changes.certificateBindingIDs.map { UInt8($0) }))
    }
    let store = try TemporaryDirectory().open(hooks: hooks)
    let ann = try store.perform(CreatePrincipal(kind: .service, displayName: "Ann"), .of(0))
    let name = try CertificateName(.uri, "spiffe://club/scores")
    #expect(try store.authenticate(certificate: [name]) == nil)
    let binding = try store.perform(BindCertificate(principal: ann.id, name: name), .of(0))
    #expect(try store.perform(BindCertificate(principal: ann.id, name: name), .of(0)) == binding)
    let other = try CertificateName(.dns, "Scores.Example")
    #expect(other.value == "scores.example")
    #expect(try store.authenticate(certificate: [other, name])?.principal == ann)
    let list = try store.read { (snapshot) throws(StoreError) in
      try snapshot.certificateBindings(principal: ann.id, pageSize: 0, pageToken: "")
    }
    #expect(list.items == [binding])
    _ = try store.perform(UnbindCertificate(id: binding.id), .of(0))
    #expect(try store.authenticate(certificate: [name]) == nil)
    store.close()
    #expect(unbound.reply(0) == [UInt8(binding.id)])
  }

  @Test("A name bound to another principal is refused, and a disabled principal has no access")
  func refused() throws {
    let store = try TemporaryDirectory().open()
    let ann = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let bob = try store.perform(CreatePrincipal(kind: .user, displayName: "Bob"), .of(0))
    let name = try CertificateName(.dns, "ann.example")
    _ = try store.perform(BindCertificate(principal: ann.id, name: name), .of(0))
    let error = #expect(throws: StoreError.self) {
      try store.perform(BindCertificate(principal: bob.id, name: name), .of(0))
    }
    #expect(error?.code == .alreadyExists)
    _ = try store.perform(SetPrincipalDisabled(id: ann.id, isDisabled: true), .of(0))
    #expect(try store.authenticate(certificate: [name]) == nil)
  }

  @Test(
    "A name that is not valid in a certificate is refused",
    arguments: [
      (CertificateName.Kind.dns, ""), (.dns, "*.example"), (.dns, ".example"), (.dns, "a b"),
      (.dns, String(repeating: "a", count: 254)), (.uri, ""), (.uri, "no-scheme"),
      (.uri, "urn:a b"), (.uri, "urn:" + String(repeating: "a", count: 1_024)),
    ])
  func invalid(kind: CertificateName.Kind, value: String) {
    let error = #expect(throws: StoreError.self) { try CertificateName(kind, value) }
    #expect(error?.code == .invalidArgument)
  }

  @Test("A rotated token works at once and the old one until the overlap ends")
  func rotated() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let ann = try store.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0))
    let old = try store.perform(
      CreateToken(principal: ann.id, label: "phone", scopes: .read), .of(0))
    let caller = CommandOptions(caller: CommandCaller(principal: ann.id, tokenID: old.record.id))
    let rotated = try store.perform(RotateToken(overlapMilliseconds: 60_000), caller)
    #expect(rotated.new.record.label == "phone" && rotated.new.record.scopes == old.record.scopes)
    #expect(rotated.new.record.expiresAtMilliseconds == nil)
    #expect(try store.authenticate(Array(old.secret.utf8)) != nil)
    #expect(try store.authenticate(Array(rotated.new.secret.utf8)) == rotated.new.record)
    // A reply that was lost: the old token rotates again.
    let again = try store.perform(RotateToken(overlapMilliseconds: 60_000), caller)
    #expect(again.new.record.expiresAtMilliseconds == nil)
    clock.pass(milliseconds: 60_000)
    #expect(try store.authenticate(Array(old.secret.utf8)) == nil)
    #expect(try store.authenticate(Array(again.new.secret.utf8)) != nil)
    let error = #expect(throws: StoreError.self) {
      try store.perform(RotateToken(overlapMilliseconds: 60_000), caller)
    }
    #expect(error?.code == .unauthenticated)
  }

  @Test("An administrator without a valid token does not count as the last one")
  func lastAdministrator() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let first = try store.perform(CreatePrincipal(kind: .administrator, displayName: "A"), .of(0))
    let second = try store.perform(CreatePrincipal(kind: .administrator, displayName: "B"), .of(0))
    let disable = SetPrincipalDisabled(id: first.id, isDisabled: true)
    func expectRefusal() {
      let error = #expect(throws: StoreError.self) { try store.perform(disable, .of(0)) }
      #expect(error?.code == .failedPrecondition)
    }
    expectRefusal()
    let now = clock.clock.wallMilliseconds()
    _ = try store.perform(
      CreateToken(principal: second.id, label: "", expiresAtMilliseconds: now + 10), .of(0))
    clock.pass(milliseconds: 10)
    expectRefusal()
    _ = try store.perform(CreateToken(principal: second.id, label: "", scopes: .read), .of(0))
    expectRefusal()
    _ = try store.perform(CreateToken(principal: second.id, label: ""), .of(0))
    _ = try store.perform(disable, .of(0))
  }
}
