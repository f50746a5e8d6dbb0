/// The commands of Admin that need no code of their own.
enum AdminMethods {
  static let commands: [MethodCommand] = principals + server + invites + grants + certificates

  private static let principals: [MethodCommand] = [
    MethodCommand(
      "principal list", "Admin/ListPrincipals", summary: "list users, services and administrators",
      prints: principalList),
    MethodCommand(
      "principal show", "Admin/GetPrincipal", summary: "show a principal",
      [.operand("PRINCIPAL", "id", .named(.account))],
      prints: .object),
    MethodCommand(
      "principal add", "Admin/CreatePrincipal", summary: "create a principal without a token",
      [
        .operand("NAME", "display_name"),
        .flag("--kind", "kind", "KIND", "user, service or administrator", isNeeded: true),
      ],
      prints: .sentence("principal {id} is created")),
    MethodCommand(
      "principal edit", "Admin/UpdatePrincipal", summary: "rename a principal",
      [
        .operand("PRINCIPAL", "principal.id", .named(.account)),
        .flag("--name", "principal.display_name", "TEXT", "1 to 50 characters"),
      ],
      changes: "principal", read: "Admin/GetPrincipal",
      prints: .sentence("principal {id} is changed")),
    MethodCommand(
      "principal disable", "Admin/DisablePrincipal", summary: "end a principal's access",
      details: "Its tokens are rejected and its connections closed until it is enabled again.",
      [.operand("PRINCIPAL", "id", .named(.account))],
      destroys: "ends the access of {PRINCIPAL} and its connections",
      prints: .sentence("principal {id} is disabled")),
    MethodCommand(
      "principal enable", "Admin/EnablePrincipal", summary: "restore a principal's access",
      [.operand("PRINCIPAL", "id", .named(.account))],
      prints: .sentence("principal {id} is enabled")),
    MethodCommand(
      "admin connections", "Admin/ListConnections", summary: "list the open connections",
      prints: .list(
        "connections",
        [
          "ID=id", "ADDRESS=address", "PRINCIPAL=principal_id", "TOKEN=token_id",
          "CALLS=open_calls", "CONNECTED=connected_at_ms",
        ])),
  ]

  private static let server: [MethodCommand] = [
    MethodCommand(
      "admin backups", "Admin/ListBackups",
      summary: "list the scheduled backups of the server", prints: .object),
    MethodCommand(
      "admin principals", "Admin/ListPrincipals",
      summary: "list users, services and administrators", prints: principalList),
    MethodCommand(
      "admin tokens", "Admin/ListTokens", summary: "list tokens, newest first, without secrets",
      [
        .flag(
          "--principal", "principal_id", "PRINCIPAL", "only of this principal", .named(.account))
      ],
      prints: .list(
        "tokens",
        [
          "ID=id", "PRINCIPAL=principal_id", "NAME=principal_name", "SCOPES=scopes",
          "CREATED=created_at_ms", "EXPIRES=expires_at_ms", "REVOKED=revoked_at_ms", "LABEL=label",
        ])),
    MethodCommand(
      "admin grants", "Admin/ListActingGrants", summary: "list which services act for whom",
      [.flag("--service", "service_id", "SERVICE", "only of this service", .named(.account))],
      prints: grantList),
    MethodCommand(
      "admin limits", "Admin/ListLimits",
      summary: "list the limits of the server with what uses them",
      [
        .flag(
          "--principal", "principal_id", "PRINCIPAL", "the quotas of this principal instead",
          .named(.account))
      ],
      prints: .list(
        "limits", ["NAME=name", "VALUE=value", "USED=used", "REACHED=reached_count"])),
    MethodCommand(
      "admin work", "Admin/ListLongWork",
      summary: "list backups, verifications, imports, exports and erasures that run",
      prints: .list(
        "work",
        [
          "ID=id", "KIND=kind", "PRINCIPAL=principal_id", "BEGAN=began_at_ms", "DONE=done",
          "OF=total",
        ])),
    MethodCommand(
      "admin transfer-tournament", "Admin/TransferTournament",
      summary: "give an event of a disabled or deleted organiser to another user",
      [
        .operand("EVENT", "tournament_id", .named(.event)),
        .operand("USER", "organiser_id", .named(.account)),
      ],
      prints: .sentence("event {tournament_id} has the organiser {organiser_id}")),
  ]

