// Made from Protos/ by protoc_gen_quiver_js.py; do not edit.


/**
 * The service Admin.
 * @typedef {object} AdminService
 * @property {import("./stubs.js").Called<import("./messages.js").CreatePrincipalRequest, import("./messages.js").Principal>} createPrincipal Creates a user, a service or an administrator.
 * @property {import("./stubs.js").Called<import("./messages.js").ListPrincipalsRequest, import("./messages.js").ListPrincipalsResponse>} listPrincipals By id, ascending.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateTokenRequestInit, import("./messages.js").CreateTokenResponse>} createToken Creates a token of a principal and returns it, once.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTokensRequestInit, import("./messages.js").ListTokensResponse>} listTokens By id, newest first, including revoked tokens.
 * @property {import("./stubs.js").Called<import("./messages.js").RevokeTokenRequestInit, import("./messages.js").Token>} revokeToken Closes the token's connections within a second.
 * @property {import("./stubs.js").Called<import("./messages.js").GetPrincipalRequestInit, import("./messages.js").Principal>} getPrincipal Returns one principal.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdatePrincipalRequestInit, import("./messages.js").Principal>} updatePrincipal A stale revision is ABORTED with the current principal as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").DisablePrincipalRequestInit, import("./messages.js").Principal>} disablePrincipal Rejects the principal's tokens and closes its connections within a second. The last administrator is FAILED_PRECONDITION. Disabling a disabled principal changes nothing.
 * @property {import("./stubs.js").Called<import("./messages.js").EnablePrincipalRequestInit, import("./messages.js").Principal>} enablePrincipal Accepts the principal's tokens again.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateInviteRequestInit, import("./messages.js").CreateInviteResponse>} createInvite Creates an invite and returns its code, once.
 * @property {import("./stubs.js").Called<import("./messages.js").ListInvitesRequest, import("./messages.js").ListInvitesResponse>} listInvites By id, newest first, including expired and used ones.
 * @property {import("./stubs.js").Called<import("./messages.js").RevokeInviteRequestInit, import("./messages.js").Invite>} revokeInvite Revoking a revoked invite changes nothing.
 * @property {import("./stubs.js").Called<import("./messages.js").ListConnectionsRequest, import("./messages.js").ListConnectionsResponse>} listConnections The open connections, by id, ascending; at most 10,000.
 * @property {import("./stubs.js").Called<import("./messages.js").VerifyRequest, import("./messages.js").VerifyResponse>} verify Checks the stored data: pages, the hash chain of the audit log, the journal, counts. It may take seconds while other calls continue. One verification runs at a time.
 * @property {import("./stubs.js").Called<import("./messages.js").GrantActingRequestInit, import("./messages.js").ActingGrant>} grantActing Allows a service to act for a user: calls with the user's id in the metadata key quiver-user have the user's permission and idempotency keys. Granting it again with other scopes replaces these, and ends the streams that they no longer include.
 * @property {import("./stubs.js").Called<import("./messages.js").RevokeActingRequestInit, import("./messages.js").ActingGrant>} revokeActing Takes effect from the next call. A grant that does not exist is NOT_FOUND.
 * @property {import("./stubs.js").Called<import("./messages.js").ListActingGrantsRequestInit, import("./messages.js").ListActingGrantsResponse>} listActingGrants In the order of creation.
 * @property {import("./stubs.js").Called<import("./messages.js").BindCertificateRequestInit, import("./messages.js").CertificateBinding>} bindCertificate Lets a client certificate with this name call as the principal. The same binding again returns the one that exists; a name of another principal is ALREADY_EXISTS.
 * @property {import("./stubs.js").Called<import("./messages.js").ListCertificateBindingsRequestInit, import("./messages.js").ListCertificateBindingsResponse>} listCertificateBindings Newest first.
 * @property {import("./stubs.js").Called<import("./messages.js").RemoveCertificateBindingRequestInit, import("./messages.js").CertificateBinding>} removeCertificateBinding Closes the connections that use it.
 * @property {import("./stubs.js").Called<import("./messages.js").BackupRequest, import("./messages.js").BackupResponse>} backup Copies the whole database into a new file on the server while other calls continue, and checks every page of the copy. An existing file is ALREADY_EXISTS. One backup runs at a time. Cancelling the call removes the incomplete copy.
 * @property {import("./stubs.js").Called<import("./messages.js").ListBackupsRequest, import("./messages.js").ListBackupsResponse>} listBackups The backups that the server makes by itself (quiverd --backup-directory), newest first, at most 1,000, and when the next one is due. FAILED_PRECONDITION if it makes none.
 * @property {import("./stubs.js").Called<import("./messages.js").ListLimitsRequestInit, import("./messages.js").ListLimitsResponse>} listLimits The limits of the server with their values, and what uses them now; or the quotas of one principal with its usage.
 * @property {import("./stubs.js").Called<import("./messages.js").ListLongWorkRequest, import("./messages.js").ListLongWorkResponse>} listLongWork The backups, verifications, imports, exports and erasures that run now, oldest first.
 * @property {import("./stubs.js").Called<import("./messages.js").ListAuditRequestInit, import("./messages.js").ListAuditResponse>} listAudit Who changed what and when, newest first. A page can have fewer rows than its size, or none, although another one follows.
 * @property {import("./stubs.js").Called<import("./messages.js").GetServerStatusRequest, import("./messages.js").ServerStatus>} getServerStatus What the server does now, and what it has done since it started.
 * @property {import("./stubs.js").Called<import("./messages.js").TransferTournamentRequestInit, import("./messages.js").TransferTournamentResponse>} transferTournament Makes a user the organiser of an event whose organiser was disabled or deleted; of another event FAILED_PRECONDITION. The same organiser again changes nothing.
 */

/**
 * A session groups the rounds of archers who shoot together. A tournament has a session, and these methods read
 * its scores too. A round belongs to exactly one participant. Only the owner sees a practice session. A request
 * names an object by its id or by its client_id, not both.
 * @typedef {object} RoundsService
 * @property {import("./stubs.js").Called<import("./messages.js").ListFormatsRequest, import("./messages.js").ListFormatsResponse>} listFormats Lists the formats of the library and the caller's own formats.
 * @property {import("./stubs.js").Called<import("./messages.js").GetFormatRequestInit, import("./messages.js").RoundFormat>} getFormat Returns one format.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateFormatRequestInit, import("./messages.js").RoundFormat>} createFormat Creates a custom format; at most 200 per principal.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteFormatRequestInit, import("./messages.js").DeleteFormatResponse>} deleteFormat Removes a custom format from the list. Rounds that use it keep it.
 * @property {import("./stubs.js").Called<import("./messages.js").ListFacesRequest, import("./messages.js").ListFacesResponse>} listFaces Lists all target faces with their values and rings.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateSessionRequestInit, import("./messages.js").ShootingSession>} createSession Creates a practice session with the owner's round and those of up to 3 guests, all PLANNED; or with a round of a list, which is COMPLETED and has sums and no arrows.
 * @property {import("./stubs.js").Called<import("./messages.js").GetSessionRequestInit, import("./messages.js").ShootingSession>} getSession Returns one session with its rounds.
 * @property {import("./stubs.js").Called<import("./messages.js").ListSessionsRequest, import("./messages.js").ListSessionsResponse>} listSessions Newest first (by id): practice sessions, and tournaments on request.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteSessionRequestInit, import("./messages.js").DeleteSessionResponse>} deleteSession Deletes a practice session with its rounds and arrows.
 * @property {import("./stubs.js").Called<import("./messages.js").AddSessionGuestRequestInit, import("./messages.js").ShootingSession>} addSessionGuest Adds a guest to a practice session; at most 3.
 * @property {import("./stubs.js").Called<import("./messages.js").SetRoundStatusRequestInit, import("./messages.js").Round>} setRoundStatus Pauses, resumes, completes or cancels a round of a practice session.
 * @property {import("./stubs.js").Called<import("./messages.js").GetScorecardRequestInit, import("./messages.js").Scorecard>} getScorecard One participant's round with its arrows by slot, also in a tournament that the caller may see.
 * @property {import("./stubs.js").Called<import("./messages.js").SetRoundSetupRequestInit, import("./messages.js").Round>} setRoundSetup Sets the setup of the owner's round. Rounds of guests have no setup.
 * @property {import("./stubs.js").Called<import("./messages.js").GetPersonalBestsRequest, import("./messages.js").GetPersonalBestsResponse>} getPersonalBests The caller's best score in each format, by bowstyle: of completed rounds with all their arrows. Rounds of guests do not count, nor events in which the caller withdrew or was disqualified.
 * @property {import("./stubs.js").Called<import("./messages.js").GetRunningHandicapRequestInit, import("./messages.js").GetRunningHandicapResponse>} getRunningHandicap The caller's running handicap by Archery GB's rule (SAP7, 2023), for each bowstyle and place of its own. The first one is the mean of the handicaps of a season's first three rounds. A better round lowers it to the mean of both; it never rises within a season. At the end of a season it becomes the mean of the season's three best rounds; a season with fewer rounds leaves it. Means are rounded up. Seasons begin on 1 January, indoors on 1 July. Completed whole rounds of Archery GB and World Archery count, by the day of their first arrow in the profile's zone.
 * @property {import("./stubs.js").Called<import("./messages.js").SetSessionConditionsRequestInit, import("./messages.js").ShootingSession>} setSessionConditions Replaces the conditions of a practice session. Comparisons use as strata what all compared rounds state.
 * @property {import("./stubs.js").Called<import("./messages.js").RecordArrowRequestInit, import("./messages.js").ScoreResponse>} recordArrow Stores one arrow. A slot with another value is ABORTED with the ScoredArrow as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").RecordEndRequestInit, import("./messages.js").ScoreResponse>} recordEnd Stores the arrows of one end: all of them or none.
 * @property {import("./stubs.js").Called<import("./messages.js").CorrectArrowRequestInit, import("./messages.js").ScoreResponse>} correctArrow Replaces the value of a filled slot.
 * @property {import("./stubs.js").Called<import("./messages.js").RetractArrowRequestInit, import("./messages.js").ScoreResponse>} retractArrow Empties a filled slot.
 * @property {import("./stubs.js").Called<import("./messages.js").ApplyOperationsRequestInit, import("./messages.js").ApplyOperationsResponse>} applyOperations Applies up to 1,000 operations, each with a verdict of its own.
 */

/**
 * The service Account.
 * @typedef {object} AccountService
 * @property {import("./stubs.js").Called<import("./messages.js").WhoAmIRequest, import("./messages.js").WhoAmIResponse>} whoAmI Returns the caller's principal, the scopes of its token, and the store's epoch.
 * @property {import("./stubs.js").Called<import("./messages.js").GetProfileRequest, import("./messages.js").Profile>} getProfile Returns the caller's profile. Its fields are empty until the caller sets them.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateProfileRequestInit, import("./messages.js").Profile>} updateProfile A stale revision is ABORTED with the current profile as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").GetPreferencesRequest, import("./messages.js").GetPreferencesResponse>} getPreferences All preferences, by key.
 * @property {import("./stubs.js").Called<import("./messages.js").SetPreferenceRequestInit, import("./messages.js").Preference>} setPreference Replaces the value of a key. More than 200 keys are RESOURCE_EXHAUSTED.
 * @property {import("./stubs.js").Called<import("./messages.js").DeletePreferenceRequest, import("./messages.js").DeletePreferenceResponse>} deletePreference Deletes a preference. A key that does not exist is NOT_FOUND.
 * @property {import("./stubs.js").Called<import("./messages.js").RedeemInviteRequest, import("./messages.js").RedeemInviteResponse>} redeemInvite Creates a user and its token. Needs no token. After 10 wrong codes of a caller (a principal, or the address of an anonymous one) within a minute, further wrong codes are RESOURCE_EXHAUSTED until the minute is over, and so are codes of 8 characters, which can be guessed. A valid code of 16 characters is always accepted.
 * @property {import("./stubs.js").Called<import("./messages.js").RotateTokenRequestInit, import("./messages.js").RotateTokenResponse>} rotateToken Replaces the token of this connection with a new one of the same label, scopes and expiry. The old token stays valid for overlap_ms, so that all programs that use it can be given the new one; then its connections are closed. A caller without a token of its own is FAILED_PRECONDITION, and a service that acts for a user PERMISSION_DENIED. More than 10,000 tokens of one principal, those that ended in the last 90 days included, are RESOURCE_EXHAUSTED. A repeated call with the same idempotency key is FAILED_PRECONDITION, since tokens are not stored: call again with another key while the old token is valid.
 * @property {import("./stubs.js").Called<import("./messages.js").GetUsageRequest, import("./messages.js").Usage>} getUsage What the caller stores, and its limits. At a limit, calls that store something are RESOURCE_EXHAUSTED, with a text that begins with the limit's name; calls that delete are accepted. What is deleted counts until its row is removed: at once, for weight entries after 30 days; a client_id counts permanently. Only a caller at stored_bytes_per_minute receives retry_after_ms.
 * @property {import("./stubs.js").Called<import("./messages.js").GetIntroductionCodeRequest, import("./messages.js").IntroductionCode>} getIntroductionCode Returns a code that the caller shows to an organiser, who can then appoint it (Events.SetEventOfficial, Tournament.AppointScorer). Codes are not stored, and end by themselves.
 * @property {import("./stubs.js").Called<import("./messages.js").ShareDataRequestInit, import("./messages.js").Share>} shareData Lets another principal read parts of the caller's data until the end of a day, in the caller's time zone. The reader names the caller in the metadata key quiver-user of its calls: it may call the methods that show these parts (PROTOCOL.md, section 1.1), change nothing, and pass nothing on. Other calls, and all calls after the end, are PERMISSION_DENIED. A share with the same reader gets the new parts and day. The own code, no part, and a day that is over or more than 731 days ahead are INVALID_ARGUMENT; the code of a deleted account or of a service is FAILED_PRECONDITION. At most 200 shares of one owner and 500 of one reader. Two users may share with each other.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateShareInviteRequest, import("./messages.js").CreateShareInviteResponse>} createShareInvite Makes an invitation to read parts of the caller's data. Its code is shown once, is valid for 7 days and for one principal; at most 100 wait. A repeated call with the same idempotency key is FAILED_PRECONDITION, since codes are not stored.
 * @property {import("./stubs.js").Called<import("./messages.js").AcceptShareInviteRequest, import("./messages.js").Share>} acceptShareInvite Accepts an invitation by its code: the caller may read what it names, and the code ends. Wrong codes are limited as those of RedeemInvite.
 * @property {import("./stubs.js").Called<import("./messages.js").EndShareInviteRequestInit, import("./messages.js").ShareInvite>} endShareInvite Ends an invitation of the caller that nobody has accepted.
 * @property {import("./stubs.js").Called<import("./messages.js").ListShareInvitesRequest, import("./messages.js").ListShareInvitesResponse>} listShareInvites Lists the invitations of the caller that wait, without their codes, in the order of creation.
 * @property {import("./stubs.js").Called<import("./messages.js").ListSharesRequest, import("./messages.js").ListSharesResponse>} listShares Lists what the caller shares and what others share with it, as far as it is in force, in the order of creation.
 * @property {import("./stubs.js").Called<import("./messages.js").EndShareRequestInit, import("./messages.js").Share>} endShare Ends a share, by the one who gave it or by the one who received it. Its open streams end PERMISSION_DENIED.
 * @property {import("./stubs.js").Called<import("./messages.js").GetSquadRequest, import("./messages.js").GetSquadResponse>} getSquad What the archers who share with the caller have shot and changed in the last weeks, each as far as its share goes, in the order in which they began to share. A page is one state. Body weight is never part of it.
 * @property {import("./stubs.js").Called<import("./messages.js").ExportMyDataRequest, import("./messages.js").ExportMyDataResponse>} exportMyData All data of the caller, page by page, in this order: the profile, preferences, items of equipment by id, bow setups by id with each version from the first to the latest, sight marks by id, custom round formats by id, practice sessions by id (ShootingSession, with their notes), events that the caller organises by id (TournamentEvent), scorecards of the caller, its guests and the entries of its events with all arrows and their history, the operations that the caller admitted or rejected as an organiser (KeptOperation), the weight plan, weight entries by id (those with deleted_at_ms can be restored), sets of strength by exercise; then by event the categories, sessions and elimination stages of events that the caller organises, the roles of the caller and those in its events (EventOfficial), entries of the caller, its guests and its events with their bibs and clubs (EventEntry), the matches of these entries with both cards (EliminationMatch), and their second cards with confirmations (ComparedCard; of another archer only what the caller confirmed; with the drawings of the caller alone), leases of the caller's devices (TargetLease), how ties of these archers, or by the caller, were decided (DecideTieRequest), notices and pauses of the caller (EventNotice, ShootingPause), totals that the caller typed or that are of these archers' cards (TypedTotal); then tokens, bindings of certificates and invites without their secrets (Token, CertificateBinding, Invite), as AuditEntry what the caller did with a device or for a reason, for which reasons others changed its cards, entries, matches and events, without their devices and tokens, and what was done with its shares; then what it shares and what others share with it (Share), and its invitations to that without their codes (ShareInvite). To restore the data on another server, send each record to the Create method of its type, with its client_id, then archive the archived ones. Send setups from their first version to their latest, with the new ids of the items or their client_ids. Ids, revisions and times of the records are those of this server, and Create methods ignore them. Deleted items that an old version contains are not among the records. A page can have no records although another follows.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteMyAccountRequest, import("./messages.js").DeleteMyAccountResponse>} deleteMyAccount Erases the caller's profile, preferences, equipment, setups, sight marks, body weight and strength, revokes its tokens and closes its connections. This cannot be undone. Scores stay under a neutral name and without texts, because leaderboards depend on them, and the principal's id stays for the audit log. An event that the caller organises gets a neutral name, as do its entries. Its scorer with the lowest id whose account is active becomes its organiser; without one it is closed: an open event is cancelled, one in progress is finalised. A large account is erased in steps after the reply, which a restart of the server continues; the tokens are revoked at once. At the end no row of the database and no entry of its log has a text of the caller. Unused bytes of the database file can have some until they are written again, and backups that were made before keep theirs. Kept replies of others that have one of the caller's names are removed: a repeated call with the same idempotency key is then FAILED_PRECONDITION. The last administrator is FAILED_PRECONDITION. Deleting a deleted account returns the same answer.
 */

