import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Certificate bindings", .timeLimit(.minutes(5)))
struct CertificateBindingTests {
  @Test("An administrator binds a certificate name once, and bindings are listed newest first")
  func bindAndList() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.principal(.user, named: "Robin")
      let marian = try server.principal(.user, named: "Marian")
      let first = try await admin.call(
        Admin.bindCertificate, .of(robin.id, .dns, "Phone.example"))
      #expect(first.name == "phone.example" && first.principalID == robin.id)
      let again = try await admin.call(
        Admin.bindCertificate, .of(robin.id, .dns, "phone.example"))
      #expect(again == first)
      let second = try await admin.call(
        Admin.bindCertificate, .of(marian.id, .uri, "quiver:marian"))
      let all = try await admin.call(
        Admin.listCertificateBindings, ListCertificateBindingsRequest())
      #expect(all.bindings == [second, first])
      var ofRobin = ListCertificateBindingsRequest()
      ofRobin.principalID = robin.id
      #expect(try await admin.call(Admin.listCertificateBindings, ofRobin).bindings == [first])

      var removal = RemoveCertificateBindingRequest()
      removal.id = first.id
      #expect(try await admin.call(Admin.removeCertificateBinding, removal) == first)
      let gone = await admin.refusal(Admin.removeCertificateBinding, removal)
      #expect(gone?.code == .notFound)
    }
  }

  @Test("A binding that is not valid fails with the reason and changes nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.principal(.user, named: "Robin")
      let marian = try server.principal(.user, named: "Marian")
      _ = try await admin.call(Admin.bindCertificate, .of(robin.id, .dns, "phone.example"))
      let user = try server.client(of: robin.id, [.read, .write])
      let before = try server.lastSequence()
      let cases: [(BindCertificateRequest, StatusCode)] = [
        (.of(marian.id, .dns, "phone.example"), .alreadyExists),
        (.of(robin.id, .unspecified, "a"), .invalidArgument),
        (.of(robin.id, .dns, "*.example"), .invalidArgument),
        (.of(robin.id, .uri, "no scheme"), .invalidArgument),
        (.of(999_999, .dns, "other.example"), .notFound),
      ]
      for (request, code) in cases {
        let refusal = await admin.refusal(Admin.bindCertificate, request)
        #expect(refusal?.code == code, "\(request.name)")
      }
      let denied = await user.refusal(
        Admin.bindCertificate, .of(robin.id, .dns, "mine.example"))
      #expect(denied?.code == .permissionDenied)
      #expect(try server.lastSequence() == before)
    }
  }
}

extension BindCertificateRequest {
  static func of(_ principal: Int64, _ kind: CertificateNameKind, _ name: String) -> Self {
    var request = Self()
    request.principalID = principal
    request.kind = kind
    request.name = name
    return request
  }
}
