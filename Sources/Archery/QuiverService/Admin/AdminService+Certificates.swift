import QuiverAPI
import QuiverRPC
import QuiverStore

extension AdminService {
  var certificateRoutes: [Route] {
    [
      .responding(Admin.bindCertificate, bindCertificate),
      .reading(Admin.listCertificateBindings, commands, listCertificateBindings),
      .responding(Admin.removeCertificateBinding) { request, call, responder in
        commands.submit(
          UnbindCertificate(id: request.id), by: try call.administrator(), call, responder
        ) { CertificateBinding($0) }
      },
    ]
  }

  func bindCertificate(
    _ request: BindCertificateRequest, _ call: CallContext,
    _ responder: Responder<CertificateBinding>
  ) throws {
    let caller = try call.administrator()
    guard let kind = CertificateName.Kind(rawValue: Int64(request.kind.rawValue)) else {
      throw RPCError.invalid("kind", "must be DNS or URI")
    }
    let command = BindCertificate(
      principal: request.principalID, name: try CertificateName(kind, request.name),
      label: request.label)
    commands.submit(command, by: caller, call, responder) { CertificateBinding($0) }
  }

  func listCertificateBindings(
    _ request: ListCertificateBindingsRequest, _ call: CallContext
  ) throws -> ListCertificateBindingsResponse {
    _ = try call.administrator()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.certificateBindings(
        principal: request.principalID, pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListCertificateBindingsResponse()
    response.bindings = page.items.map(CertificateBinding.init)
    response.nextPageToken = page.nextPageToken
    return response
  }
}

extension CertificateBinding {
  init(_ record: CertificateBindingRecord) {
    self.init()
    id = record.id
    principalID = record.principal.id
    kind = CertificateNameKind(rawValue: Int32(clamping: record.name.kind.rawValue))
    name = record.name.value
    label = record.label
    createdBy = record.createdBy
    createdAtMilliseconds = record.createdAtMilliseconds
  }
}