/**
 * Statistics use the caller's own arrows with scored_at in the range (start inclusive, end exclusive), of rounds
 * that name a setup. A round that straddles an end of the range counts as a round, with its arrows in the range.
 * COMPLETED rounds count, IN_PROGRESS and PAUSED rounds on request; cancelled rounds and rounds of guests never
 * count. Each call shows one state of the store.
 * @typedef {object} ComparisonService
 * @property {import("./stubs.js").Called<import("./messages.js").ListComparableSetupsRequest, import("./messages.js").ListComparableSetupsResponse>} listComparableSetups The setups that can be compared: active ones, by shown name ignoring case, then by id.
 * @property {import("./stubs.js").Called<import("./messages.js").GetSetupPerformanceRequestInit, import("./messages.js").PerformanceResponse>} getSetupPerformance Returns the statistics of one bow setup.
 * @property {import("./stubs.js").Called<import("./messages.js").GetItemPerformanceRequestInit, import("./messages.js").PerformanceResponse>} getItemPerformance Of one item of equipment: over the rounds of all setup versions that contain it.
 * @property {import("./stubs.js").Called<import("./messages.js").CompareRequestInit, import("./messages.js").CompareResponse>} compare Compares two to four setups, every pair of them.
 * @property {import("./stubs.js").Called<import("./messages.js").GetArrowNumbersRequestInit, import("./messages.js").GetArrowNumbersResponse>} getArrowNumbers Statistics of the first, second, third … arrow of an end, or of each numbered shaft.
 * @property {import("./stubs.js").Called<import("./messages.js").GetRangeRequest, import("./messages.js").RangeChoice>} getRange The range that the caller chose last; thirty days if none was chosen.
 * @property {import("./stubs.js").Called<import("./messages.js").SetRangeRequestInit, import("./messages.js").RangeChoice>} setRange Stores the range that requests without one use.
 * @property {import("./stubs.js").Called<import("./messages.js").GetHandicapScoreRequestInit, import("./messages.js").GetHandicapScoreResponse>} getHandicapScore The score of a handicap in a round, by the Archery GB tables of 2023.
 * @property {import("./stubs.js").Called<import("./messages.js").GetScoreHandicapRequestInit, import("./messages.js").GetScoreHandicapResponse>} getScoreHandicap The handicap of a score: the largest whose table score equals it, else the smallest whose table score is not above it.
 * @property {import("./stubs.js").Called<import("./messages.js").GetClassificationRequestInit, import("./messages.js").GetClassificationResponse>} getClassification The classes of Archery GB that a round gives to a category, and the class of a score: SAP7 of 2023 for target archery, of 2025 for the field. A class stands for a handicap; a round gives it from the score that the tables have for that handicap, if the round is long enough and, for the master tier, one of its rounds. Only whole target rounds of Archery GB and World Archery and the field rounds of World Archery give classes; others are INVALID_ARGUMENT, as is a bowstyle, gender or age group that neither the request nor the profile has.
 */

/**
 * The service Diagnostics.
 * @typedef {object} DiagnosticsService
 * @property {import("./stubs.js").Called<import("./messages.js").EchoMessageInit, import("./messages.js").EchoMessage>} echo Returns the request.
 * @property {import("./stubs.js").Called<import("./messages.js").EchoMessageInit, import("./messages.js").EchoMessage>} echoAsync The same with an async handler that does not suspend.
 * @property {import("./stubs.js").Called<import("./messages.js").DelayRequest, import("./messages.js").DelayResponse>} delay Answers after a delay; ends early if the call is cancelled.
 * @property {import("./stubs.js").Called<import("./messages.js").FailRequestInit, import("./messages.js").FailResponse>} fail Fails with the requested status.
 * @property {import("./stubs.js").Called<import("./messages.js").EchoMessageInit, import("./messages.js").EchoMessage>} echoMetadata Returns the request, with the request's metadata as initial and as trailing metadata.
 * @property {import("./stubs.js").Called<import("./messages.js").ConnectionsRequest, import("./messages.js").ConnectionsResponse>} connections The open connections of the caller's principal.
 */

/**
 * A stage starts from the ranking of a category. Its matches are shot after the qualification, also while the
 * event is finalised; in a cancelled event nothing changes. A private event is NOT_FOUND for callers who have no
 * part in it; a caller without the role is PERMISSION_DENIED. A refused call changes nothing.
 * @typedef {object} EliminationService
 * @property {import("./stubs.js").Called<import("./messages.js").CutCategoryRequestInit, import("./messages.js").EliminationBracket>} cutCategory Cuts a category and draws the bracket; at most 4 stages a category. Everybody who is ranked must have shot all arrows, or the event be finalised. A tie across the cut is FAILED_PRECONDITION until DecideTie has decided it; other ties are broken by lot. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").DecideTieRequestInit, import("./messages.js").DecideTieResponse>} decideTie Records how the tie of all archers who share a rank was decided, after they have shot all arrows. Their places in standings and in later cuts follow it. If a correction changes their keys, or adds somebody to the tie, they share the rank again. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ListStagesRequestInit, import("./messages.js").ListStagesResponse>} listStages Lists the elimination stages of an event. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").GetBracketRequestInit, import("./messages.js").EliminationBracket>} getBracket Returns a stage with all its matches and the ranks so far. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteStageRequestInit, import("./messages.js").DeleteStageResponse>} deleteStage Deletes a stage in which nothing was recorded. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").GetMatchRequestInit, import("./messages.js").EliminationMatch>} getMatch Returns a match with its two cards. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").ApplyMatchOperationsRequestInit, import("./messages.js").ApplyMatchOperationsResponse>} applyMatchOperations Applies up to 50 operations on cards, each with a verdict of its own. An operation that was applied before is SAME. By organisers, judges and scorers of the event, by the archer of the card or a member of its team, and by the scorer to whom one of these is assigned. Only organisers and judges mark a shoot-off as closer. One caller may send 500 operations on a match, which count for its quota.
 * @property {import("./stubs.js").Called<import("./messages.js").ConfirmMatchCardRequestInit, import("./messages.js").EliminationMatch>} confirmMatchCard Confirms one card of a match that is decided. When both are confirmed, the bracket advances. By callers who may score the card.
 * @property {import("./stubs.js").Called<import("./messages.js").ForfeitMatchRequestInit, import("./messages.js").EliminationMatch>} forfeitMatch Records that a side does not shoot, or stopped. The match is decided, and both cards are confirmed. The other side can forfeit too until a later match has scores: then neither side advances. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ReopenMatchRequestInit, import("./messages.js").EliminationMatch>} reopenMatch Revokes confirmations and forfeits. Later matches in which something was recorded are FAILED_PRECONDITION, unless they are voided. By an organiser or a judge.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchBracketRequestInit, import("./messages.js").WatchBracketResponse>} watchBracket Sends a bracket, then its changed matches. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").PlaceMatchesRequestInit, import("./messages.js").EliminationBracket>} placeMatches Gives the matches of a round, without byes, targets from the first one on and a start; those of the match for bronze come before those for gold. A target that another match of the event has at that start is FAILED_PRECONDITION. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").PlaceMatchRequestInit, import("./messages.js").EliminationMatch>} placeMatch Gives one match its targets and its start, by the same rules. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").CutTeamsRequestInit, import("./messages.js").EliminationBracket>} cutTeams Cuts the teams of clubs or countries by the sums of their best archers, and draws the bracket. The rules of CutCategory hold; teams that share the rank across the cut are named in tie_order. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").SubstituteTeamMemberRequestInit, import("./messages.js").EliminationBracket>} substituteTeamMember Replaces a member of a team that has not begun to shoot by a ranked archer of the same club or country and category who is in no team of the stage. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").DrawGroupsRequestInit, import("./messages.js").EliminationBracket>} drawGroups Cuts a category by the rules of CutCategory, and draws round-robin groups; at most 256 matches. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").CutGroupsRequestInit, import("./messages.js").EliminationBracket>} cutGroups Draws a bracket of the best of each group, when all matches of the groups are confirmed: the winners first. Archers who are equal in a group are ordered by seed. By an organiser.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchMatchRequestInit, import("./messages.js").WatchMatchResponse>} watchMatch Sends a match with its two cards, then again after each change. A spectator's token may call it.
 */

