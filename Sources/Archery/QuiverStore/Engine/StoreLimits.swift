/// Every bound of the store, in one place.
package enum StoreLimits {
  /// Commands that share one commit.
  package static let commandsPerBatch = 128

  /// How long a commit batch applies commands before it is committed. The rest of its commands
  /// begins the next batch; one command may take longer.
  package static let batchMilliseconds: UInt64 = 5

  /// How long a commit batch applies further commands of a principal that has one in it, while
  /// another principal waits for it with a single command.
  package static let sharedBatchMicroseconds: UInt64 = 500

  /// Commands that may wait for the writer.
  package static let queuedCommands = 4_096

  /// How much of the queue one principal may fill: an eighth, but at least one batch.
  static func commandShare(of capacity: Int) -> Int {
    max(1, min(capacity, max(capacity / 8, commandsPerBatch)))
  }

  /// When a command that found the queue full should be sent again.
  package static let queueRetryMilliseconds: Int32 = 100

  /// Read-only connections that may be open at once.
  package static let readers = 16

  /// How long a read waits for a connection.
  package static let readerWaitMilliseconds: UInt64 = 5_000

  /// Reads of short routes that run at once, and those of one principal.
  package static let readThreads = 4
  package static let readThreadsPerOwner = 2

  /// Reads that may wait for a thread, and those of one principal.
  package static let waitingReads = 4_096
  package static let waitingReadsPerOwner = 512

  /// Reads of a principal's watches that may wait; while more do, they run at low priority, so many
  /// at once.
  package static let promptWatchReads = 8
  package static let crowdedReadThreads = 2

  /// Long reads that run at once, and those of one principal that may wait.
  package static let longReadThreads = 2
  package static let waitingLongReadsPerOwner = 256

  /// After so long without a read a thread for reads ends.
  package static let idleReadThreadMilliseconds: UInt64 = 10_000

  /// How long a read may take, all its statements together.
  package static let readMilliseconds: UInt64 = 5_000

  /// The write-ahead log at which an idle writer checkpoints.
  package static let idleCheckpointByteCount = 4 << 20

  /// The write-ahead log at which the writer checkpoints whatever waits.
  package static let forcedCheckpointByteCount = 8 << 20

  /// The write-ahead log at which the writer checkpoints behind a bulk of rows, and that while
  /// other commands arrive.
  package static let bulkCheckpointByteCount = 1 << 20
  package static let sharedBulkCheckpointByteCount = 256 << 10

  /// How long a forced checkpoint waits for readers to leave the log.
  package static let checkpointWaitMilliseconds: Int32 = 20

  /// How often an idle writer tries whether a full disk has room again.
  package static let diskProbeMilliseconds: UInt64 = 1_000

  /// How long the writer is idle before it looks after the log and old rows.
  package static let idleMilliseconds: UInt64 = 200

  /// How long an idempotency key is kept.
  package static let idempotencyKeepMilliseconds: Int64 = 24 * 3_600_000

  /// Idempotency keys of one principal, and the bytes of these with the replies kept under them.
  package static let idempotencyKeysPerPrincipal: Int64 = 100_000
  package static let keyBytesPerPrincipal: Int64 = 64 << 20

  /// Idempotency keys of all principals, and their bytes.
  package static let idempotencyKeys: Int64 = 10_000_000
  package static let keyBytes: Int64 = 4 << 30

  /// Idempotency keys that a principal may have although those of all are too many.
  package static let sparedIdempotencyKeys: Int64 = 1_000

  /// Bytes that one principal may store, kept replies included, and rows.
  package static let storedBytesPerPrincipal: Int64 = 256 << 20
  package static let storedRowsPerPrincipal: Int64 = 4_000_000

  /// Bytes that one principal may write in a minute, all of them at once if it likes.
  package static let storedBytesPerMinute: Int64 = 16 << 20

  /// Principals whose rate of writing is remembered.
  static let ratedPrincipals = 65_536

  /// How long a journal row is kept at least, while there are fewer than the most.
  package static let journalKeepMilliseconds: Int64 = 7 * 24 * 3_600_000

  /// Journal rows that are kept at most.
  package static let journalRows: Int64 = 1_000_000

  /// Old rows that one slice of sweeping removes from one table.
  package static let expiredRowsPerSlice: Int64 = 256

  /// Commands between two slices of sweeping while the writer is busy.
  ///
  /// Less than `expiredRowsPerSlice`, so that sweeping outruns what is written.
  package static let commandsPerExpiry = 128

  /// Rows of a page where none is asked for, and at most.
  package static let defaultPageSize: UInt32 = 50
  package static let maximumPageSize: UInt32 = 500

  /// The largest number of characters of a page token, which may contain a name.
  package static let pageTokenLength = 4_096

  /// Items of equipment of one principal.
  package static let equipmentPerPrincipal: Int64 = 100_000

  /// Items of equipment that are kept in memory; about half a kilobyte each.
  package static let cachedEquipment = 16_384
  /// Items with more bytes of texts are read from the database each time.
  package static let cachedEquipmentTextBytes = 1_024

  /// The largest database that is checked before it is served; a larger one is checked behind.
  package static let checkedBeforeServingByteCount: Int64 = 256 << 20

  /// Findings of one kind that `Store.verify` names.
  package static let findingsPerCheck = 20

  /// Pages of the database file that are compared with their checksums each second, and those that
  /// `Store.verify` compares at a time.
  package static let scrubbedPages: Int64 = 256
  package static let verifiedPagesPerSlice: Int64 = 4_096

  /// Rows that `Store.verify` reads from one snapshot, and principals whose usage it adds up at
  /// once.
  package static let verifiedRowsPerSlice: Int64 = 2_000
  package static let verifiedPrincipalsPerPart: Int64 = 16_384

  /// Preferences of one principal, characters of a key, and bytes of a value.
  package static let preferencesPerPrincipal: Int64 = 200
  package static let preferenceKeyLength = 64
  package static let preferenceValueByteCount = 4_096

  /// Characters of the name of a time zone.
  package static let timeZoneLength = 64

  /// Rows of a deleted account that one command erases, rows of all principals that it looks
  /// through, and rows that the deletion itself erases: all of a small account.
  package static let erasedRowsPerCommand: Int64 = 64
  package static let searchedRowsPerCommand: Int64 = 1_024
  package static let erasedRowsPerDeletion: Int64 = 1_024

  /// How often the log of an erased account is tried to be emptied while readers hold it.
  static let logTruncationAttempts = 300

  /// Users for whom one service may act.
  package static let actingGrantsPerService: Int64 = 100_000

  /// How often an invite may be redeemed at most.
  package static let inviteUses: Int64 = 1_000

  /// Bytes of texts and bytes that one page of an export reads, before it ends early.
  package static let exportPageByteCount = 1 << 20

  /// Rows of the audit that one page of an export searches.
  package static let searchedExportRows: Int64 = 100_000

  /// Bytes of operations after which the history of a scorecard continues in another item of an
  /// export.
  package static let exportedHistoryByteCount = 256 << 10

  /// Bytes of one part of a paper or a file of an event, before it ends early, and of the address
  /// that QR codes begin with.
  package static let documentPartByteCount = 1 << 19
  package static let documentPartSections = 50
  package static let documentLinkByteCount = 200
  package static let diplomaTextByteCount = 2_000
  package static let diplomaRanks: UInt32 = 1_000

  /// Bow setups of one principal.
  package static let bowSetupsPerPrincipal: Int64 = 500

  /// Versions of one bow setup.
  package static let versionsPerBowSetup: Int64 = 1_000

  /// Sight marks of one sight or one bow setup.
  package static let sightMarksPerOwner: Int64 = 200

  /// Rows of the change journal that one message of a watch covers at most: so many weight entries
  /// with the longest notes fit into it.
  package static let watchedEntries: Int64 = 200

  /// Open watches of all principals, and of one: an eighth.
  package static let watches = 100_000
  package static let watchesPerPrincipal = watches / 8

  /// Those of the spectators of an event at one address: a quarter of what all of them may have.
  package static let watchesPerSpectatorAddress = watchesPerPrincipal / 4

  /// Leaderboards with open watches, of all principals, and of one: an eighth.
  package static let leaderboardTopics = 1_024
  package static let leaderboardTopicsPerPrincipal = leaderboardTopics / 8

  /// Different windows of leaderboards with open watches, about 50 KB each: of all principals, of
  /// one event, and of one principal.
  package static let leaderboardWindows = 4_096
  package static let leaderboardWindowsPerTopic = leaderboardWindows / 4
  package static let leaderboardWindowsPerPrincipal = leaderboardWindows / 8

  /// Windows around participants, of clubs and of later rows that the spectators of an event may
  /// have. The first rows of the event and of each category and session, which boards show, are as
  /// many as an event can have of them, and are not limited. Those of spectators at one address are
  /// a third.
  package static let spectatorWindowsAround = 312
  package static let spectatorWindowsAroundPerAddress = spectatorWindowsAround / 3

  /// Windows without watches that are kept for those that resume, of all leaderboards.
  package static let idleLeaderboardWindows = 256

  /// Bow setups that a refusal calls by their names.
  package static let namedHolders = 5

  /// Formats that one principal has made and not deleted.
  package static let formatsPerPrincipal: Int64 = 200

  /// Sessions alone, and events, of one principal.
  package static let sessionsPerPrincipal: Int64 = 50_000
  package static let tournamentsPerPrincipal: Int64 = 5_000

  /// Guests of one session alone.
  package static let guestsPerSession = 3

  /// Rounds that a session shows: of a tournament those of the caller and its guests.
  package static let roundsPerSessionShown = 100

  /// Formats whose passes a connection to the database keeps in memory.
  package static let formatsPerConnection = 256

  /// The largest number of an arrow's shaft.
  package static let shaftNumber = 99

  /// Rounds that a running handicap shows.
  package static let handicapSteps = 200

  /// Scoring operations on one participant, corrections and retractions included.
  package static let operationsPerParticipant: Int64 = 10_000

  /// The numbers of participants of one event: the maximum, the default, and those of guests.
  package static let participantsPerTournament: UInt32 = 20_000
  package static let defaultParticipants: Int64 = 50
  package static let defaultGuestsPerUser: Int64 = 2
  package static let defaultGuestLimit: Int64 = 10

  /// Scorers of one event.
  package static let scorersPerTournament: Int64 = 500

  /// Categories with their rounds, sessions and officials of one event, and targets of one of its
  /// sessions.
  package static let categoriesPerEvent: Int64 = 200
  package static let roundsPerCategory = 8
  package static let sessionsPerEvent: Int64 = 100
  package static let officialsPerEvent: Int64 = 200
  package static let targetsPerSession: UInt32 = 200

  /// Elimination stages of one category, and rounds of a bracket with the medal matches.
  package static let stagesPerCategory: Int64 = 4
  package static let matchesPerStage = 256
  package static let bracketRounds = 9

  /// Operations of one caller on one match, and shoot-offs of a match.
  package static let operationsPerMatch: Int64 = 500
  package static let shootOffsPerMatch = 20

  /// Operations on the second card of one participant, and the bytes of a signature.
  package static let cardOperationsPerParticipant: Int64 = 1_000
  package static let signatureByteCount = 16_384

  /// Typed totals of one participant, with those that were corrected or removed.
  package static let typedTotalsPerParticipant: Int64 = 100

  /// Leases of one event, and how long a device holds one that it does not renew.
  package static let leasesPerEvent: Int64 = 2_000
  package static let leaseMilliseconds: Int64 = 4 * 3_600_000

  /// Notices of one event that are kept, those that it may get within a minute, and characters of
  /// one; pauses of the shooting of one event.
  package static let noticesPerEvent: Int64 = 50
  package static let noticesPerMinute: Int64 = 10
  package static let noticeLength = 300
  package static let pausesPerEvent: Int64 = 200

  /// The largest number of a target.
  package static let targetNumber: UInt32 = 9_999

  /// Characters of the code of a category or a bib, and of the other texts of an entry.
  package static let eventCodeLength = 16
  package static let entryTextLength = 100

  /// Operations of one event that wait for its organiser.
  package static let lateOperations: Int64 = 100_000

  /// What is read at once to resume the watches of one event's leaderboard: positions, rows of the
  /// journal, changed participants, and the time of each position.
  package static let resumedPositions = 16
  package static let resumedJournalRows: Int64 = 100_000
  package static let resumedParticipants = 2_048
  package static let resumedWatchMilliseconds: UInt64 = 500

  /// Leaderboards that are kept in memory; about 300 bytes a row.
  package static let leaderboards = 64
  /// Requests and encoded replies of reads, kept until an object of their principal changes.
  package static let keptReplyBytes = 16 * 1_048_576
  package static let keptReplyBytesPerPrincipal = 131_072
  /// The length of a request whose reply is kept.
  package static let keptRequestBytes = 1_024
  /// What each kept reply counts besides its own bytes: its place in the tables.
  package static let keptReplyOverheadBytes = 256

  /// Encoded replies with pages of one event's current standings.
  package static let keptStandingsBytes = 262_144
  /// The same of the standings of its categories, sessions and clubs.
  package static let keptPartStandingsBytes = 524_288

  /// Positions of arrows and rounds that comparisons have read, kept until an object of their
  /// principal changes.
  package static let keptComparisonBytes = 16 * 1_048_576
  package static let keptComparisonBytesPerPrincipal = 1_048_576
  /// What each pass of such a round counts besides its own bytes: the counts of its values.
  package static let keptPartOverheadBytes = 160
  /// The changed events that are remembered for them.
  package static let keptEventChanges = 4_096

  /// Weight entries of one principal, deleted ones among them until they are swept.
  package static let weightEntriesPerPrincipal: Int64 = 100_000

  /// Bytes of the entries of one month that are shown together, below those of a message.
  package static let sectionByteCount = 3 << 20

  /// How long a deleted weight entry can be restored.
  package static let deletedWeightKeepMilliseconds: Int64 = 30 * 24 * 3_600_000

  /// Exercises and sets of one principal.
  package static let exercisesPerPrincipal: Int64 = 5_000
  package static let liftSetsPerPrincipal: Int64 = 10_000_000

  /// Series of sets of one principal: one of each exercise, and of each large import that had sets
  /// of it.
  package static let liftSeriesPerPrincipal: Int64 = 10_000

  /// Daily maxima of one window.
  package static let liftPointsPerWindow = 5_000

  /// Scoring operations of a batch that one command applies.
  package static let operationsPerCommand = 50

  /// Entries of an event that one command adds.
  package static let entriesPerCommand = 25

  /// Weight entries that one command of an import writes, their bytes, and how many it writes
  /// before it checks whether others wait.
  package static let weightsPerImportBatch = 125
  package static let importBatchByteCount = 131_072
  package static let weightsPerImportStep = 25

  /// Journal rows that one command reads to see whether an entry has changed since the file was
  /// compared.
  package static let comparedChanges: Int64 = 2_000

  /// Imports of weights of one principal that wait for its running one, and when a refused one
  /// should be sent again.
  package static let waitingImportsPerPrincipal = 8
  package static let importRetryMilliseconds: Int32 = 1_000

  /// Sets that one group of an import writes, and that an import may move into the series that are
  /// read already.
  package static let setsPerImportBatch = 2_000

  /// The most sets of such a group while other commands arrive.
  package static let setsPerSharedBatch = 500

  /// Sets that such a group writes, some tenths of a millisecond, before it looks whether single
  /// commands wait; also the fewest of a group.
  package static let setsPerImportStep = 25

  /// Sets that it writes before it looks whether other bulk commands wait.
  package static let setsPerBulkStep = 125

  /// How long after a single command another one is expected, how long a bulk command should take
  /// until then, and how long its import pauses after it at most.
  package static let sharedMilliseconds: UInt64 = 200
  package static let sharedBulkMicroseconds: UInt64 = 2_000
  package static let longestBulkPauseMilliseconds: UInt64 = 20

  /// Days and different sets of stored logs that one import of sets remembers to match its lines
  /// with, about 100 bytes each.
  package static let liftsMatchedPerImport = 200_000

  /// How much time that no running store saw is not noted, and how many such times are kept.
  package static let noticedGapMilliseconds: Int64 = 1_000
  package static let timeGaps = 1_000

  /// How far the wall clock may differ from stored time at a start before it is logged, and how far
  /// it may be behind before the start is refused.
  package static let loggedClockDifferenceMilliseconds: Int64 = 3_600_000
  package static let refusedClockDifferenceMilliseconds: Int64 = 24 * 3_600_000

  /// How often an idle store saves its time.
  package static let timeSaveIntervalMilliseconds: UInt64 = 600_000

  /// How often the writer checks that its files were not removed or replaced.
  package static let fileCheckIntervalMilliseconds: UInt64 = 1_000

  /// How long a replaced token can stay valid.
  package static let tokenOverlapMilliseconds: Int64 = 7 * 24 * 3_600_000

  /// How long a replaced token stays valid if the request does not state it.
  package static let defaultTokenOverlapMilliseconds: Int64 = 3_600_000

  /// How long the code is valid with which an organiser appoints who shows it.
  package static let introductionCodeMilliseconds: Int64 = 24 * 3_600_000

  /// How long a spectator's token is valid at least, and how long an address that asks again for
  /// the one of an event gets the same.
  package static let spectatorTokenMilliseconds: Int64 = 24 * 3_600_000
  package static let spectatorTokenRepeatMilliseconds: Int64 = 60_000

  /// Tokens of one principal, and how long one that has ended is kept and counts.
  package static let tokensPerPrincipal: Int64 = 10_000
  package static let endedTokenKeepMilliseconds: Int64 = 90 * 24 * 3_600_000

  /// Certificate bindings of one principal, and bytes of a URI in one.
  package static let certificateBindingsPerPrincipal: Int64 = 100
  package static let certificateURIByteCount = 1_024

  /// Rows of the audit that one page of a filtered list reads.
  package static let searchedAuditRows: Int64 = 20_000

  /// Backups of a schedule that are shown, and bytes that must stay free when one is made.
  package static let listedBackups = 1_000
  package static let backupReserveByteCount: Int64 = 64 << 20

  /// How long one slice of `Store.verify` may read.
  package static let verificationMilliseconds: UInt64 = 600_000

  /// Bytes of an idempotency key and of a client_id.
  package static let keyByteCount = 16
}
