package import QuiverProtobuf
package import QuiverRPC

/// Every file, service and method of `Protos`, for reflection, for the parity test, and to see that
/// a server answers all of them.
package enum Catalogue {
  /// The files in the order in which they import each other.
  package static let files =
    [
      ProtoFile(
        path: wirePath, dependencies: ["google/protobuf/descriptor.proto"],
        messages: WireFile.messages, declaresMethodID: true),
      ProtoFile(
        path: "quiver/v1/health.proto", dependencies: [wirePath],
        messages: [HealthCheckRequest.schema.core, HealthCheckResponse.schema.core],
        enums: [ServingStatus.schema], services: [Health.schema]),
      ProtoFile(
        path: "quiver/v1/reflection.proto", dependencies: [wirePath],
        messages: [
          DescribeRequest.schema.core, DescribeResponse.schema.core, MethodEntry.schema.core,
        ],
        enums: [MethodEntry.Kind.schema], services: [Reflection.schema]),
      ProtoFile(
        path: "quiver/v1/diagnostics.proto", dependencies: [wirePath],
        messages: [
          EchoMessage.schema.core, DelayRequest.schema.core, DelayResponse.schema.core,
          FailRequest.schema.core, FailResponse.schema.core, SinkResponse.schema.core,
          SourceRequest.schema.core, ConnectionsRequest.schema.core,
          ConnectionsResponse.schema.core, ConnectionEntry.schema.core,
        ],
        services: [Diagnostics.schema]),
    ] + EquipmentFiles.all + ScoringFiles.all + ComparisonFiles.all + [
      ProtoFile(
        path: "quiver/v1/admin.proto", dependencies: [wirePath],
        messages: [
          Principal.schema.core, CreatePrincipalRequest.schema.core,
          ListPrincipalsRequest.schema.core, ListPrincipalsResponse.schema.core,
          Token.schema.core, CreateTokenRequest.schema.core, CreateTokenResponse.schema.core,
          ListTokensRequest.schema.core, ListTokensResponse.schema.core,
          RevokeTokenRequest.schema.core, GetPrincipalRequest.schema.core,
          UpdatePrincipalRequest.schema.core, DisablePrincipalRequest.schema.core,
          EnablePrincipalRequest.schema.core, Invite.schema.core, CreateInviteRequest.schema.core,
          CreateInviteResponse.schema.core, ListInvitesRequest.schema.core,
          ListInvitesResponse.schema.core, RevokeInviteRequest.schema.core,
          ActingGrant.schema.core, GrantActingRequest.schema.core,
          RevokeActingRequest.schema.core, ListActingGrantsRequest.schema.core,
          ListActingGrantsResponse.schema.core,
          ListConnectionsRequest.schema.core, ListConnectionsResponse.schema.core,
          OpenConnection.schema.core, VerifyRequest.schema.core, VerifyResponse.schema.core,
          Finding.schema.core, BackupRequest.schema.core, BackupResponse.schema.core,
        ],
        enums: [PrincipalKind.schema, TokenScope.schema], services: [Admin.schema]),
      ProtoFile(
        path: "quiver/v1/account.proto", dependencies: ["quiver/v1/admin.proto", wirePath],
        messages: [
          WhoAmIRequest.schema.core, WhoAmIResponse.schema.core, Profile.schema.core,
          GetProfileRequest.schema.core, UpdateProfileRequest.schema.core, Preference.schema.core,
          GetPreferencesRequest.schema.core, GetPreferencesResponse.schema.core,
          SetPreferenceRequest.schema.core, DeletePreferenceRequest.schema.core,
          DeletePreferenceResponse.schema.core, RedeemInviteRequest.schema.core,
          RedeemInviteResponse.schema.core, ExportMyDataRequest.schema.core,
          ExportMyDataResponse.schema.core, ExportRecord.schema.core,
          DeleteMyAccountRequest.schema.core, DeleteMyAccountResponse.schema.core,
        ],
        enums: [Units.schema], services: [Account.schema]),
    ] + LogbookFiles.all

  /// Every method, by id.
  package static let methods: [MethodInfo] = [
    Health.methods, Reflection.methods, Diagnostics.methods, Equipment.methods, Admin.methods,
    Account.methods, Rounds.methods, Tournament.methods, Comparison.methods, Logbook.methods,
  ].flatMap(\.self).sorted { $0.id < $1.id }

  /// Every service by its full name.
  package static let serviceNames = Set(files.flatMap(\.services).map(\.name))

  private static let wirePath = "quiver/v1/wire.proto"

  /// What `routes` leave unanswered, or answer beyond the catalogue, as a sentence; nil if nothing.
  package static func fault(in routes: [Route]) -> String? {
    let answered = Set(routes.map(\.method.id))
    if let missing = methods.first(where: { !answered.contains($0.id) }) {
      return "no handler is registered for \(missing.name) (id \(missing.id))"
    }
    let known = Set(methods.map(\.id))
    if let foreign = routes.first(where: { !known.contains($0.method.id) }) {
      return "\(foreign.method.name) (id \(foreign.method.id)) is not in the catalogue"
    }
    return nil
  }
}