/**
 * All objects belong to the caller; an object of another principal is NOT_FOUND. An invalid value is
 * INVALID_ARGUMENT with the path of its field, and nothing is stored. A request names an object by its id or by
 * its client_id, not both. Creating an object again with the same client_id and the same content returns the
 * existing object; with other content it is ALREADY_EXISTS. An update or deletion that names a revision other
 * than the current one is ABORTED with the current object as a detail.
 * @typedef {object} EquipmentService
 * @property {import("./stubs.js").Called<import("./messages.js").GetHubRequest, import("./messages.js").GetHubResponse>} getHub The number of items of each type, in one snapshot. The cost does not depend on the number of items.
 * @property {import("./stubs.js").Called<import("./messages.js").ListItemsRequest, import("./messages.js").ListItemsResponse>} listItems The caller's items of one type or of all types, newest first (by id). Archived items are included on request.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchHubRequest, import("./messages.js").WatchHubResponse>} watchHub The hub, sent again whenever it may have changed. A slow reader receives only the latest state.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchItemsRequest, import("./messages.js").WatchItemsResponse>} watchItems The items of ListItems, then their changes, coalesced by item.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchBowSetupsRequest, import("./messages.js").WatchBowSetupsResponse>} watchBowSetups The setups of ListBowSetups, then their changes, coalesced by setup.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateRiserRequestInit, import("./messages.js").Riser>} createRiser
 * @property {import("./stubs.js").Called<import("./messages.js").GetRiserRequestInit, import("./messages.js").Riser>} getRiser
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateRiserRequestInit, import("./messages.js").Riser>} updateRiser
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteRiserRequestInit, import("./messages.js").DeleteRiserResponse>} deleteRiser
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveRiserRequestInit, import("./messages.js").Riser>} archiveRiser
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreRiserRequestInit, import("./messages.js").Riser>} restoreRiser
 * @property {import("./stubs.js").Called<import("./messages.js").CreateLimbsRequestInit, import("./messages.js").Limbs>} createLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").GetLimbsRequestInit, import("./messages.js").Limbs>} getLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateLimbsRequestInit, import("./messages.js").Limbs>} updateLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteLimbsRequestInit, import("./messages.js").DeleteLimbsResponse>} deleteLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveLimbsRequestInit, import("./messages.js").Limbs>} archiveLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreLimbsRequestInit, import("./messages.js").Limbs>} restoreLimbs
 * @property {import("./stubs.js").Called<import("./messages.js").CreateSightRequestInit, import("./messages.js").Sight>} createSight
 * @property {import("./stubs.js").Called<import("./messages.js").GetSightRequestInit, import("./messages.js").Sight>} getSight
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateSightRequestInit, import("./messages.js").Sight>} updateSight
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteSightRequestInit, import("./messages.js").DeleteSightResponse>} deleteSight
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveSightRequestInit, import("./messages.js").Sight>} archiveSight
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreSightRequestInit, import("./messages.js").Sight>} restoreSight
 * @property {import("./stubs.js").Called<import("./messages.js").CreateRestRequestInit, import("./messages.js").Rest>} createRest
 * @property {import("./stubs.js").Called<import("./messages.js").GetRestRequestInit, import("./messages.js").Rest>} getRest
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateRestRequestInit, import("./messages.js").Rest>} updateRest
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteRestRequestInit, import("./messages.js").DeleteRestResponse>} deleteRest
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveRestRequestInit, import("./messages.js").Rest>} archiveRest
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreRestRequestInit, import("./messages.js").Rest>} restoreRest
 * @property {import("./stubs.js").Called<import("./messages.js").CreatePlungerRequestInit, import("./messages.js").Plunger>} createPlunger
 * @property {import("./stubs.js").Called<import("./messages.js").GetPlungerRequestInit, import("./messages.js").Plunger>} getPlunger
 * @property {import("./stubs.js").Called<import("./messages.js").UpdatePlungerRequestInit, import("./messages.js").Plunger>} updatePlunger
 * @property {import("./stubs.js").Called<import("./messages.js").DeletePlungerRequestInit, import("./messages.js").DeletePlungerResponse>} deletePlunger
 * @property {import("./stubs.js").Called<import("./messages.js").ArchivePlungerRequestInit, import("./messages.js").Plunger>} archivePlunger
 * @property {import("./stubs.js").Called<import("./messages.js").RestorePlungerRequestInit, import("./messages.js").Plunger>} restorePlunger
 * @property {import("./stubs.js").Called<import("./messages.js").CreateBowStringRequestInit, import("./messages.js").BowString>} createBowString
 * @property {import("./stubs.js").Called<import("./messages.js").GetBowStringRequestInit, import("./messages.js").BowString>} getBowString
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateBowStringRequestInit, import("./messages.js").BowString>} updateBowString
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteBowStringRequestInit, import("./messages.js").DeleteBowStringResponse>} deleteBowString
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveBowStringRequestInit, import("./messages.js").BowString>} archiveBowString
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreBowStringRequestInit, import("./messages.js").BowString>} restoreBowString
 * @property {import("./stubs.js").Called<import("./messages.js").CreateStabilizerRequestInit, import("./messages.js").Stabilizer>} createStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").GetStabilizerRequestInit, import("./messages.js").Stabilizer>} getStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateStabilizerRequestInit, import("./messages.js").Stabilizer>} updateStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteStabilizerRequestInit, import("./messages.js").DeleteStabilizerResponse>} deleteStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveStabilizerRequestInit, import("./messages.js").Stabilizer>} archiveStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreStabilizerRequestInit, import("./messages.js").Stabilizer>} restoreStabilizer
 * @property {import("./stubs.js").Called<import("./messages.js").CreateWeightRequestInit, import("./messages.js").Weight>} createWeight
 * @property {import("./stubs.js").Called<import("./messages.js").GetWeightRequestInit, import("./messages.js").Weight>} getWeight
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateWeightRequestInit, import("./messages.js").Weight>} updateWeight
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteWeightRequestInit, import("./messages.js").DeleteWeightResponse>} deleteWeight
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveWeightRequestInit, import("./messages.js").Weight>} archiveWeight
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreWeightRequestInit, import("./messages.js").Weight>} restoreWeight
 * @property {import("./stubs.js").Called<import("./messages.js").CreateArrowRequestInit, import("./messages.js").Arrow>} createArrow
 * @property {import("./stubs.js").Called<import("./messages.js").GetArrowRequestInit, import("./messages.js").Arrow>} getArrow
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateArrowRequestInit, import("./messages.js").Arrow>} updateArrow
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteArrowRequestInit, import("./messages.js").DeleteArrowResponse>} deleteArrow
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveArrowRequestInit, import("./messages.js").Arrow>} archiveArrow
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreArrowRequestInit, import("./messages.js").Arrow>} restoreArrow
 * @property {import("./stubs.js").Called<import("./messages.js").CreateAccessoryRequestInit, import("./messages.js").Accessory>} createAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").GetAccessoryRequestInit, import("./messages.js").Accessory>} getAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateAccessoryRequestInit, import("./messages.js").Accessory>} updateAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteAccessoryRequestInit, import("./messages.js").DeleteAccessoryResponse>} deleteAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").ArchiveAccessoryRequestInit, import("./messages.js").Accessory>} archiveAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreAccessoryRequestInit, import("./messages.js").Accessory>} restoreAccessory
 * @property {import("./stubs.js").Called<import("./messages.js").CreateSightMarkRequestInit, import("./messages.js").SightMark>} createSightMark Creates a mark of a sight or of a bow setup; at most 200 per owner.
 * @property {import("./stubs.js").Called<import("./messages.js").ListSightMarksRequestInit, import("./messages.js").ListSightMarksResponse>} listSightMarks All marks of one sight or one setup, by distance, then by id.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateSightMarkRequestInit, import("./messages.js").SightMark>} updateSightMark Changes the fields of a mark that the mask names. A stale revision is ABORTED with the current mark as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteSightMarkRequestInit, import("./messages.js").DeleteSightMarkResponse>} deleteSightMark Deletes a mark.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateBowSetupRequestInit, import("./messages.js").BowSetup>} createBowSetup Creates a setup with its first version; at most 500 setups per principal.
 * @property {import("./stubs.js").Called<import("./messages.js").GetBowSetupRequestInit, import("./messages.js").BowSetup>} getBowSetup The setup as it is now, or one of its versions.
 * @property {import("./stubs.js").Called<import("./messages.js").ListBowSetupsRequest, import("./messages.js").ListBowSetupsResponse>} listBowSetups By name, ignoring case, then by id. Inactive setups are included on request.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateBowSetupRequestInit, import("./messages.js").BowSetup>} updateBowSetup Changes the fields of a setup that the mask names. A change of components creates a version. A stale revision is ABORTED with the current setup as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteBowSetupRequestInit, import("./messages.js").DeleteBowSetupResponse>} deleteBowSetup Deletes its versions and sight marks too. Its items stay.
 * @property {import("./stubs.js").Called<import("./messages.js").CopyBowSetupRequestInit, import("./messages.js").BowSetup>} copyBowSetup Creates a setup with the same notes, components and sight marks. It is active and not the default.
 * @property {import("./stubs.js").Called<import("./messages.js").SetDefaultBowSetupRequestInit, import("./messages.js").BowSetup>} setDefaultBowSetup Makes it the default instead of the previous default.
 * @property {import("./stubs.js").Called<import("./messages.js").ActivateBowSetupRequestInit, import("./messages.js").BowSetup>} activateBowSetup Activates a setup: lists include it again.
 * @property {import("./stubs.js").Called<import("./messages.js").DeactivateBowSetupRequestInit, import("./messages.js").BowSetup>} deactivateBowSetup Hides it from lists that do not include inactive setups. A default setup is then no longer the default.
 * @property {import("./stubs.js").Called<import("./messages.js").AddBowSetupComponentRequestInit, import("./messages.js").BowSetup>} addBowSetupComponent Creates a version with one more item. An item of a type that occurs once replaces the previous one; an item that is already in the setup gets the new quantity.
 * @property {import("./stubs.js").Called<import("./messages.js").RemoveBowSetupComponentRequestInit, import("./messages.js").BowSetup>} removeBowSetupComponent Creates a version without one item.
 */

