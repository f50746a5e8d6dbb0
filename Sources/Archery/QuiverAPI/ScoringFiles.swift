import QuiverProtobuf

/// The files of `Protos` that ``Rounds`` and ``Tournament`` are made of, in the order in which they
/// import each other.
enum ScoringFiles {
  static let all: [ProtoFile] = [
    ProtoFile(
      path: "quiver/v1/round_format.proto",
      dependencies: [path("sight_mark")],
      messages: [
        FaceInfo.schema.core, FaceRing.schema.core, RoundPass.schema.core, RoundFormat.schema.core,
        FormatReference.schema.core, ListFormatsRequest.schema.core,
        ListFormatsResponse.schema.core, GetFormatRequest.schema.core,
        CreateFormatRequest.schema.core, DeleteFormatRequest.schema.core,
        DeleteFormatResponse.schema.core, ListFacesRequest.schema.core,
        ListFacesResponse.schema.core,
      ],
      enums: [
        Face.schema, RoundLocation.schema,
      ]),
    ProtoFile(
      path: "quiver/v1/scoring.proto",
      messages: [
        ScoringOperation.schema.core, ScoredArrow.schema.core, Score.schema.core,
        NextStep.schema.core, RecordArrowRequest.schema.core, ScoreResponse.schema.core,
        RecordEndRequest.schema.core, CorrectArrowRequest.schema.core,
        RetractArrowRequest.schema.core, ApplyOperationsRequest.schema.core,
        ApplyOperationsResponse.schema.core, OperationVerdict.schema.core,
      ],
      enums: [
        InputMode.schema, OperationKind.schema, NextKind.schema, Verdict.schema,
      ]),
    ProtoFile(
      path: "quiver/v1/rounds.proto",
      dependencies: [path("round_format"), path("scoring"), path("wire")],
      messages: [
        ShootingSession.schema.core, Round.schema.core, CreateSessionRequest.schema.core,
        SessionGuest.schema.core, GetSessionRequest.schema.core, ListSessionsRequest.schema.core,
        ListSessionsResponse.schema.core, DeleteSessionRequest.schema.core,
        DeleteSessionResponse.schema.core, AddSessionGuestRequest.schema.core,
        SetRoundStatusRequest.schema.core, SetRoundSetupRequest.schema.core,
        GetScorecardRequest.schema.core, Scorecard.schema.core, KeptOperation.schema.core,
      ],
      enums: [
        RoundStatus.schema
      ],
      services: [Rounds.schema]),
    ProtoFile(
      path: "quiver/v1/leaderboard.proto",
      dependencies: [path("watch")],
      messages: [
        RankKey.schema.core, TiePolicyInfo.schema.core, LeaderboardRow.schema.core,
        ListTiePoliciesRequest.schema.core, ListTiePoliciesResponse.schema.core,
        GetStandingsRequest.schema.core, GetStandingsResponse.schema.core,
        RankUnderPolicyRequest.schema.core, RankUnderPolicyResponse.schema.core,
        RankMove.schema.core, ExplainRankRequest.schema.core, ExplainRankResponse.schema.core,
        GetResultsRequest.schema.core, GetResultsResponse.schema.core,
        WatchLeaderboardRequest.schema.core, WatchLeaderboardResponse.schema.core,
      ],
      enums: [
        TiePolicy.schema, RankKeyKind.schema, ParticipantStatus.schema,
      ]),
    ProtoFile(
      path: "quiver/v1/tournament.proto",
      dependencies: [
        path("leaderboard"), path("round_format"), path("scoring"), path("watch"), path("wire"),
      ],
      messages: [
        TournamentEvent.schema.core, CreateTournamentRequest.schema.core,
        GetTournamentRequest.schema.core, ListTournamentsRequest.schema.core,
        ListTournamentsResponse.schema.core, UpdateTournamentRequest.schema.core,
        DeleteTournamentRequest.schema.core, DeleteTournamentResponse.schema.core,
        StartTournamentRequest.schema.core, PauseTournamentRequest.schema.core,
        FinaliseTournamentRequest.schema.core, ReopenTournamentRequest.schema.core,
        CancelTournamentRequest.schema.core, Participant.schema.core,
        JoinTournamentRequest.schema.core, AddGuestRequest.schema.core,
        AddEntriesRequest.schema.core, EntryDraft.schema.core, AddEntriesResponse.schema.core,
        ListParticipantsRequest.schema.core, ListParticipantsResponse.schema.core,
        WithdrawParticipantRequest.schema.core, DisqualifyParticipantRequest.schema.core,
        ReinstateParticipantRequest.schema.core, AppointScorerRequest.schema.core,
        Scorer.schema.core, DismissScorerRequest.schema.core, DismissScorerResponse.schema.core,
        ListScorersRequest.schema.core, ListScorersResponse.schema.core,
        GetSpectatorTokenRequest.schema.core, GetSpectatorTokenResponse.schema.core,
        ListLateOperationsRequest.schema.core, ListLateOperationsResponse.schema.core,
        LateOperation.schema.core, AdmitOperationsRequest.schema.core,
        RejectOperationsRequest.schema.core, RejectOperationsResponse.schema.core,
        SyncOperationsRequest.schema.core, SyncOperationsResponse.schema.core,
        WatchTournamentRequest.schema.core, WatchTournamentResponse.schema.core,
      ],
      enums: [
        TournamentStatus.schema, ParticipantKind.schema,
      ],
      services: [Tournament.schema]),
  ]

  private static func path(_ name: String) -> String { "quiver/v1/\(name).proto" }
}