  private static let principalList = MethodOutput.list(
    "principals",
    [
      "ID=id", "KIND=kind", "NAME=shown_name", "CREATED=created_at_ms",
      "DISABLED=disabled_at_ms", "DELETED=deleted_at_ms",
    ])

  private static let grantList = MethodOutput.list(
    "grants",
    [
      "SERVICE=service_id", "USER=user_id", "SCOPES=scopes", "BY=granted_by",
      "GRANTED=granted_at_ms",
    ])

  private static let invites: [MethodCommand] = [
    MethodCommand(
      "invite create", "Admin/CreateInvite", summary: "create a code that creates users",
      details: "Prints the code to standard output; it is not shown again.",
      [
        .flag("--uses", "uses", "N", "how many users it creates, 1 to 1000", isNeeded: true),
        .flag("--label", "label", "TEXT", "what it is for, at most 200 characters"),
        .flag(
          "--expires", "expires_at_ms", "TIME", "12h, 30d from now; never by default", .fromNow),
      ],
      prints: .secret("code", "invite {invite.id}, {invite.uses} uses")),
    MethodCommand(
      "invite list", "Admin/ListInvites", summary: "list invites",
      prints: .list(
        "invites",
        [
          "ID=id", "USES=uses", "LEFT=uses_left", "CREATED=created_at_ms",
          "EXPIRES=expires_at_ms", "REVOKED=revoked_at_ms", "LABEL=label",
        ])),
    MethodCommand(
      "invite revoke", "Admin/RevokeInvite", summary: "end an invite",
      [.operand("INVITE", "id", .named(.invite))], destroys: "ends {INVITE}",
      prints: .sentence("invite {id} is revoked")),
  ]

  private static let grants: [MethodCommand] = [
    MethodCommand(
      "grant add", "Admin/GrantActing", summary: "allow a service to act for a user",
      [
        .operand("SERVICE", "service_id", .named(.account)),
        .operand("USER", "user_id", .named(.account)),
        .flag(
          "--scope", "scopes", "SCOPE",
          "read, equipment, scoring, logbook or account, may be given more than once; all but"
            + " account by default", repeats: true),
      ],
      prints: .sentence("service {service_id} may act for user {user_id}: {scopes}")),
    MethodCommand(
      "grant rm", "Admin/RevokeActing", summary: "end a service's permission to act for a user",
      [
        .operand("SERVICE", "service_id", .named(.account)),
        .operand("USER", "user_id", .named(.account)),
      ], destroys: "ends what {SERVICE} may do for {USER}",
      prints: .sentence("service {service_id} may not act for user {user_id} any more")),
    MethodCommand(
      "grant list", "Admin/ListActingGrants", summary: "list which services act for whom",
      [.flag("--service", "service_id", "SERVICE", "only of this service", .named(.account))],
      prints: grantList),
  ]

  private static let certificates: [MethodCommand] = [
    MethodCommand(
      "certificate bind", "Admin/BindCertificate",
      summary: "identify a principal by a client certificate",
      [
        .operand("PRINCIPAL", "principal_id", .named(.account)), .operand("NAME", "name"),
        .flag("--kind", "kind", "KIND", "what NAME is: dns or uri", isNeeded: true),
        .flag("--label", "label", "TEXT", "what it is for, at most 200 characters"),
      ],
      prints: .sentence("certificate binding {id} of principal {principal_id} is created")),
    MethodCommand(
      "certificate list", "Admin/ListCertificateBindings", summary: "list bound certificates",
      [
        .flag(
          "--principal", "principal_id", "PRINCIPAL", "only of this principal", .named(.account))
      ],
      prints: .list(
        "bindings",
        [
          "ID=id", "PRINCIPAL=principal_id", "KIND=kind", "NAME=name", "LABEL=label",
          "CREATED=created_at_ms",
        ])),
    MethodCommand(
      "certificate rm", "Admin/RemoveCertificateBinding", summary: "remove a bound certificate",
      [.operand("BINDING", "id", .named(.binding))], destroys: "removes the {BINDING}",
      prints: .sentence("certificate binding {id} is removed")),
  ]
}