/**
 * An event is a tournament, and its entries are the tournament's participants: the calls of Tournament keep their
 * meaning. A participant without an entry of its own is in the first category, which has the format and the
 * policy of the event. Organisers change the structure while the event is OPEN or IN_PROGRESS. A private event is
 * NOT_FOUND for callers who have no part in it; a caller without the role is PERMISSION_DENIED. A refused call
 * changes nothing.
 * @typedef {object} EventsService
 * @property {import("./stubs.js").Called<import("./messages.js").CreateEventCategoryRequestInit, import("./messages.js").EventCategory>} createEventCategory Adds a category; at most 200 an event. A category with the same code, fields and format is returned as it is; another one with the code is ALREADY_EXISTS. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateEventCategoryRequestInit, import("./messages.js").EventCategory>} updateEventCategory Replaces the fields of a category at a revision; the format stays. The policy can be changed before the start. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteEventCategoryRequestInit, import("./messages.js").DeleteEventCategoryResponse>} deleteEventCategory Deletes a category without entries; not the first one. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventCategoriesRequestInit, import("./messages.js").ListEventCategoriesResponse>} listEventCategories Lists all categories of an event. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").AddQualificationRoundRequestInit, import("./messages.js").EventCategory>} addQualificationRound Adds a round to the qualification of a category: at most 8, shot in the same place, together a format. Totals, ties and cuts are those of all rounds. A round that begins before one with arrows, a category with an elimination, and an archer with a second card or a confirmation are FAILED_PRECONDITION, and so is the round of the event after the start. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").RemoveQualificationRoundRequestInit, import("./messages.js").EventCategory>} removeQualificationRound Removes a round of the qualification of a category, with the places in the last one. The only round, and one that has arrows or is before one with arrows, are FAILED_PRECONDITION. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ImportEventEntriesRequestInit, import("./messages.js").ImportEventEntriesResponse>} importEventEntries Adds participants without an account. An entry whose bib has an equal entry already is that one, so that a list can be imported again; a bib of another entry, or another session of the same entry, is ALREADY_EXISTS. A call that cannot be completed adds none. More than 25 are added in parts, as by AddEntries. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateEventEntryRequestInit, import("./messages.js").EventEntry>} updateEventEntry Changes the fields of an entry that the mask names. A category with another format can be set before the first arrow. Another session takes the place in its round away. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventEntriesRequestInit, import("./messages.js").ListEventEntriesResponse>} listEventEntries Lists entries by the id of their participant.
 * @property {import("./stubs.js").Called<import("./messages.js").SetEventEntryStateRequestInit, import("./messages.js").EventEntry>} setEventEntryState Checks an entry in, or notes that it did not start (before its first arrow) or did not finish (after the start of the event). By an organiser or a judge; ENTERED and CHECKED_IN, of an entry in one of these states, also by a helper at check-in.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateEventSessionRequestInit, import("./messages.js").EventSession>} createEventSession Adds a session: at most 100 an event, with at most 200 targets. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateEventSessionRequestInit, import("./messages.js").EventSession>} updateEventSession Replaces the fields of a session at a revision. Targets with entries stay. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteEventSessionRequestInit, import("./messages.js").DeleteEventSessionResponse>} deleteEventSession Deletes a session without entries. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventSessionsRequestInit, import("./messages.js").ListEventSessionsResponse>} listEventSessions Lists all sessions of an event by their start. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").SetSessionPlacesRequestInit, import("./messages.js").EventSession>} setSessionPlaces Sets which places of a session nobody gets, and which of its targets are for archers in wheelchairs first. Draws, PlaceEventEntry and imports leave blocked places free; a place that an entry has is FAILED_PRECONDITION. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").DrawTargetsRequestInit, import("./messages.js").DrawTargetsResponse>} drawTargets Draws the ranked entries of a session to its free places: all of them or, with too few places, none (INVALID_ARGUMENT). By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").PlaceEventEntryRequestInit, import("./messages.js").EventEntry>} placeEventEntry Moves an entry to a place, or removes its place; scores stay. A place of another entry is FAILED_PRECONDITION unless they are swapped. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").SetEventOfficialRequestInit, import("./messages.js").EventOfficial>} setEventOfficial Gives a principal a role, instead of the one that it has; at most 200 officials an event. It is named by the code that it shows (Account.GetIntroductionCode), or by its id if it and the caller have a part in one event. The id of anybody else is NOT_FOUND, unless the caller is an administrator. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").RemoveEventOfficialRequestInit, import("./messages.js").RemoveEventOfficialResponse>} removeEventOfficial Removes the role of a principal. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateOfficialCodeRequestInit, import("./messages.js").CreateOfficialCodeResponse>} createOfficialCode Appoints somebody who needs no account, and returns a code that works once within 7 days: SignInOfficial takes it. Whoever signs in by it may call what officials of an event may, in this event alone, until the role is removed (RemoveEventOfficial), nothing was called for 30 days, or the event is deleted. It counts as an official and as a device of the event. The code is shown once. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").SignInOfficialRequestInit, import("./messages.js").EventOfficial>} signInOfficial Signs in by a code of CreateOfficialCode, with a secret that the caller has made: qo_ and its base64url are the token of the official afterwards. The same secret gets the same answer, also when the code has been used. Wrong codes are limited like those of invites. By anybody who has the code.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventOfficialsRequestInit, import("./messages.js").ListEventOfficialsResponse>} listEventOfficials Lists all officials, without the organiser who created the event.
 * @property {import("./stubs.js").Called<import("./messages.js").GetCategoryStandingsRequestInit, import("./messages.js").GetCategoryStandingsResponse>} getCategoryStandings Returns the rows of a category, a session or a club, ranked among themselves, with the ties that Elimination.DecideTie has decided. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").GetEventProgressRequestInit, import("./messages.js").GetEventProgressResponse>} getEventProgress Returns the steps of the organiser's day with what is missing before each is done.
 * @property {import("./stubs.js").Called<import("./messages.js").GetTeamStandingsRequestInit, import("./messages.js").GetTeamStandingsResponse>} getTeamStandings Returns the teams of clubs or countries by the sums of their best archers. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").ApplyCardOperationsRequestInit, import("./messages.js").ApplyCardOperationsResponse>} applyCardOperations Applies up to 50 operations on second cards, each with a verdict of its own. An operation that was applied before is SAME. Each end is compared with the first card. By callers who may score the participant, and by organisers, judges and scorers of the event. A card that archer and scorer have confirmed, and an end on which a judge has ruled, do not change. A second card may have 1,000 operations.
 * @property {import("./stubs.js").Called<import("./messages.js").SetPaperTotalRequestInit, import("./messages.js").ComparedCard>} setPaperTotal Stores the total of a paper card, which an official types, instead of the one before, with tens and X or hits and golds. They are compared with the card; after both confirmations of each sum the lower one counts, by the rule of the event. By an official, but not by a helper at check-in; where the event says so (scorers_type_papers) also by who scores the first card, but not by its archer; these get the card without the arrows of the second one.
 * @property {import("./stubs.js").Called<import("./messages.js").GetComparedCardRequestInit, import("./messages.js").ComparedCard>} getComparedCard Returns both cards of a participant with their comparison. By callers who may see the event.
 * @property {import("./stubs.js").Called<import("./messages.js").ConfirmScoreCardRequestInit, import("./messages.js").ComparedCard>} confirmScoreCard Confirms a card that has all arrows of the round, and all ends of the second card if there is one; of an archer who did not finish, the arrows that were shot, and a second card with the ends that are full. The archer confirms with its own token, or a caller who may score confirms with the archer's signature. The scorer is a caller who may score and is not the archer. After both confirmations only a judge changes the card, and where the totals differ the rule set of the event decides. A change before that revokes a confirmation.
 * @property {import("./stubs.js").Called<import("./messages.js").RuleOnEndRequestInit, import("./messages.js").ComparedCard>} ruleOnEnd Rules on an end in dispute, once: the first card gets these arrows by corrections, and both cards stay on record. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ApplyEndRuleRequestInit, import("./messages.js").ComparedCard>} applyEndRule Changes the arrows of an end of the first card by a rule of shooting. The audit keeps what was there, and all arrows that were shot. FAILED_PRECONDITION where the card is confirmed, its sums are typed, or the event is finalised. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").MoveEndsRequestInit, import("./messages.js").MoveEndsResponse>} moveEnds Exchanges ends of two archers of an event on their first cards, or moves ends of one by one end, all or none: the same exchange again, and a move in the other direction, take it back. Both cards of these ends are compared again; a ruling on one does not hold any more. FAILED_PRECONDITION as for ApplyEndRule, and where the faces or the numbers of arrows differ. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ReopenScoreCardRequestInit, import("./messages.js").ComparedCard>} reopenScoreCard Takes the confirmations of a card back, with what the rule set decided after them: its corrections, except of arrows that a judge has corrected since, and a deduction. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ListCardDisputesRequestInit, import("./messages.js").ListCardDisputesResponse>} listCardDisputes Lists the ends in dispute. By callers who may see the event.
 * @property {import("./stubs.js").Called<import("./messages.js").SetTypedTotalRequestInit, import("./messages.js").TypedTotal>} setTypedTotal Stores the sums of a distance, or of the whole round, as a paper has them: they count instead of the arrows of that part, which are kept, compared and shown. A count that the paper does not have tells nobody apart. Another total of the part is ALREADY_EXISTS unless it is corrected with a reason. Sums that no arrows can have, and sums below what the arrows of the part show, are refused. While the event is IN_PROGRESS; a participant may have 100 with those that were corrected. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTypedTotalsRequestInit, import("./messages.js").ListTypedTotalsResponse>} listTypedTotals Lists typed totals. By an official, or of an archer by itself.
 * @property {import("./stubs.js").Called<import("./messages.js").RemoveTypedTotalRequestInit, import("./messages.js").RemoveTypedTotalResponse>} removeTypedTotal Removes a typed total, so that the arrows of its part count. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").SetEventLeasesRequestInit, import("./messages.js").SetEventLeasesResponse>} setEventLeases Demands leases in an event, or ends them: while they are demanded, a participant who has a place, and a match that has targets, are scored only by the device that holds the lease on the target; the first card and the second one have a lease each. By another device an operation is FAILED_PRECONDITION, unless it was stored before; while no device has joined it is NOT_YET. Judges correct without a lease. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTargetCodesRequestInit, import("./messages.js").ListTargetCodesResponse>} listTargetCodes Lists the codes of the targets of a session or of matches, for example for QR codes. By an organiser of an event that demands leases.
 * @property {import("./stubs.js").Called<import("./messages.js").JoinTargetRequestInit, import("./messages.js").JoinTargetResponse>} joinTarget Takes the lease on a card of a target, or renews it. By a caller with the code. With a token: for 4 hours; a lease of another device is FAILED_PRECONDITION until it expires, unless an organiser takes it over. Without a token and with device_secret: as the device with that secret, which is made with its first lease, for as long as the device may score; it takes over, where it asks to, from a device that has been silent for 3 minutes. It never has both cards of a target. At most 2,000 leases and 2,000 devices an event. Wrong codes are limited like those of invites.
 * @property {import("./stubs.js").Called<import("./messages.js").LeaveTargetRequestInit, import("./messages.js").LeaveTargetResponse>} leaveTarget Ends a lease. By its holder or an organiser. Where nobody has a lease, or the caller has lost its own, it changes nothing; the lease of another one is PERMISSION_DENIED.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTargetLeasesRequestInit, import("./messages.js").ListTargetLeasesResponse>} listTargetLeases Lists the leases of an event. By an official.
 * @property {import("./stubs.js").Called<import("./messages.js").SendEventNoticeRequestInit, import("./messages.js").EventNotice>} sendEventNotice Sends a notice to those who take part in an event in any state: archers, scorers, officials and devices with a lease. Those of a public event who do not take part see it only if it is public. The latest 50 of an event are kept; an 11th within a minute is RESOURCE_EXHAUSTED with retry_after_ms. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventNoticesRequestInit, import("./messages.js").ListEventNoticesResponse>} listEventNotices Lists the kept notices that the caller may see, newest first. Tournament.WatchTournament sends them, and each new one. A spectator's token may call it.
 * @property {import("./stubs.js").Called<import("./messages.js").PauseShootingRequestInit, import("./messages.js").ShootingPause>} pauseShooting Notes that nobody shoots from now on, for example because of lightning. Arrows are entered as before: Tournament.PauseTournament is what stops that. An event that is not IN_PROGRESS, or that is paused in this way, is FAILED_PRECONDITION; at most 200 an event. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ResumeShootingRequestInit, import("./messages.js").ShootingPause>} resumeShooting Ends the pause of the shooting; FAILED_PRECONDITION without one. Finalising and cancelling an event end it too. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").GetEventDocumentRequestInit, import("./messages.js").GetEventDocumentResponse>} getEventDocument Returns a part of a paper or a file of an event. Each part is read when it is asked for: what changes between two calls can be in one part and not in another. By callers who may see the event; licences are empty for those who are not officials.
 * @property {import("./stubs.js").Called<import("./messages.js").CreatePlateCodesRequestInit, import("./messages.js").CreatePlateCodesResponse>} createPlateCodes Returns the codes of plates: each names a target of the event all day, and JoinTarget finds the session or the match that is open there. The same codes until the organiser makes new ones (SetEventLeases), whether leases are demanded or not. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").EndDeviceRequestInit, import("./messages.js").EndDeviceResponse>} endDevice Ends a device: its leases end, and what it sends later is LATE for 7 days. By an organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventDevicesRequestInit, import("./messages.js").ListEventDevicesResponse>} listEventDevices Lists the devices of an event. By an official.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchTargetsRequestInit, import("./messages.js").WatchTargetsResponse>} watchTargets Sends what the caller's leases show: who shoots there, the cards, matches, the state of the event, notices, pauses and calls; then their changes. By the holder of a lease in the event; who loses all leases gets all_targets without targets, and nothing after it.
 * @property {import("./stubs.js").Called<import("./messages.js").RaiseTargetCallRequestInit, import("./messages.js").TargetCall>} raiseTargetCall Calls an official to a target; at most 10 open calls a target, and 5,000 calls an event. By the holder of a lease on the target, and by officials.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTargetCallsRequestInit, import("./messages.js").ListTargetCallsResponse>} listTargetCalls Lists the calls of an event: for officials all, for others those from targets that they lease.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchTargetCallsRequestInit, import("./messages.js").WatchTargetCallsResponse>} watchTargetCalls Sends the open calls of an event, then each that is raised or resolved. By an official.
 * @property {import("./stubs.js").Called<import("./messages.js").ResolveTargetCallRequestInit, import("./messages.js").TargetCall>} resolveTargetCall Says what was decided of a call, once; the same decision again changes nothing. By an organiser or a judge.
 * @property {import("./stubs.js").Called<import("./messages.js").ReportDeviceRequestInit, import("./messages.js").ReportDeviceResponse>} reportDevice Says how the calling device is; shown to officials. By a device.
 * @property {import("./stubs.js").Called<import("./messages.js").DeliverOperationsRequest, import("./messages.js").DeliverOperationsResponse>} deliverOperations Stores what a device has recorded and could not send, as that device, whoever delivers it: by the ids of the operations it has its effect once, also if the device itself sends it later. Texts that no device of this server has signed are NOT_FOUND and limited like wrong codes of invites; so are those of a device that ended more than 7 days ago. By anybody who has the text.
 * @property {import("./stubs.js").Called<import("./messages.js").ListEventTemplatesRequest, import("./messages.js").ListEventTemplatesResponse>} listEventTemplates Lists events of usual kinds: their rounds, categories and matches. The answer is the same for all.
 */

/**
 * The service Health.
 * @typedef {object} HealthService
 * @property {import("./stubs.js").Called<import("./messages.js").HealthCheckRequest, import("./messages.js").HealthCheckResponse>} check Needs no token. An unknown service is NOT_FOUND.
 */

/**
 * All objects belong to the caller; an object of another principal is NOT_FOUND. An invalid value is
 * INVALID_ARGUMENT with the path of its field, and nothing is stored. A stale revision is ABORTED with the
 * current object as a detail. Month and weekday are those of an entry's stored civil day.
 * @typedef {object} LogbookService
 * @property {import("./stubs.js").Called<import("./messages.js").CreateWeightEntryRequestInit, import("./messages.js").WeightEntry>} createWeightEntry Creates an entry; at most 100,000 per principal.
 * @property {import("./stubs.js").Called<import("./messages.js").GetWeightEntryRequestInit, import("./messages.js").WeightEntry>} getWeightEntry Returns one entry, deleted or not.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateWeightEntryRequestInit, import("./messages.js").WeightEntry>} updateWeightEntry Changes the fields of an entry that the mask names.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteWeightEntryRequestInit, import("./messages.js").WeightEntry>} deleteWeightEntry The entry can be restored for 30 days.
 * @property {import("./stubs.js").Called<import("./messages.js").RestoreWeightEntryRequestInit, import("./messages.js").WeightEntry>} restoreWeightEntry Restores an entry that was deleted within the last 30 days.
 * @property {import("./stubs.js").Called<import("./messages.js").ListWeightEntriesRequest, import("./messages.js").ListWeightEntriesResponse>} listWeightEntries Newest first, by day, measured_at_ms and id.
 * @property {import("./stubs.js").Called<import("./messages.js").GetWeightSectionsRequest, import("./messages.js").GetWeightSectionsResponse>} getWeightSections By month, newest first. Values are computed over all entries before the filter is applied.
 * @property {import("./stubs.js").Called<import("./messages.js").GetWeightChartRequest, import("./messages.js").GetWeightChartResponse>} getWeightChart Daily means with a moving average, oldest first.
 * @property {import("./stubs.js").Called<import("./messages.js").SetWeightPlanRequestInit, import("./messages.js").WeightPlan>} setWeightPlan Replaces the plan from a start weight to a goal.
 * @property {import("./stubs.js").Called<import("./messages.js").GetWeightPlanRequest, import("./messages.js").WeightPlan>} getWeightPlan Returns the plan; NOT_FOUND without one.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteWeightPlanRequestInit, import("./messages.js").DeleteWeightPlanResponse>} deleteWeightPlan Deletes the plan. Deleting a deleted plan changes nothing.
 * @property {import("./stubs.js").Called<import("./messages.js").GetMilestonesRequest, import("./messages.js").GetMilestonesResponse>} getMilestones The milestones of the plan with the entries that reached them, and a prediction.
 * @property {import("./stubs.js").Called<import("./messages.js").ImportWeightsRequestInit, import("./messages.js").ImportWeightsResponse>} importWeights Adds the entries of a CSV text: all of them or none.
 * @property {import("./stubs.js").Called<import("./messages.js").ExportWeightsRequest, import("./messages.js").ExportWeightsResponse>} exportWeights Returns all entries as CSV, page by page, oldest first.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchWeightsRequest, import("./messages.js").WatchWeightsResponse>} watchWeights All entries in parts, then their changes.
 * @property {import("./stubs.js").Called<import("./messages.js").CreateSetRequestInit, import("./messages.js").LiftSet>} createSet Creates a set.
 * @property {import("./stubs.js").Called<import("./messages.js").GetSetRequestInit, import("./messages.js").LiftSet>} getSet Returns one set.
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateSetRequestInit, import("./messages.js").LiftSet>} updateSet Changes the fields of a set that the mask names.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteSetRequestInit, import("./messages.js").DeleteSetResponse>} deleteSet Deletes a set.
 * @property {import("./stubs.js").Called<import("./messages.js").ListSetsRequest, import("./messages.js").ListSetsResponse>} listSets Of one exercise, newest first.
 * @property {import("./stubs.js").Called<import("./messages.js").ListExercisesRequest, import("./messages.js").ListExercisesResponse>} listExercises By the bytes of their names, with the record and the latest maximum.
 * @property {import("./stubs.js").Called<import("./messages.js").GetLiftSeriesRequest, import("./messages.js").GetLiftSeriesResponse>} getLiftSeries A window of daily maxima.
 * @property {import("./stubs.js").Called<import("./messages.js").GetNearestLiftRequest, import("./messages.js").LiftPoint>} getNearestLift Returns the daily maximum nearest to a day.
 * @property {import("./stubs.js").Called<import("./messages.js").CompareFormulasRequest, import("./messages.js").CompareFormulasResponse>} compareFormulas Computes the one-rep max of a set by each formula, without storing anything.
 * @property {import("./stubs.js").Called<import("./messages.js").ExportSetsRequest, import("./messages.js").ExportSetsResponse>} exportSets Returns all sets as a log, page by page.
 * @property {import("./stubs.js").Called<import("./messages.js").GetTrainingLogRequest, import("./messages.js").GetTrainingLogResponse>} getTrainingLog Returns weight, sets and rounds by day.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchTrainingLogRequest, import("./messages.js").WatchTrainingLogResponse>} watchTrainingLog The days of a span, sent again whenever they may have changed.
 */

