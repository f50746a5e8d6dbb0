public import QuiverProtobuf
public import QuiverRPC

/// The service `quiver.v1.Events`: the structure of events as they are shot.
///
/// An event is a tournament, and its entries are the tournament's participants: the calls of
/// Tournament keep their meaning. A participant without an entry of its own is in the first
/// category, which has the format and the policy of the event. Organisers change the structure
/// while the event is OPEN or IN_PROGRESS. A private event is NOT_FOUND for callers who have no
/// part in it; a caller without the role is PERMISSION_DENIED. A refused call changes nothing.
public enum Events: RPCService {
  /// The methods of ``Events``.
  public struct Methods: Sendable {
    /// Adds a category; at most 200 an event. A category with the same code and fields is returned
    /// as it is; another one with the code is ALREADY_EXISTS. By an organiser.
    public let createEventCategory = UnaryMethod<
      CreateEventCategoryRequest, EventCategory
    >(
      "quiver.v1.Events/CreateEventCategory", id: 5889, mutating: true)
    /// Replaces the fields of a category at a revision; the format stays. The policy can be changed
    /// before the start. By an organiser.
    public let updateEventCategory = UnaryMethod<
      UpdateEventCategoryRequest, EventCategory
    >(
      "quiver.v1.Events/UpdateEventCategory", id: 5890, mutating: true)
    /// Deletes a category without entries; not the first one. By an organiser.
    public let deleteEventCategory = UnaryMethod<
      DeleteEventCategoryRequest, DeleteEventCategoryResponse
    >(
      "quiver.v1.Events/DeleteEventCategory", id: 5891, mutating: true)
    /// Lists all categories of an event.
    public let listEventCategories = UnaryMethod<
      ListEventCategoriesRequest, ListEventCategoriesResponse
    >(
      "quiver.v1.Events/ListEventCategories", id: 5892)
    /// Adds a round to the qualification of a category: at most 8, shot in the same place, together
    /// a format. Totals, ties and cuts are those of all rounds. A round that begins before one with
    /// arrows, a category with an elimination, and an archer with a second card or a confirmation
    /// are FAILED_PRECONDITION, and so is the round of the event after the start. By an organiser.
    public let addQualificationRound = UnaryMethod<
      AddQualificationRoundRequest, EventCategory
    >(
      "quiver.v1.Events/AddQualificationRound", id: 5893, mutating: true)
    /// Removes a round of the qualification of a category, with the places in the last one. The
    /// only round, and one that has arrows or is before one with arrows, are FAILED_PRECONDITION.
    /// By an organiser.
    public let removeQualificationRound = UnaryMethod<
      RemoveQualificationRoundRequest, EventCategory
    >(
      "quiver.v1.Events/RemoveQualificationRound", id: 5894, mutating: true)
    /// Adds participants without an account. An entry whose bib has an equal entry already is that
    /// one, so that a list can be imported again; a bib of another entry is ALREADY_EXISTS. A call
    /// that cannot be completed adds none. More than 25 are added in parts, as by AddEntries. By an
    /// organiser.
    public let importEventEntries = UnaryMethod<
      ImportEventEntriesRequest, ImportEventEntriesResponse
    >(
      "quiver.v1.Events/ImportEventEntries", id: 5896, mutating: true)
    /// Changes the fields of an entry that the mask names. A category with another format can be
    /// set before the first arrow. A change of session removes the place. By an organiser.
    public let updateEventEntry = UnaryMethod<
      UpdateEventEntryRequest, EventEntry
    >(
      "quiver.v1.Events/UpdateEventEntry", id: 5897, mutating: true)
    /// Lists entries by the id of their participant.
    public let listEventEntries = UnaryMethod<
      ListEventEntriesRequest, ListEventEntriesResponse
    >(
      "quiver.v1.Events/ListEventEntries", id: 5898)
    /// Checks an entry in, or notes that it did not start (before its first arrow) or did not
    /// finish (after the start of the event). By an organiser or a judge.
    public let setEventEntryState = UnaryMethod<
      SetEventEntryStateRequest, EventEntry
    >(
      "quiver.v1.Events/SetEventEntryState", id: 5899, mutating: true)
    /// Adds a session: at most 100 an event, with at most 200 targets. By an organiser.
    public let createEventSession = UnaryMethod<
      CreateEventSessionRequest, EventSession
    >(
      "quiver.v1.Events/CreateEventSession", id: 5904, mutating: true)
    /// Replaces the fields of a session at a revision. Targets with entries stay. By an organiser.
    public let updateEventSession = UnaryMethod<
      UpdateEventSessionRequest, EventSession
    >(
      "quiver.v1.Events/UpdateEventSession", id: 5905, mutating: true)
    /// Deletes a session without entries. By an organiser.
    public let deleteEventSession = UnaryMethod<
      DeleteEventSessionRequest, DeleteEventSessionResponse
    >(
      "quiver.v1.Events/DeleteEventSession", id: 5906, mutating: true)
    /// Lists all sessions of an event by their start.
    public let listEventSessions = UnaryMethod<
      ListEventSessionsRequest, ListEventSessionsResponse
    >(
      "quiver.v1.Events/ListEventSessions", id: 5907)
    /// Sets which places of a session nobody gets, and which targets are for archers in wheelchairs
    /// first. By an organiser.
    public let setSessionPlaces = UnaryMethod<
      SetSessionPlacesRequest, EventSession
    >(
      "quiver.v1.Events/SetSessionPlaces", id: 5910, mutating: true)
    /// Draws the ranked entries of a session to its free places: all of them or, with too few
    /// places, none (INVALID_ARGUMENT). By an organiser.
    public let drawTargets = UnaryMethod<
      DrawTargetsRequest, DrawTargetsResponse
    >(
      "quiver.v1.Events/DrawTargets", id: 5908, mutating: true)
    /// Moves an entry to a place, or removes its place; scores stay. A place of another entry is
    /// FAILED_PRECONDITION unless they are swapped. By an organiser or a judge.
    public let placeEventEntry = UnaryMethod<
      PlaceEventEntryRequest, EventEntry
    >(
      "quiver.v1.Events/PlaceEventEntry", id: 5909, mutating: true)
    /// Gives a principal a role, instead of the one that it has; at most 200 officials an event. It
    /// is named by the code that it shows (`Account.GetIntroductionCode`), or by its id if it and
    /// the caller have a part in one event. The id of anybody else is NOT_FOUND, unless the caller
    /// is an administrator. By an organiser.
    public let setEventOfficial = UnaryMethod<
      SetEventOfficialRequest, EventOfficial
    >(
      "quiver.v1.Events/SetEventOfficial", id: 5912, mutating: true)
    /// Removes the role of a principal. By an organiser.
    public let removeEventOfficial = UnaryMethod<
      RemoveEventOfficialRequest, RemoveEventOfficialResponse
    >(
      "quiver.v1.Events/RemoveEventOfficial", id: 5913, mutating: true)
    /// Appoints somebody who needs no account, and returns a code that works once within 7 days.
    /// Whoever signs in by it is bound to the event. By an organiser.
    public let createOfficialCode = UnaryMethod<
      CreateOfficialCodeRequest, CreateOfficialCodeResponse
    >(
      "quiver.v1.Events/CreateOfficialCode", id: 5915, mutating: true)
    /// Signs in by a code of CreateOfficialCode, with a secret that the caller has made. The same
    /// secret gets the same answer. By anybody who has the code.
    public let signInOfficial = UnaryMethod<
      SignInOfficialRequest, EventOfficial
    >(
      "quiver.v1.Events/SignInOfficial", id: 5916, mutating: true, anonymous: true)
    /// Lists all officials, without the organiser who created the event.
    public let listEventOfficials = UnaryMethod<
      ListEventOfficialsRequest, ListEventOfficialsResponse
    >(
      "quiver.v1.Events/ListEventOfficials", id: 5914)
    /// Returns the rows of a category, a session or a club, ranked among themselves, with the ties
    /// that Elimination.DecideTie has decided. A spectator's token may call it.
    public let getCategoryStandings = UnaryMethod<
      GetCategoryStandingsRequest, GetCategoryStandingsResponse
    >(
      "quiver.v1.Events/GetCategoryStandings", id: 5920)
    /// Returns the steps of the organiser's day with what is missing before each is done.
    public let getEventProgress = UnaryMethod<
      GetEventProgressRequest, GetEventProgressResponse
    >(
      "quiver.v1.Events/GetEventProgress", id: 5921)
    /// Returns the teams of clubs or countries by the sums of their best archers. A spectator's
    /// token may call it.
    public let getTeamStandings = UnaryMethod<
      GetTeamStandingsRequest, GetTeamStandingsResponse
    >(
      "quiver.v1.Events/GetTeamStandings", id: 5922)
    /// Applies up to 50 operations on second cards, each with a verdict of its own. An operation
    /// that was applied before is SAME. Each end is compared with the first card. By callers who
    /// may score the participant, and by organisers, judges and scorers of the event. A card that
    /// archer and scorer have confirmed, and an end on which a judge has ruled, do not change. A
    /// second card may have 1,000 operations.
    public let applyCardOperations = UnaryMethod<
      ApplyCardOperationsRequest, ApplyCardOperationsResponse
    >(
      "quiver.v1.Events/ApplyCardOperations", id: 5923, mutating: true)
    /// Stores the total of a paper card, which an official types, instead of the one before, with
    /// tens and X or hits and golds. They are compared with the card; after both confirmations of
    /// each sum the lower one counts. By an official, but not by a helper at check-in; where the
    /// event says so (`scorers_type_papers`) also by who scores the first card, but not by its
    /// archer.
    public let setPaperTotal = UnaryMethod<
      SetPaperTotalRequest, ComparedCard
    >(
      "quiver.v1.Events/SetPaperTotal", id: 5924, mutating: true)
    /// Returns both cards of a participant with their comparison. By callers who may see the event.
    public let getComparedCard = UnaryMethod<
      GetComparedCardRequest, ComparedCard
    >(
      "quiver.v1.Events/GetComparedCard", id: 5925)
    /// Confirms a card that has all arrows of the round, and all ends of the second card if there
    /// is one; of an archer who did not finish, the arrows that were shot. The archer confirms with
    /// its own token, or a caller who may score confirms with the archer's signature. The scorer is
    /// a caller who may score and is not the archer. After both confirmations only a judge changes
    /// the card, and where the totals differ the rule set of the event decides. A change before
    /// that revokes a confirmation.
    public let confirmScoreCard = UnaryMethod<
      ConfirmScoreCardRequest, ComparedCard
    >(
      "quiver.v1.Events/ConfirmScoreCard", id: 5926, mutating: true)
    /// Rules on an end in dispute, once: the first card gets these arrows by corrections, and both
    /// cards stay on record. By an organiser or a judge.
    public let ruleOnEnd = UnaryMethod<
      RuleOnEndRequest, ComparedCard
    >(
      "quiver.v1.Events/RuleOnEnd", id: 5927, mutating: true)
    /// Changes the arrows of an end of the first card by a rule of shooting; the audit keeps what
    /// was there, and all arrows that were shot. By an organiser or a judge.
    public let applyEndRule = UnaryMethod<
      ApplyEndRuleRequest, ComparedCard
    >(
      "quiver.v1.Events/ApplyEndRule", id: 5978, mutating: true)
    /// Exchanges ends of two archers of an event on their first cards, or moves ends of one by one
    /// end: all or none. By an organiser or a judge.
    public let moveEnds = UnaryMethod<
      MoveEndsRequest, MoveEndsResponse
    >(
      "quiver.v1.Events/MoveEnds", id: 5979, mutating: true)
    /// Takes the confirmations of a card back, with what the rule set decided after them: its
    /// corrections, except of arrows that a judge has corrected since, and a deduction. By an
    /// organiser or a judge.
    public let reopenScoreCard = UnaryMethod<
      ReopenScoreCardRequest, ComparedCard
    >(
      "quiver.v1.Events/ReopenScoreCard", id: 5928, mutating: true)
    /// Lists the ends in dispute. By callers who may see the event.
    public let listCardDisputes = UnaryMethod<
      ListCardDisputesRequest, ListCardDisputesResponse
    >(
      "quiver.v1.Events/ListCardDisputes", id: 5929)
    /// Stores the sums of a distance, or of the whole round, as a paper has them: they count
    /// instead of the arrows of that part, which are kept, compared and shown. A count that the
    /// paper does not have tells nobody apart. Another total of the part is ALREADY_EXISTS unless
    /// it is corrected with a reason. Sums that no arrows can have, and sums below what the arrows
    /// of the part show, are refused. While the event is IN_PROGRESS; a participant may have 100
    /// with those that were corrected. By an organiser or a judge.
    public let setTypedTotal = UnaryMethod<
      SetTypedTotalRequest, TypedTotal
    >(
      "quiver.v1.Events/SetTypedTotal", id: 5975, mutating: true)
    /// Lists typed totals. By an official, or of an archer by itself.
    public let listTypedTotals = UnaryMethod<
      ListTypedTotalsRequest, ListTypedTotalsResponse
    >(
      "quiver.v1.Events/ListTypedTotals", id: 5976)
    /// Removes a typed total, so that the arrows of its part count. By an organiser or a judge.
    public let removeTypedTotal = UnaryMethod<
      RemoveTypedTotalRequest, RemoveTypedTotalResponse
    >(
      "quiver.v1.Events/RemoveTypedTotal", id: 5977, mutating: true)
    /// Demands leases in an event, or ends them: while they are demanded, a participant who has a
    /// place, and a match that has targets, are scored only by the device that holds the lease on
    /// the target; the first card and the second one have a lease each. By another device an
    /// operation is FAILED_PRECONDITION, unless it was stored before; while no device has joined it
    /// is NOT_YET. Judges correct without a lease. By an organiser.
    public let setEventLeases = UnaryMethod<
      SetEventLeasesRequest, SetEventLeasesResponse
    >(
      "quiver.v1.Events/SetEventLeases", id: 5930, mutating: true)
    /// Lists the codes of the targets of a session or of matches, for example for QR codes. By an
    /// organiser of an event that demands leases.
    public let listTargetCodes = UnaryMethod<
      ListTargetCodesRequest, ListTargetCodesResponse
    >(
      "quiver.v1.Events/ListTargetCodes", id: 5931)
    /// Takes the lease on a card of a target, or renews it. By a caller with the code. With a
    /// token: for 4 hours; a lease of another device is FAILED_PRECONDITION until it expires,
    /// unless an organiser takes it over. Without a token and with `device_secret`: as the device
    /// with that secret, which is made with its first lease, for as long as the device may score.
    public let joinTarget = UnaryMethod<
      JoinTargetRequest, JoinTargetResponse
    >(
      "quiver.v1.Events/JoinTarget", id: 5932, mutating: true, anonymous: true)
    /// Ends a lease. By its holder or an organiser. Where nobody has a lease, or the caller has
    /// lost its own, it changes nothing; the lease of another one is PERMISSION_DENIED.
    public let leaveTarget = UnaryMethod<
      LeaveTargetRequest, LeaveTargetResponse
    >(
      "quiver.v1.Events/LeaveTarget", id: 5933, mutating: true)
    /// Lists the leases of an event. By an official.
    public let listTargetLeases = UnaryMethod<
      ListTargetLeasesRequest, ListTargetLeasesResponse
    >(
      "quiver.v1.Events/ListTargetLeases", id: 5934)
    /// Sends a notice to those who take part in an event in any state: archers, scorers, officials
    /// and devices with a lease. Those of a public event who do not take part see it only if it is
    /// public. The latest 50 of an event are kept; an 11th within a minute is RESOURCE_EXHAUSTED
    /// with `retry_after_ms`. By an organiser or a judge.
    public let sendEventNotice = UnaryMethod<
      SendEventNoticeRequest, EventNotice
    >(
      "quiver.v1.Events/SendEventNotice", id: 5940, mutating: true)
    /// Lists the kept notices that the caller may see, newest first. Tournament.WatchTournament
    /// sends them, and each new one. A spectator's token may call it.
    public let listEventNotices = UnaryMethod<
      ListEventNoticesRequest, ListEventNoticesResponse
    >(
      "quiver.v1.Events/ListEventNotices", id: 5941)
    /// Notes that nobody shoots from now on, for example because of lightning. Arrows are entered
    /// as before: Tournament.PauseTournament is what stops that. An event that is not IN_PROGRESS,
    /// or that is paused in this way, is FAILED_PRECONDITION; at most 200 an event. By an organiser
    /// or a judge.
    public let pauseShooting = UnaryMethod<
      PauseShootingRequest, ShootingPause
    >(
      "quiver.v1.Events/PauseShooting", id: 5942, mutating: true)
    /// Ends the pause of the shooting; FAILED_PRECONDITION without one. Finalising and cancelling
    /// an event end it too. By an organiser or a judge.
    public let resumeShooting = UnaryMethod<
      ResumeShootingRequest, ShootingPause
    >(
      "quiver.v1.Events/ResumeShooting", id: 5943, mutating: true)
    /// Returns a part of a paper or a file of an event: HTML to print, comma-separated values, or a
    /// calendar. What it shows is read when the part is asked for. By callers who may see the
    /// event.
    public let getEventDocument = UnaryMethod<
      GetEventDocumentRequest, GetEventDocumentResponse
    >(
      "quiver.v1.Events/GetEventDocument", id: 5950)
    /// Returns the codes of plates: each names a target of the event all day, and JoinTarget finds
    /// the session or the match that is open there. The same codes until the organiser makes new
    /// ones (SetEventLeases), whether leases are demanded or not. By an organiser.
    public let createPlateCodes = UnaryMethod<
      CreatePlateCodesRequest, CreatePlateCodesResponse
    >(
      "quiver.v1.Events/CreatePlateCodes", id: 5960, mutating: true)
    /// Ends a device: its leases end, and what it sends later is LATE for 7 days. By an organiser.
    public let endDevice = UnaryMethod<
      EndDeviceRequest, EndDeviceResponse
    >(
      "quiver.v1.Events/EndDevice", id: 5961, mutating: true)
    /// Lists the devices of an event. By an official.
    public let listEventDevices = UnaryMethod<
      ListEventDevicesRequest, ListEventDevicesResponse
    >(
      "quiver.v1.Events/ListEventDevices", id: 5962)
    /// Sends what the caller's leases show: who shoots there, the cards, matches, the state of the
    /// event, notices, pauses and calls; then their changes. By the holder of a lease in the event.
    public let watchTargets = ServerStreamingMethod<WatchTargetsRequest, WatchTargetsResponse>(
      "quiver.v1.Events/WatchTargets", id: 5963)
    /// Calls an official to a target; at most 10 open calls a target, and 5,000 calls an event. By
    /// the holder of a lease on the target, and by officials.
    public let raiseTargetCall = UnaryMethod<
      RaiseTargetCallRequest, TargetCall
    >(
      "quiver.v1.Events/RaiseTargetCall", id: 5980, mutating: true)
    /// Lists the calls of an event: for officials all, for others those from targets that they
    /// lease.
    public let listTargetCalls = UnaryMethod<
      ListTargetCallsRequest, ListTargetCallsResponse
    >(
      "quiver.v1.Events/ListTargetCalls", id: 5981)
    /// Sends the open calls of an event, then each that is raised or resolved. By an official.
    public let watchTargetCalls = ServerStreamingMethod<
      WatchTargetCallsRequest, WatchTargetCallsResponse
    >(
      "quiver.v1.Events/WatchTargetCalls", id: 5982)
    /// Says what was decided of a call, once; the same decision again changes nothing. By an
    /// organiser or a judge.
    public let resolveTargetCall = UnaryMethod<
      ResolveTargetCallRequest, TargetCall
    >(
      "quiver.v1.Events/ResolveTargetCall", id: 5983, mutating: true)
    /// Says how the calling device is; shown to officials. By a device.
    public let reportDevice = UnaryMethod<
      ReportDeviceRequest, ReportDeviceResponse
    >(
      "quiver.v1.Events/ReportDevice", id: 5984, mutating: true)
    /// Stores what a device has recorded and signed, whoever delivers it: it has its effect once.
    /// By anybody who has the text, also without a token.
    public let deliverOperations = UnaryMethod<
      DeliverOperationsRequest, DeliverOperationsResponse
    >(
      "quiver.v1.Events/DeliverOperations", id: 5985, mutating: true, anonymous: true)
    /// Lists events of usual kinds: their rounds, categories and matches. The answer is the same
    /// for all.
    public let listEventTemplates = UnaryMethod<
      ListEventTemplatesRequest, ListEventTemplatesResponse
    >(
      "quiver.v1.Events/ListEventTemplates", id: 5990)
  }

  /// The methods of the service.
  public static let methods = Methods()

  /// The details of errors, ``OpenEventSteps``, and what devices sign, ``RescuedOperations``.
  public static var details: [any Message.Type] {
    [OpenEventSteps.self, RescuedOperations.self]
  }
}