/**
 * The service Reflection.
 * @typedef {object} ReflectionService
 * @property {import("./stubs.js").Called<import("./messages.js").DescribeRequestInit, import("./messages.js").DescribeResponse>} describe Returns the files, messages and methods of the server.
 */

/**
 * A user may score for themself and for the guests that they added, the organiser for all participants, and an
 * appointed scorer for the participants assigned to them. Anyone else is PERMISSION_DENIED, and nothing changes.
 * A private event is NOT_FOUND for callers who have no part in it.
 * @typedef {object} TournamentService
 * @property {import("./stubs.js").Called<import("./messages.js").CreateTournamentRequestInit, import("./messages.js").TournamentEvent>} createTournament Creates an event with the caller as its organiser; at most 5,000 per principal.
 * @property {import("./stubs.js").Called<import("./messages.js").GetTournamentRequestInit, import("./messages.js").TournamentEvent>} getTournament Returns one event that the caller may see.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTournamentsRequest, import("./messages.js").ListTournamentsResponse>} listTournaments Lists the caller's events, those of its roles too, or all public ones, newest first (by id).
 * @property {import("./stubs.js").Called<import("./messages.js").UpdateTournamentRequestInit, import("./messages.js").TournamentEvent>} updateTournament Changes the fields of an event that the mask names; by the organiser. The format and the policy cannot be changed after the start.
 * @property {import("./stubs.js").Called<import("./messages.js").DeleteTournamentRequestInit, import("./messages.js").DeleteTournamentResponse>} deleteTournament Deletes an event without operations on cards or matches. Other events can be cancelled.
 * @property {import("./stubs.js").Called<import("./messages.js").StartTournamentRequestInit, import("./messages.js").TournamentEvent>} startTournament Starts an OPEN event, or resumes a paused one; by the organiser. An OPEN event in which nobody takes part is FAILED_PRECONDITION with the step as a detail (OpenEventSteps), unless anyway is set.
 * @property {import("./stubs.js").Called<import("./messages.js").PauseTournamentRequestInit, import("./messages.js").TournamentEvent>} pauseTournament Pauses an event; by the organiser. Operations are NOT_YET until the event resumes. A pause of the shooting, in which arrows are still entered, is Events.PauseShooting.
 * @property {import("./stubs.js").Called<import("./messages.js").FinaliseTournamentRequestInit, import("./messages.js").TournamentEvent>} finaliseTournament Finalises an event IN_PROGRESS; by the organiser. Later operations are stored as late. Matches without confirmation, missing second cards, cards without confirmation, ends in dispute and late operations, each where the event has any, and an event without participants are FAILED_PRECONDITION with these steps as a detail (OpenEventSteps), unless anyway is set. Arrows that were not shot are no obstacle.
 * @property {import("./stubs.js").Called<import("./messages.js").ReopenTournamentRequestInit, import("./messages.js").TournamentEvent>} reopenTournament Reopens a finalised event; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").CancelTournamentRequestInit, import("./messages.js").TournamentEvent>} cancelTournament Cancels an event; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").JoinTournamentRequestInit, import("./messages.js").Participant>} joinTournament Joins an event while it is OPEN and below capacity. After 10 failed codes within a minute, further ones of the address are RESOURCE_EXHAUSTED. Joining again returns the existing participant.
 * @property {import("./stubs.js").Called<import("./messages.js").AddGuestRequestInit, import("./messages.js").Participant>} addGuest Adds a guest of a participating user, while the event is OPEN or IN_PROGRESS.
 * @property {import("./stubs.js").Called<import("./messages.js").AddEntriesRequestInit, import("./messages.js").AddEntriesResponse>} addEntries Adds participants without an account while the event is OPEN or IN_PROGRESS; by the organiser. A call that cannot be completed adds none. More than 25 are added in parts: if the event changes meanwhile, or the server ends, a part of them may stay; sent again with its idempotency key, or with the entries' client_ids, the call completes.
 * @property {import("./stubs.js").Called<import("./messages.js").ListParticipantsRequestInit, import("./messages.js").ListParticipantsResponse>} listParticipants Lists participants by id.
 * @property {import("./stubs.js").Called<import("./messages.js").WithdrawParticipantRequestInit, import("./messages.js").Participant>} withdrawParticipant Withdraws a participant; by the participant, the user who added it, or the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").DisqualifyParticipantRequestInit, import("./messages.js").Participant>} disqualifyParticipant Disqualifies a participant; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ReinstateParticipantRequestInit, import("./messages.js").Participant>} reinstateParticipant Makes a withdrawn or disqualified participant ACTIVE again; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").AppointScorerRequestInit, import("./messages.js").Scorer>} appointScorer Allows a principal to score the named participants, which are assigned to this scorer only; by the organiser. Many are assigned in parts of about 50.
 * @property {import("./stubs.js").Called<import("./messages.js").DismissScorerRequestInit, import("./messages.js").DismissScorerResponse>} dismissScorer Ends the appointment of a scorer; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").ListScorersRequestInit, import("./messages.js").ListScorersResponse>} listScorers Lists all scorers of an event.
 * @property {import("./stubs.js").Called<import("./messages.js").GetSpectatorTokenRequest, import("./messages.js").GetSpectatorTokenResponse>} getSpectatorToken Returns a token for connections that only watch this public event, the same for an address within a minute. It needs no token. Failed codes count with those of JoinTournament.
 * @property {import("./stubs.js").Called<import("./messages.js").RecordArrowRequestInit, import("./messages.js").ScoreResponse>} recordArrow Stores one arrow. A slot with another value is ABORTED with the ScoredArrow as a detail.
 * @property {import("./stubs.js").Called<import("./messages.js").RecordEndRequestInit, import("./messages.js").ScoreResponse>} recordEnd Stores the arrows of one end: all of them or none.
 * @property {import("./stubs.js").Called<import("./messages.js").CorrectArrowRequestInit, import("./messages.js").ScoreResponse>} correctArrow Replaces the value of a filled slot.
 * @property {import("./stubs.js").Called<import("./messages.js").RetractArrowRequestInit, import("./messages.js").ScoreResponse>} retractArrow Empties a filled slot.
 * @property {import("./stubs.js").Called<import("./messages.js").ApplyOperationsRequestInit, import("./messages.js").ApplyOperationsResponse>} applyOperations Applies up to 1,000 operations, each with a verdict of its own.
 * @property {import("./stubs.js").Called<import("./messages.js").ListLateOperationsRequestInit, import("./messages.js").ListLateOperationsResponse>} listLateOperations Lists the operations that arrived after the event was finalised, oldest first; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").AdmitOperationsRequestInit, import("./messages.js").ApplyOperationsResponse>} admitOperations Applies late operations; by the organiser. An operation that can no longer be applied stays late, with its verdict.
 * @property {import("./stubs.js").Called<import("./messages.js").RejectOperationsRequestInit, import("./messages.js").RejectOperationsResponse>} rejectOperations Rejects late operations; by the organiser.
 * @property {import("./stubs.js").Called<import("./messages.js").GetStandingsRequestInit, import("./messages.js").GetStandingsResponse>} getStandings These five also with a spectator's token, for its event.
 * @property {import("./stubs.js").Called<import("./messages.js").RankUnderPolicyRequestInit, import("./messages.js").RankUnderPolicyResponse>} rankUnderPolicy Returns the rows whose rank differs under another policy.
 * @property {import("./stubs.js").Called<import("./messages.js").ExplainRankRequestInit, import("./messages.js").ExplainRankResponse>} explainRank Returns the first key by which one participant is above another.
 * @property {import("./stubs.js").Called<import("./messages.js").GetResultsRequestInit, import("./messages.js").GetResultsResponse>} getResults Returns the results of a finalised event.
 * @property {import("./stubs.js").Called<import("./messages.js").ListTiePoliciesRequest, import("./messages.js").ListTiePoliciesResponse>} listTiePolicies Lists all policies with the days on which they are in force.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchLeaderboardRequestInit, import("./messages.js").WatchLeaderboardResponse>} watchLeaderboard Sends a window of the leaderboard, then its changes: at most 4 messages a second, each with the latest state. A spectator's token may call it.
 * @property {import("./stubs.js").Watched<import("./messages.js").WatchTournamentRequestInit, import("./messages.js").WatchTournamentResponse>} watchTournament Sends the event, its notices and its participants, without scores, then their changes; the event also where an elimination stage is new, changed or deleted. A spectator's token may call it.
 */

/**
 * All services.
 * @typedef {object} Services
 * @property {AdminService} admin
 * @property {RoundsService} rounds
 * @property {AccountService} account
 * @property {ComparisonService} comparison
 * @property {DiagnosticsService} diagnostics
 * @property {EliminationService} elimination
 * @property {EquipmentService} equipment
 * @property {EventsService} events
 * @property {HealthService} health
 * @property {LogbookService} logbook
 * @property {ReflectionService} reflection
 * @property {TournamentService} tournament
 */

/**
 * The unary methods by their names.
 * @typedef {{
 *   "Admin/CreatePrincipal": {request: import("./messages.js").CreatePrincipalRequest, reply: import("./messages.js").Principal},
 *   "Admin/ListPrincipals": {request: import("./messages.js").ListPrincipalsRequest, reply: import("./messages.js").ListPrincipalsResponse},
 *   "Admin/CreateToken": {request: import("./messages.js").CreateTokenRequestInit, reply: import("./messages.js").CreateTokenResponse},
 *   "Admin/ListTokens": {request: import("./messages.js").ListTokensRequestInit, reply: import("./messages.js").ListTokensResponse},
 *   "Admin/RevokeToken": {request: import("./messages.js").RevokeTokenRequestInit, reply: import("./messages.js").Token},
 *   "Admin/GetPrincipal": {request: import("./messages.js").GetPrincipalRequestInit, reply: import("./messages.js").Principal},
 *   "Admin/UpdatePrincipal": {request: import("./messages.js").UpdatePrincipalRequestInit, reply: import("./messages.js").Principal},
 *   "Admin/DisablePrincipal": {request: import("./messages.js").DisablePrincipalRequestInit, reply: import("./messages.js").Principal},
 *   "Admin/EnablePrincipal": {request: import("./messages.js").EnablePrincipalRequestInit, reply: import("./messages.js").Principal},
 *   "Admin/CreateInvite": {request: import("./messages.js").CreateInviteRequestInit, reply: import("./messages.js").CreateInviteResponse},
 *   "Admin/ListInvites": {request: import("./messages.js").ListInvitesRequest, reply: import("./messages.js").ListInvitesResponse},
 *   "Admin/RevokeInvite": {request: import("./messages.js").RevokeInviteRequestInit, reply: import("./messages.js").Invite},
 *   "Admin/ListConnections": {request: import("./messages.js").ListConnectionsRequest, reply: import("./messages.js").ListConnectionsResponse},
 *   "Admin/Verify": {request: import("./messages.js").VerifyRequest, reply: import("./messages.js").VerifyResponse},
 *   "Admin/GrantActing": {request: import("./messages.js").GrantActingRequestInit, reply: import("./messages.js").ActingGrant},
 *   "Admin/RevokeActing": {request: import("./messages.js").RevokeActingRequestInit, reply: import("./messages.js").ActingGrant},
 *   "Admin/ListActingGrants": {request: import("./messages.js").ListActingGrantsRequestInit, reply: import("./messages.js").ListActingGrantsResponse},
 *   "Admin/BindCertificate": {request: import("./messages.js").BindCertificateRequestInit, reply: import("./messages.js").CertificateBinding},
 *   "Admin/ListCertificateBindings": {request: import("./messages.js").ListCertificateBindingsRequestInit, reply: import("./messages.js").ListCertificateBindingsResponse},
 *   "Admin/RemoveCertificateBinding": {request: import("./messages.js").RemoveCertificateBindingRequestInit, reply: import("./messages.js").CertificateBinding},
 *   "Admin/Backup": {request: import("./messages.js").BackupRequest, reply: import("./messages.js").BackupResponse},
 *   "Admin/ListBackups": {request: import("./messages.js").ListBackupsRequest, reply: import("./messages.js").ListBackupsResponse},
 *   "Admin/ListLimits": {request: import("./messages.js").ListLimitsRequestInit, reply: import("./messages.js").ListLimitsResponse},
 *   "Admin/ListLongWork": {request: import("./messages.js").ListLongWorkRequest, reply: import("./messages.js").ListLongWorkResponse},
 *   "Admin/ListAudit": {request: import("./messages.js").ListAuditRequestInit, reply: import("./messages.js").ListAuditResponse},
 *   "Admin/GetServerStatus": {request: import("./messages.js").GetServerStatusRequest, reply: import("./messages.js").ServerStatus},
 *   "Admin/TransferTournament": {request: import("./messages.js").TransferTournamentRequestInit, reply: import("./messages.js").TransferTournamentResponse},
 *   "Rounds/ListFormats": {request: import("./messages.js").ListFormatsRequest, reply: import("./messages.js").ListFormatsResponse},
 *   "Rounds/GetFormat": {request: import("./messages.js").GetFormatRequestInit, reply: import("./messages.js").RoundFormat},
 *   "Rounds/CreateFormat": {request: import("./messages.js").CreateFormatRequestInit, reply: import("./messages.js").RoundFormat},
 *   "Rounds/DeleteFormat": {request: import("./messages.js").DeleteFormatRequestInit, reply: import("./messages.js").DeleteFormatResponse},
 *   "Rounds/ListFaces": {request: import("./messages.js").ListFacesRequest, reply: import("./messages.js").ListFacesResponse},
 *   "Rounds/CreateSession": {request: import("./messages.js").CreateSessionRequestInit, reply: import("./messages.js").ShootingSession},
 *   "Rounds/GetSession": {request: import("./messages.js").GetSessionRequestInit, reply: import("./messages.js").ShootingSession},
 *   "Rounds/ListSessions": {request: import("./messages.js").ListSessionsRequest, reply: import("./messages.js").ListSessionsResponse},
 *   "Rounds/DeleteSession": {request: import("./messages.js").DeleteSessionRequestInit, reply: import("./messages.js").DeleteSessionResponse},
 *   "Rounds/AddSessionGuest": {request: import("./messages.js").AddSessionGuestRequestInit, reply: import("./messages.js").ShootingSession},
 *   "Rounds/SetRoundStatus": {request: import("./messages.js").SetRoundStatusRequestInit, reply: import("./messages.js").Round},
 *   "Rounds/GetScorecard": {request: import("./messages.js").GetScorecardRequestInit, reply: import("./messages.js").Scorecard},
 *   "Rounds/SetRoundSetup": {request: import("./messages.js").SetRoundSetupRequestInit, reply: import("./messages.js").Round},
 *   "Rounds/GetPersonalBests": {request: import("./messages.js").GetPersonalBestsRequest, reply: import("./messages.js").GetPersonalBestsResponse},
 *   "Rounds/GetRunningHandicap": {request: import("./messages.js").GetRunningHandicapRequestInit, reply: import("./messages.js").GetRunningHandicapResponse},
 *   "Rounds/SetSessionConditions": {request: import("./messages.js").SetSessionConditionsRequestInit, reply: import("./messages.js").ShootingSession},
 *   "Rounds/RecordArrow": {request: import("./messages.js").RecordArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Rounds/RecordEnd": {request: import("./messages.js").RecordEndRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Rounds/CorrectArrow": {request: import("./messages.js").CorrectArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Rounds/RetractArrow": {request: import("./messages.js").RetractArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Rounds/ApplyOperations": {request: import("./messages.js").ApplyOperationsRequestInit, reply: import("./messages.js").ApplyOperationsResponse},
 *   "Account/WhoAmI": {request: import("./messages.js").WhoAmIRequest, reply: import("./messages.js").WhoAmIResponse},
 *   "Account/GetProfile": {request: import("./messages.js").GetProfileRequest, reply: import("./messages.js").Profile},
 *   "Account/UpdateProfile": {request: import("./messages.js").UpdateProfileRequestInit, reply: import("./messages.js").Profile},
 *   "Account/GetPreferences": {request: import("./messages.js").GetPreferencesRequest, reply: import("./messages.js").GetPreferencesResponse},
 *   "Account/SetPreference": {request: import("./messages.js").SetPreferenceRequestInit, reply: import("./messages.js").Preference},
 *   "Account/DeletePreference": {request: import("./messages.js").DeletePreferenceRequest, reply: import("./messages.js").DeletePreferenceResponse},
 *   "Account/RedeemInvite": {request: import("./messages.js").RedeemInviteRequest, reply: import("./messages.js").RedeemInviteResponse},
 *   "Account/RotateToken": {request: import("./messages.js").RotateTokenRequestInit, reply: import("./messages.js").RotateTokenResponse},
 *   "Account/GetUsage": {request: import("./messages.js").GetUsageRequest, reply: import("./messages.js").Usage},
 *   "Account/GetIntroductionCode": {request: import("./messages.js").GetIntroductionCodeRequest, reply: import("./messages.js").IntroductionCode},
 *   "Account/ShareData": {request: import("./messages.js").ShareDataRequestInit, reply: import("./messages.js").Share},
 *   "Account/CreateShareInvite": {request: import("./messages.js").CreateShareInviteRequest, reply: import("./messages.js").CreateShareInviteResponse},
 *   "Account/AcceptShareInvite": {request: import("./messages.js").AcceptShareInviteRequest, reply: import("./messages.js").Share},
 *   "Account/EndShareInvite": {request: import("./messages.js").EndShareInviteRequestInit, reply: import("./messages.js").ShareInvite},
 *   "Account/ListShareInvites": {request: import("./messages.js").ListShareInvitesRequest, reply: import("./messages.js").ListShareInvitesResponse},
 *   "Account/ListShares": {request: import("./messages.js").ListSharesRequest, reply: import("./messages.js").ListSharesResponse},
 *   "Account/EndShare": {request: import("./messages.js").EndShareRequestInit, reply: import("./messages.js").Share},
 *   "Account/GetSquad": {request: import("./messages.js").GetSquadRequest, reply: import("./messages.js").GetSquadResponse},
 *   "Account/ExportMyData": {request: import("./messages.js").ExportMyDataRequest, reply: import("./messages.js").ExportMyDataResponse},
 *   "Account/DeleteMyAccount": {request: import("./messages.js").DeleteMyAccountRequest, reply: import("./messages.js").DeleteMyAccountResponse},
 *   "Comparison/ListComparableSetups": {request: import("./messages.js").ListComparableSetupsRequest, reply: import("./messages.js").ListComparableSetupsResponse},
 *   "Comparison/GetSetupPerformance": {request: import("./messages.js").GetSetupPerformanceRequestInit, reply: import("./messages.js").PerformanceResponse},
 *   "Comparison/GetItemPerformance": {request: import("./messages.js").GetItemPerformanceRequestInit, reply: import("./messages.js").PerformanceResponse},
 *   "Comparison/Compare": {request: import("./messages.js").CompareRequestInit, reply: import("./messages.js").CompareResponse},
 *   "Comparison/GetArrowNumbers": {request: import("./messages.js").GetArrowNumbersRequestInit, reply: import("./messages.js").GetArrowNumbersResponse},
 *   "Comparison/GetRange": {request: import("./messages.js").GetRangeRequest, reply: import("./messages.js").RangeChoice},
 *   "Comparison/SetRange": {request: import("./messages.js").SetRangeRequestInit, reply: import("./messages.js").RangeChoice},
 *   "Comparison/GetHandicapScore": {request: import("./messages.js").GetHandicapScoreRequestInit, reply: import("./messages.js").GetHandicapScoreResponse},
 *   "Comparison/GetScoreHandicap": {request: import("./messages.js").GetScoreHandicapRequestInit, reply: import("./messages.js").GetScoreHandicapResponse},
 *   "Comparison/GetClassification": {request: import("./messages.js").GetClassificationRequestInit, reply: import("./messages.js").GetClassificationResponse},
 *   "Diagnostics/Echo": {request: import("./messages.js").EchoMessageInit, reply: import("./messages.js").EchoMessage},
 *   "Diagnostics/EchoAsync": {request: import("./messages.js").EchoMessageInit, reply: import("./messages.js").EchoMessage},
 *   "Diagnostics/Delay": {request: import("./messages.js").DelayRequest, reply: import("./messages.js").DelayResponse},
 *   "Diagnostics/Fail": {request: import("./messages.js").FailRequestInit, reply: import("./messages.js").FailResponse},
 *   "Diagnostics/EchoMetadata": {request: import("./messages.js").EchoMessageInit, reply: import("./messages.js").EchoMessage},
 *   "Diagnostics/Connections": {request: import("./messages.js").ConnectionsRequest, reply: import("./messages.js").ConnectionsResponse},
 *   "Elimination/CutCategory": {request: import("./messages.js").CutCategoryRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/DecideTie": {request: import("./messages.js").DecideTieRequestInit, reply: import("./messages.js").DecideTieResponse},
 *   "Elimination/ListStages": {request: import("./messages.js").ListStagesRequestInit, reply: import("./messages.js").ListStagesResponse},
 *   "Elimination/GetBracket": {request: import("./messages.js").GetBracketRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/DeleteStage": {request: import("./messages.js").DeleteStageRequestInit, reply: import("./messages.js").DeleteStageResponse},
 *   "Elimination/GetMatch": {request: import("./messages.js").GetMatchRequestInit, reply: import("./messages.js").EliminationMatch},
 *   "Elimination/ApplyMatchOperations": {request: import("./messages.js").ApplyMatchOperationsRequestInit, reply: import("./messages.js").ApplyMatchOperationsResponse},
 *   "Elimination/ConfirmMatchCard": {request: import("./messages.js").ConfirmMatchCardRequestInit, reply: import("./messages.js").EliminationMatch},
 *   "Elimination/ForfeitMatch": {request: import("./messages.js").ForfeitMatchRequestInit, reply: import("./messages.js").EliminationMatch},
 *   "Elimination/ReopenMatch": {request: import("./messages.js").ReopenMatchRequestInit, reply: import("./messages.js").EliminationMatch},
 *   "Elimination/PlaceMatches": {request: import("./messages.js").PlaceMatchesRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/PlaceMatch": {request: import("./messages.js").PlaceMatchRequestInit, reply: import("./messages.js").EliminationMatch},
 *   "Elimination/CutTeams": {request: import("./messages.js").CutTeamsRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/SubstituteTeamMember": {request: import("./messages.js").SubstituteTeamMemberRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/DrawGroups": {request: import("./messages.js").DrawGroupsRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Elimination/CutGroups": {request: import("./messages.js").CutGroupsRequestInit, reply: import("./messages.js").EliminationBracket},
 *   "Equipment/GetHub": {request: import("./messages.js").GetHubRequest, reply: import("./messages.js").GetHubResponse},
 *   "Equipment/ListItems": {request: import("./messages.js").ListItemsRequest, reply: import("./messages.js").ListItemsResponse},
 *   "Equipment/CreateRiser": {request: import("./messages.js").CreateRiserRequestInit, reply: import("./messages.js").Riser},
 *   "Equipment/GetRiser": {request: import("./messages.js").GetRiserRequestInit, reply: import("./messages.js").Riser},
 *   "Equipment/UpdateRiser": {request: import("./messages.js").UpdateRiserRequestInit, reply: import("./messages.js").Riser},
 *   "Equipment/DeleteRiser": {request: import("./messages.js").DeleteRiserRequestInit, reply: import("./messages.js").DeleteRiserResponse},
 *   "Equipment/ArchiveRiser": {request: import("./messages.js").ArchiveRiserRequestInit, reply: import("./messages.js").Riser},
 *   "Equipment/RestoreRiser": {request: import("./messages.js").RestoreRiserRequestInit, reply: import("./messages.js").Riser},
 *   "Equipment/CreateLimbs": {request: import("./messages.js").CreateLimbsRequestInit, reply: import("./messages.js").Limbs},
 *   "Equipment/GetLimbs": {request: import("./messages.js").GetLimbsRequestInit, reply: import("./messages.js").Limbs},
 *   "Equipment/UpdateLimbs": {request: import("./messages.js").UpdateLimbsRequestInit, reply: import("./messages.js").Limbs},
 *   "Equipment/DeleteLimbs": {request: import("./messages.js").DeleteLimbsRequestInit, reply: import("./messages.js").DeleteLimbsResponse},
 *   "Equipment/ArchiveLimbs": {request: import("./messages.js").ArchiveLimbsRequestInit, reply: import("./messages.js").Limbs},
 *   "Equipment/RestoreLimbs": {request: import("./messages.js").RestoreLimbsRequestInit, reply: import("./messages.js").Limbs},
 *   "Equipment/CreateSight": {request: import("./messages.js").CreateSightRequestInit, reply: import("./messages.js").Sight},
 *   "Equipment/GetSight": {request: import("./messages.js").GetSightRequestInit, reply: import("./messages.js").Sight},
 *   "Equipment/UpdateSight": {request: import("./messages.js").UpdateSightRequestInit, reply: import("./messages.js").Sight},
 *   "Equipment/DeleteSight": {request: import("./messages.js").DeleteSightRequestInit, reply: import("./messages.js").DeleteSightResponse},
 *   "Equipment/ArchiveSight": {request: import("./messages.js").ArchiveSightRequestInit, reply: import("./messages.js").Sight},
 *   "Equipment/RestoreSight": {request: import("./messages.js").RestoreSightRequestInit, reply: import("./messages.js").Sight},
 *   "Equipment/CreateRest": {request: import("./messages.js").CreateRestRequestInit, reply: import("./messages.js").Rest},
 *   "Equipment/GetRest": {request: import("./messages.js").GetRestRequestInit, reply: import("./messages.js").Rest},
 *   "Equipment/UpdateRest": {request: import("./messages.js").UpdateRestRequestInit, reply: import("./messages.js").Rest},
 *   "Equipment/DeleteRest": {request: import("./messages.js").DeleteRestRequestInit, reply: import("./messages.js").DeleteRestResponse},
 *   "Equipment/ArchiveRest": {request: import("./messages.js").ArchiveRestRequestInit, reply: import("./messages.js").Rest},
 *   "Equipment/RestoreRest": {request: import("./messages.js").RestoreRestRequestInit, reply: import("./messages.js").Rest},
 *   "Equipment/CreatePlunger": {request: import("./messages.js").CreatePlungerRequestInit, reply: import("./messages.js").Plunger},
 *   "Equipment/GetPlunger": {request: import("./messages.js").GetPlungerRequestInit, reply: import("./messages.js").Plunger},
 *   "Equipment/UpdatePlunger": {request: import("./messages.js").UpdatePlungerRequestInit, reply: import("./messages.js").Plunger},
 *   "Equipment/DeletePlunger": {request: import("./messages.js").DeletePlungerRequestInit, reply: import("./messages.js").DeletePlungerResponse},
 *   "Equipment/ArchivePlunger": {request: import("./messages.js").ArchivePlungerRequestInit, reply: import("./messages.js").Plunger},
 *   "Equipment/RestorePlunger": {request: import("./messages.js").RestorePlungerRequestInit, reply: import("./messages.js").Plunger},
 *   "Equipment/CreateBowString": {request: import("./messages.js").CreateBowStringRequestInit, reply: import("./messages.js").BowString},
 *   "Equipment/GetBowString": {request: import("./messages.js").GetBowStringRequestInit, reply: import("./messages.js").BowString},
 *   "Equipment/UpdateBowString": {request: import("./messages.js").UpdateBowStringRequestInit, reply: import("./messages.js").BowString},
 *   "Equipment/DeleteBowString": {request: import("./messages.js").DeleteBowStringRequestInit, reply: import("./messages.js").DeleteBowStringResponse},
 *   "Equipment/ArchiveBowString": {request: import("./messages.js").ArchiveBowStringRequestInit, reply: import("./messages.js").BowString},
 *   "Equipment/RestoreBowString": {request: import("./messages.js").RestoreBowStringRequestInit, reply: import("./messages.js").BowString},
 *   "Equipment/CreateStabilizer": {request: import("./messages.js").CreateStabilizerRequestInit, reply: import("./messages.js").Stabilizer},
 *   "Equipment/GetStabilizer": {request: import("./messages.js").GetStabilizerRequestInit, reply: import("./messages.js").Stabilizer},
 *   "Equipment/UpdateStabilizer": {request: import("./messages.js").UpdateStabilizerRequestInit, reply: import("./messages.js").Stabilizer},
 *   "Equipment/DeleteStabilizer": {request: import("./messages.js").DeleteStabilizerRequestInit, reply: import("./messages.js").DeleteStabilizerResponse},
 *   "Equipment/ArchiveStabilizer": {request: import("./messages.js").ArchiveStabilizerRequestInit, reply: import("./messages.js").Stabilizer},
 *   "Equipment/RestoreStabilizer": {request: import("./messages.js").RestoreStabilizerRequestInit, reply: import("./messages.js").Stabilizer},
 *   "Equipment/CreateWeight": {request: import("./messages.js").CreateWeightRequestInit, reply: import("./messages.js").Weight},
 *   "Equipment/GetWeight": {request: import("./messages.js").GetWeightRequestInit, reply: import("./messages.js").Weight},
 *   "Equipment/UpdateWeight": {request: import("./messages.js").UpdateWeightRequestInit, reply: import("./messages.js").Weight},
 *   "Equipment/DeleteWeight": {request: import("./messages.js").DeleteWeightRequestInit, reply: import("./messages.js").DeleteWeightResponse},
 *   "Equipment/ArchiveWeight": {request: import("./messages.js").ArchiveWeightRequestInit, reply: import("./messages.js").Weight},
 *   "Equipment/RestoreWeight": {request: import("./messages.js").RestoreWeightRequestInit, reply: import("./messages.js").Weight},
 *   "Equipment/CreateArrow": {request: import("./messages.js").CreateArrowRequestInit, reply: import("./messages.js").Arrow},
 *   "Equipment/GetArrow": {request: import("./messages.js").GetArrowRequestInit, reply: import("./messages.js").Arrow},
 *   "Equipment/UpdateArrow": {request: import("./messages.js").UpdateArrowRequestInit, reply: import("./messages.js").Arrow},
 *   "Equipment/DeleteArrow": {request: import("./messages.js").DeleteArrowRequestInit, reply: import("./messages.js").DeleteArrowResponse},
 *   "Equipment/ArchiveArrow": {request: import("./messages.js").ArchiveArrowRequestInit, reply: import("./messages.js").Arrow},
 *   "Equipment/RestoreArrow": {request: import("./messages.js").RestoreArrowRequestInit, reply: import("./messages.js").Arrow},
 *   "Equipment/CreateAccessory": {request: import("./messages.js").CreateAccessoryRequestInit, reply: import("./messages.js").Accessory},
 *   "Equipment/GetAccessory": {request: import("./messages.js").GetAccessoryRequestInit, reply: import("./messages.js").Accessory},
 *   "Equipment/UpdateAccessory": {request: import("./messages.js").UpdateAccessoryRequestInit, reply: import("./messages.js").Accessory},
 *   "Equipment/DeleteAccessory": {request: import("./messages.js").DeleteAccessoryRequestInit, reply: import("./messages.js").DeleteAccessoryResponse},
 *   "Equipment/ArchiveAccessory": {request: import("./messages.js").ArchiveAccessoryRequestInit, reply: import("./messages.js").Accessory},
 *   "Equipment/RestoreAccessory": {request: import("./messages.js").RestoreAccessoryRequestInit, reply: import("./messages.js").Accessory},
 *   "Equipment/CreateSightMark": {request: import("./messages.js").CreateSightMarkRequestInit, reply: import("./messages.js").SightMark},
 *   "Equipment/ListSightMarks": {request: import("./messages.js").ListSightMarksRequestInit, reply: import("./messages.js").ListSightMarksResponse},
 *   "Equipment/UpdateSightMark": {request: import("./messages.js").UpdateSightMarkRequestInit, reply: import("./messages.js").SightMark},
 *   "Equipment/DeleteSightMark": {request: import("./messages.js").DeleteSightMarkRequestInit, reply: import("./messages.js").DeleteSightMarkResponse},
 *   "Equipment/CreateBowSetup": {request: import("./messages.js").CreateBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/GetBowSetup": {request: import("./messages.js").GetBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/ListBowSetups": {request: import("./messages.js").ListBowSetupsRequest, reply: import("./messages.js").ListBowSetupsResponse},
 *   "Equipment/UpdateBowSetup": {request: import("./messages.js").UpdateBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/DeleteBowSetup": {request: import("./messages.js").DeleteBowSetupRequestInit, reply: import("./messages.js").DeleteBowSetupResponse},
 *   "Equipment/CopyBowSetup": {request: import("./messages.js").CopyBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/SetDefaultBowSetup": {request: import("./messages.js").SetDefaultBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/ActivateBowSetup": {request: import("./messages.js").ActivateBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/DeactivateBowSetup": {request: import("./messages.js").DeactivateBowSetupRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/AddBowSetupComponent": {request: import("./messages.js").AddBowSetupComponentRequestInit, reply: import("./messages.js").BowSetup},
 *   "Equipment/RemoveBowSetupComponent": {request: import("./messages.js").RemoveBowSetupComponentRequestInit, reply: import("./messages.js").BowSetup},
 *   "Events/CreateEventCategory": {request: import("./messages.js").CreateEventCategoryRequestInit, reply: import("./messages.js").EventCategory},
 *   "Events/UpdateEventCategory": {request: import("./messages.js").UpdateEventCategoryRequestInit, reply: import("./messages.js").EventCategory},
 *   "Events/DeleteEventCategory": {request: import("./messages.js").DeleteEventCategoryRequestInit, reply: import("./messages.js").DeleteEventCategoryResponse},
 *   "Events/ListEventCategories": {request: import("./messages.js").ListEventCategoriesRequestInit, reply: import("./messages.js").ListEventCategoriesResponse},
 *   "Events/AddQualificationRound": {request: import("./messages.js").AddQualificationRoundRequestInit, reply: import("./messages.js").EventCategory},
 *   "Events/RemoveQualificationRound": {request: import("./messages.js").RemoveQualificationRoundRequestInit, reply: import("./messages.js").EventCategory},
 *   "Events/ImportEventEntries": {request: import("./messages.js").ImportEventEntriesRequestInit, reply: import("./messages.js").ImportEventEntriesResponse},
 *   "Events/UpdateEventEntry": {request: import("./messages.js").UpdateEventEntryRequestInit, reply: import("./messages.js").EventEntry},
 *   "Events/ListEventEntries": {request: import("./messages.js").ListEventEntriesRequestInit, reply: import("./messages.js").ListEventEntriesResponse},
 *   "Events/SetEventEntryState": {request: import("./messages.js").SetEventEntryStateRequestInit, reply: import("./messages.js").EventEntry},
 *   "Events/CreateEventSession": {request: import("./messages.js").CreateEventSessionRequestInit, reply: import("./messages.js").EventSession},
 *   "Events/UpdateEventSession": {request: import("./messages.js").UpdateEventSessionRequestInit, reply: import("./messages.js").EventSession},
 *   "Events/DeleteEventSession": {request: import("./messages.js").DeleteEventSessionRequestInit, reply: import("./messages.js").DeleteEventSessionResponse},
 *   "Events/ListEventSessions": {request: import("./messages.js").ListEventSessionsRequestInit, reply: import("./messages.js").ListEventSessionsResponse},
 *   "Events/SetSessionPlaces": {request: import("./messages.js").SetSessionPlacesRequestInit, reply: import("./messages.js").EventSession},
 *   "Events/DrawTargets": {request: import("./messages.js").DrawTargetsRequestInit, reply: import("./messages.js").DrawTargetsResponse},
 *   "Events/PlaceEventEntry": {request: import("./messages.js").PlaceEventEntryRequestInit, reply: import("./messages.js").EventEntry},
 *   "Events/SetEventOfficial": {request: import("./messages.js").SetEventOfficialRequestInit, reply: import("./messages.js").EventOfficial},
 *   "Events/RemoveEventOfficial": {request: import("./messages.js").RemoveEventOfficialRequestInit, reply: import("./messages.js").RemoveEventOfficialResponse},
 *   "Events/CreateOfficialCode": {request: import("./messages.js").CreateOfficialCodeRequestInit, reply: import("./messages.js").CreateOfficialCodeResponse},
 *   "Events/SignInOfficial": {request: import("./messages.js").SignInOfficialRequestInit, reply: import("./messages.js").EventOfficial},
 *   "Events/ListEventOfficials": {request: import("./messages.js").ListEventOfficialsRequestInit, reply: import("./messages.js").ListEventOfficialsResponse},
 *   "Events/GetCategoryStandings": {request: import("./messages.js").GetCategoryStandingsRequestInit, reply: import("./messages.js").GetCategoryStandingsResponse},
 *   "Events/GetEventProgress": {request: import("./messages.js").GetEventProgressRequestInit, reply: import("./messages.js").GetEventProgressResponse},
 *   "Events/GetTeamStandings": {request: import("./messages.js").GetTeamStandingsRequestInit, reply: import("./messages.js").GetTeamStandingsResponse},
 *   "Events/ApplyCardOperations": {request: import("./messages.js").ApplyCardOperationsRequestInit, reply: import("./messages.js").ApplyCardOperationsResponse},
 *   "Events/SetPaperTotal": {request: import("./messages.js").SetPaperTotalRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/GetComparedCard": {request: import("./messages.js").GetComparedCardRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/ConfirmScoreCard": {request: import("./messages.js").ConfirmScoreCardRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/RuleOnEnd": {request: import("./messages.js").RuleOnEndRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/ApplyEndRule": {request: import("./messages.js").ApplyEndRuleRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/MoveEnds": {request: import("./messages.js").MoveEndsRequestInit, reply: import("./messages.js").MoveEndsResponse},
 *   "Events/ReopenScoreCard": {request: import("./messages.js").ReopenScoreCardRequestInit, reply: import("./messages.js").ComparedCard},
 *   "Events/ListCardDisputes": {request: import("./messages.js").ListCardDisputesRequestInit, reply: import("./messages.js").ListCardDisputesResponse},
 *   "Events/SetTypedTotal": {request: import("./messages.js").SetTypedTotalRequestInit, reply: import("./messages.js").TypedTotal},
 *   "Events/ListTypedTotals": {request: import("./messages.js").ListTypedTotalsRequestInit, reply: import("./messages.js").ListTypedTotalsResponse},
 *   "Events/RemoveTypedTotal": {request: import("./messages.js").RemoveTypedTotalRequestInit, reply: import("./messages.js").RemoveTypedTotalResponse},
 *   "Events/SetEventLeases": {request: import("./messages.js").SetEventLeasesRequestInit, reply: import("./messages.js").SetEventLeasesResponse},
 *   "Events/ListTargetCodes": {request: import("./messages.js").ListTargetCodesRequestInit, reply: import("./messages.js").ListTargetCodesResponse},
 *   "Events/JoinTarget": {request: import("./messages.js").JoinTargetRequestInit, reply: import("./messages.js").JoinTargetResponse},
 *   "Events/LeaveTarget": {request: import("./messages.js").LeaveTargetRequestInit, reply: import("./messages.js").LeaveTargetResponse},
 *   "Events/ListTargetLeases": {request: import("./messages.js").ListTargetLeasesRequestInit, reply: import("./messages.js").ListTargetLeasesResponse},
 *   "Events/SendEventNotice": {request: import("./messages.js").SendEventNoticeRequestInit, reply: import("./messages.js").EventNotice},
 *   "Events/ListEventNotices": {request: import("./messages.js").ListEventNoticesRequestInit, reply: import("./messages.js").ListEventNoticesResponse},
 *   "Events/PauseShooting": {request: import("./messages.js").PauseShootingRequestInit, reply: import("./messages.js").ShootingPause},
 *   "Events/ResumeShooting": {request: import("./messages.js").ResumeShootingRequestInit, reply: import("./messages.js").ShootingPause},
 *   "Events/GetEventDocument": {request: import("./messages.js").GetEventDocumentRequestInit, reply: import("./messages.js").GetEventDocumentResponse},
 *   "Events/CreatePlateCodes": {request: import("./messages.js").CreatePlateCodesRequestInit, reply: import("./messages.js").CreatePlateCodesResponse},
 *   "Events/EndDevice": {request: import("./messages.js").EndDeviceRequestInit, reply: import("./messages.js").EndDeviceResponse},
 *   "Events/ListEventDevices": {request: import("./messages.js").ListEventDevicesRequestInit, reply: import("./messages.js").ListEventDevicesResponse},
 *   "Events/RaiseTargetCall": {request: import("./messages.js").RaiseTargetCallRequestInit, reply: import("./messages.js").TargetCall},
 *   "Events/ListTargetCalls": {request: import("./messages.js").ListTargetCallsRequestInit, reply: import("./messages.js").ListTargetCallsResponse},
 *   "Events/ResolveTargetCall": {request: import("./messages.js").ResolveTargetCallRequestInit, reply: import("./messages.js").TargetCall},
 *   "Events/ReportDevice": {request: import("./messages.js").ReportDeviceRequestInit, reply: import("./messages.js").ReportDeviceResponse},
 *   "Events/DeliverOperations": {request: import("./messages.js").DeliverOperationsRequest, reply: import("./messages.js").DeliverOperationsResponse},
 *   "Events/ListEventTemplates": {request: import("./messages.js").ListEventTemplatesRequest, reply: import("./messages.js").ListEventTemplatesResponse},
 *   "Health/Check": {request: import("./messages.js").HealthCheckRequest, reply: import("./messages.js").HealthCheckResponse},
 *   "Logbook/CreateWeightEntry": {request: import("./messages.js").CreateWeightEntryRequestInit, reply: import("./messages.js").WeightEntry},
 *   "Logbook/GetWeightEntry": {request: import("./messages.js").GetWeightEntryRequestInit, reply: import("./messages.js").WeightEntry},
 *   "Logbook/UpdateWeightEntry": {request: import("./messages.js").UpdateWeightEntryRequestInit, reply: import("./messages.js").WeightEntry},
 *   "Logbook/DeleteWeightEntry": {request: import("./messages.js").DeleteWeightEntryRequestInit, reply: import("./messages.js").WeightEntry},
 *   "Logbook/RestoreWeightEntry": {request: import("./messages.js").RestoreWeightEntryRequestInit, reply: import("./messages.js").WeightEntry},
 *   "Logbook/ListWeightEntries": {request: import("./messages.js").ListWeightEntriesRequest, reply: import("./messages.js").ListWeightEntriesResponse},
 *   "Logbook/GetWeightSections": {request: import("./messages.js").GetWeightSectionsRequest, reply: import("./messages.js").GetWeightSectionsResponse},
 *   "Logbook/GetWeightChart": {request: import("./messages.js").GetWeightChartRequest, reply: import("./messages.js").GetWeightChartResponse},
 *   "Logbook/SetWeightPlan": {request: import("./messages.js").SetWeightPlanRequestInit, reply: import("./messages.js").WeightPlan},
 *   "Logbook/GetWeightPlan": {request: import("./messages.js").GetWeightPlanRequest, reply: import("./messages.js").WeightPlan},
 *   "Logbook/DeleteWeightPlan": {request: import("./messages.js").DeleteWeightPlanRequestInit, reply: import("./messages.js").DeleteWeightPlanResponse},
 *   "Logbook/GetMilestones": {request: import("./messages.js").GetMilestonesRequest, reply: import("./messages.js").GetMilestonesResponse},
 *   "Logbook/ImportWeights": {request: import("./messages.js").ImportWeightsRequestInit, reply: import("./messages.js").ImportWeightsResponse},
 *   "Logbook/ExportWeights": {request: import("./messages.js").ExportWeightsRequest, reply: import("./messages.js").ExportWeightsResponse},
 *   "Logbook/CreateSet": {request: import("./messages.js").CreateSetRequestInit, reply: import("./messages.js").LiftSet},
 *   "Logbook/GetSet": {request: import("./messages.js").GetSetRequestInit, reply: import("./messages.js").LiftSet},
 *   "Logbook/UpdateSet": {request: import("./messages.js").UpdateSetRequestInit, reply: import("./messages.js").LiftSet},
 *   "Logbook/DeleteSet": {request: import("./messages.js").DeleteSetRequestInit, reply: import("./messages.js").DeleteSetResponse},
 *   "Logbook/ListSets": {request: import("./messages.js").ListSetsRequest, reply: import("./messages.js").ListSetsResponse},
 *   "Logbook/ListExercises": {request: import("./messages.js").ListExercisesRequest, reply: import("./messages.js").ListExercisesResponse},
 *   "Logbook/GetLiftSeries": {request: import("./messages.js").GetLiftSeriesRequest, reply: import("./messages.js").GetLiftSeriesResponse},
 *   "Logbook/GetNearestLift": {request: import("./messages.js").GetNearestLiftRequest, reply: import("./messages.js").LiftPoint},
 *   "Logbook/CompareFormulas": {request: import("./messages.js").CompareFormulasRequest, reply: import("./messages.js").CompareFormulasResponse},
 *   "Logbook/ExportSets": {request: import("./messages.js").ExportSetsRequest, reply: import("./messages.js").ExportSetsResponse},
 *   "Logbook/GetTrainingLog": {request: import("./messages.js").GetTrainingLogRequest, reply: import("./messages.js").GetTrainingLogResponse},
 *   "Reflection/Describe": {request: import("./messages.js").DescribeRequestInit, reply: import("./messages.js").DescribeResponse},
 *   "Tournament/CreateTournament": {request: import("./messages.js").CreateTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/GetTournament": {request: import("./messages.js").GetTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/ListTournaments": {request: import("./messages.js").ListTournamentsRequest, reply: import("./messages.js").ListTournamentsResponse},
 *   "Tournament/UpdateTournament": {request: import("./messages.js").UpdateTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/DeleteTournament": {request: import("./messages.js").DeleteTournamentRequestInit, reply: import("./messages.js").DeleteTournamentResponse},
 *   "Tournament/StartTournament": {request: import("./messages.js").StartTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/PauseTournament": {request: import("./messages.js").PauseTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/FinaliseTournament": {request: import("./messages.js").FinaliseTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/ReopenTournament": {request: import("./messages.js").ReopenTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/CancelTournament": {request: import("./messages.js").CancelTournamentRequestInit, reply: import("./messages.js").TournamentEvent},
 *   "Tournament/JoinTournament": {request: import("./messages.js").JoinTournamentRequestInit, reply: import("./messages.js").Participant},
 *   "Tournament/AddGuest": {request: import("./messages.js").AddGuestRequestInit, reply: import("./messages.js").Participant},
 *   "Tournament/AddEntries": {request: import("./messages.js").AddEntriesRequestInit, reply: import("./messages.js").AddEntriesResponse},
 *   "Tournament/ListParticipants": {request: import("./messages.js").ListParticipantsRequestInit, reply: import("./messages.js").ListParticipantsResponse},
 *   "Tournament/WithdrawParticipant": {request: import("./messages.js").WithdrawParticipantRequestInit, reply: import("./messages.js").Participant},
 *   "Tournament/DisqualifyParticipant": {request: import("./messages.js").DisqualifyParticipantRequestInit, reply: import("./messages.js").Participant},
 *   "Tournament/ReinstateParticipant": {request: import("./messages.js").ReinstateParticipantRequestInit, reply: import("./messages.js").Participant},
 *   "Tournament/AppointScorer": {request: import("./messages.js").AppointScorerRequestInit, reply: import("./messages.js").Scorer},
 *   "Tournament/DismissScorer": {request: import("./messages.js").DismissScorerRequestInit, reply: import("./messages.js").DismissScorerResponse},
 *   "Tournament/ListScorers": {request: import("./messages.js").ListScorersRequestInit, reply: import("./messages.js").ListScorersResponse},
 *   "Tournament/GetSpectatorToken": {request: import("./messages.js").GetSpectatorTokenRequest, reply: import("./messages.js").GetSpectatorTokenResponse},
 *   "Tournament/RecordArrow": {request: import("./messages.js").RecordArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Tournament/RecordEnd": {request: import("./messages.js").RecordEndRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Tournament/CorrectArrow": {request: import("./messages.js").CorrectArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Tournament/RetractArrow": {request: import("./messages.js").RetractArrowRequestInit, reply: import("./messages.js").ScoreResponse},
 *   "Tournament/ApplyOperations": {request: import("./messages.js").ApplyOperationsRequestInit, reply: import("./messages.js").ApplyOperationsResponse},
 *   "Tournament/ListLateOperations": {request: import("./messages.js").ListLateOperationsRequestInit, reply: import("./messages.js").ListLateOperationsResponse},
 *   "Tournament/AdmitOperations": {request: import("./messages.js").AdmitOperationsRequestInit, reply: import("./messages.js").ApplyOperationsResponse},
 *   "Tournament/RejectOperations": {request: import("./messages.js").RejectOperationsRequestInit, reply: import("./messages.js").RejectOperationsResponse},
 *   "Tournament/GetStandings": {request: import("./messages.js").GetStandingsRequestInit, reply: import("./messages.js").GetStandingsResponse},
 *   "Tournament/RankUnderPolicy": {request: import("./messages.js").RankUnderPolicyRequestInit, reply: import("./messages.js").RankUnderPolicyResponse},
 *   "Tournament/ExplainRank": {request: import("./messages.js").ExplainRankRequestInit, reply: import("./messages.js").ExplainRankResponse},
 *   "Tournament/GetResults": {request: import("./messages.js").GetResultsRequestInit, reply: import("./messages.js").GetResultsResponse},
 *   "Tournament/ListTiePolicies": {request: import("./messages.js").ListTiePoliciesRequest, reply: import("./messages.js").ListTiePoliciesResponse},
 * }} Unary
 */

/**
 * The methods that are watches by their names.
 * @typedef {{
 *   "Elimination/WatchBracket": {request: import("./messages.js").WatchBracketRequestInit, reply: import("./messages.js").WatchBracketResponse},
 *   "Elimination/WatchMatch": {request: import("./messages.js").WatchMatchRequestInit, reply: import("./messages.js").WatchMatchResponse},
 *   "Equipment/WatchHub": {request: import("./messages.js").WatchHubRequest, reply: import("./messages.js").WatchHubResponse},
 *   "Equipment/WatchItems": {request: import("./messages.js").WatchItemsRequest, reply: import("./messages.js").WatchItemsResponse},
 *   "Equipment/WatchBowSetups": {request: import("./messages.js").WatchBowSetupsRequest, reply: import("./messages.js").WatchBowSetupsResponse},
 *   "Events/WatchTargets": {request: import("./messages.js").WatchTargetsRequestInit, reply: import("./messages.js").WatchTargetsResponse},
 *   "Events/WatchTargetCalls": {request: import("./messages.js").WatchTargetCallsRequestInit, reply: import("./messages.js").WatchTargetCallsResponse},
 *   "Logbook/WatchWeights": {request: import("./messages.js").WatchWeightsRequest, reply: import("./messages.js").WatchWeightsResponse},
 *   "Logbook/WatchTrainingLog": {request: import("./messages.js").WatchTrainingLogRequest, reply: import("./messages.js").WatchTrainingLogResponse},
 *   "Tournament/WatchLeaderboard": {request: import("./messages.js").WatchLeaderboardRequestInit, reply: import("./messages.js").WatchLeaderboardResponse},
 *   "Tournament/WatchTournament": {request: import("./messages.js").WatchTournamentRequestInit, reply: import("./messages.js").WatchTournamentResponse},
 * }} Watches
 */

/** The methods of each service, separated by spaces. */
export const methods = Object.freeze({
  Admin: {
    unary: "CreatePrincipal ListPrincipals CreateToken ListTokens RevokeToken GetPrincipal UpdatePrincipal DisablePrincipal EnablePrincipal CreateInvite ListInvites RevokeInvite ListConnections Verify GrantActing RevokeActing ListActingGrants BindCertificate ListCertificateBindings RemoveCertificateBinding Backup ListBackups ListLimits ListLongWork ListAudit GetServerStatus TransferTournament",
  },
  Rounds: {
    unary: "ListFormats GetFormat CreateFormat DeleteFormat ListFaces CreateSession GetSession ListSessions DeleteSession AddSessionGuest SetRoundStatus GetScorecard SetRoundSetup GetPersonalBests GetRunningHandicap SetSessionConditions RecordArrow RecordEnd CorrectArrow RetractArrow ApplyOperations",
  },
  Account: {
    unary: "WhoAmI GetProfile UpdateProfile GetPreferences SetPreference DeletePreference RedeemInvite RotateToken GetUsage GetIntroductionCode ShareData CreateShareInvite AcceptShareInvite EndShareInvite ListShareInvites ListShares EndShare GetSquad ExportMyData DeleteMyAccount",
  },
  Comparison: {
    unary: "ListComparableSetups GetSetupPerformance GetItemPerformance Compare GetArrowNumbers GetRange SetRange GetHandicapScore GetScoreHandicap GetClassification",
  },
  Diagnostics: {
    unary: "Echo EchoAsync Delay Fail EchoMetadata Connections",
  },
  Elimination: {
    unary: "CutCategory DecideTie ListStages GetBracket DeleteStage GetMatch ApplyMatchOperations ConfirmMatchCard ForfeitMatch ReopenMatch PlaceMatches PlaceMatch CutTeams SubstituteTeamMember DrawGroups CutGroups",
    watches: "WatchBracket WatchMatch",
  },
  Equipment: {
    unary: "GetHub ListItems CreateRiser GetRiser UpdateRiser DeleteRiser ArchiveRiser RestoreRiser CreateLimbs GetLimbs UpdateLimbs DeleteLimbs ArchiveLimbs RestoreLimbs CreateSight GetSight UpdateSight DeleteSight ArchiveSight RestoreSight CreateRest GetRest UpdateRest DeleteRest ArchiveRest RestoreRest CreatePlunger GetPlunger UpdatePlunger DeletePlunger ArchivePlunger RestorePlunger CreateBowString GetBowString UpdateBowString DeleteBowString ArchiveBowString RestoreBowString CreateStabilizer GetStabilizer UpdateStabilizer DeleteStabilizer ArchiveStabilizer RestoreStabilizer CreateWeight GetWeight UpdateWeight DeleteWeight ArchiveWeight RestoreWeight CreateArrow GetArrow UpdateArrow DeleteArrow ArchiveArrow RestoreArrow CreateAccessory GetAccessory UpdateAccessory DeleteAccessory ArchiveAccessory RestoreAccessory CreateSightMark ListSightMarks UpdateSightMark DeleteSightMark CreateBowSetup GetBowSetup ListBowSetups UpdateBowSetup DeleteBowSetup CopyBowSetup SetDefaultBowSetup ActivateBowSetup DeactivateBowSetup AddBowSetupComponent RemoveBowSetupComponent",
    watches: "WatchHub WatchItems WatchBowSetups",
  },
  Events: {
    unary: "CreateEventCategory UpdateEventCategory DeleteEventCategory ListEventCategories AddQualificationRound RemoveQualificationRound ImportEventEntries UpdateEventEntry ListEventEntries SetEventEntryState CreateEventSession UpdateEventSession DeleteEventSession ListEventSessions SetSessionPlaces DrawTargets PlaceEventEntry SetEventOfficial RemoveEventOfficial CreateOfficialCode SignInOfficial ListEventOfficials GetCategoryStandings GetEventProgress GetTeamStandings ApplyCardOperations SetPaperTotal GetComparedCard ConfirmScoreCard RuleOnEnd ApplyEndRule MoveEnds ReopenScoreCard ListCardDisputes SetTypedTotal ListTypedTotals RemoveTypedTotal SetEventLeases ListTargetCodes JoinTarget LeaveTarget ListTargetLeases SendEventNotice ListEventNotices PauseShooting ResumeShooting GetEventDocument CreatePlateCodes EndDevice ListEventDevices RaiseTargetCall ListTargetCalls ResolveTargetCall ReportDevice DeliverOperations ListEventTemplates",
    watches: "WatchTargets WatchTargetCalls",
  },
  Health: {
    unary: "Check",
  },
  Logbook: {
    unary: "CreateWeightEntry GetWeightEntry UpdateWeightEntry DeleteWeightEntry RestoreWeightEntry ListWeightEntries GetWeightSections GetWeightChart SetWeightPlan GetWeightPlan DeleteWeightPlan GetMilestones ImportWeights ExportWeights CreateSet GetSet UpdateSet DeleteSet ListSets ListExercises GetLiftSeries GetNearestLift CompareFormulas ExportSets GetTrainingLog",
    watches: "WatchWeights WatchTrainingLog",
  },
  Reflection: {
    unary: "Describe",
  },
  Tournament: {
    unary: "CreateTournament GetTournament ListTournaments UpdateTournament DeleteTournament StartTournament PauseTournament FinaliseTournament ReopenTournament CancelTournament JoinTournament AddGuest AddEntries ListParticipants WithdrawParticipant DisqualifyParticipant ReinstateParticipant AppointScorer DismissScorer ListScorers GetSpectatorToken RecordArrow RecordEnd CorrectArrow RetractArrow ApplyOperations ListLateOperations AdmitOperations RejectOperations GetStandings RankUnderPolicy ExplainRank GetResults ListTiePolicies",
    watches: "WatchLeaderboard WatchTournament",
  },
});
