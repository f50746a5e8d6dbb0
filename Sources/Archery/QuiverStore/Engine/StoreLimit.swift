import QuiverMetrics

/// A limit of `StoreLimits` that callers can reach, with the number of times that this happened.
///
/// The counts are those of the process, and only refusals change them.
package enum StoreLimit: Int, CaseIterable, Sendable {
  case queuedCommands, waitingReads, waitingReadsPerOwner, waitingLongReadsPerOwner, positionWaits
  case positionWaitsPerPrincipal, idempotencyKeysPerPrincipal, keyBytesPerPrincipal
  case idempotencyKeys, keyBytes, storedBytesPerPrincipal, storedRowsPerPrincipal
  case storedBytesPerMinute, equipmentPerPrincipal, preferencesPerPrincipal
  case actingGrantsPerService, searchedExportRows, bowSetupsPerPrincipal, versionsPerBowSetup
  case sightMarksPerOwner, watches, watchesPerPrincipal, watchesPerSpectatorAddress
  case leaderboardTopics, leaderboardTopicsPerPrincipal, leaderboardWindows
  case leaderboardWindowsPerTopic, leaderboardWindowsPerPrincipal, spectatorWindowsAround
  case spectatorWindowsAroundPerAddress, formatsPerPrincipal, sessionsPerPrincipal
  case tournamentsPerPrincipal, operationsPerParticipant, scorersPerTournament, categoriesPerEvent
  case roundsPerCategory, sessionsPerEvent, officialsPerEvent, stagesPerCategory
  case operationsPerMatch, cardOperationsPerParticipant, leasesPerEvent, devicesPerEvent
  case callsPerEvent, openCallsPerTarget, noticesPerMinute, pausesPerEvent, lateOperations
  case weightEntriesPerPrincipal, sectionByteCount, exercisesPerPrincipal, liftSetsPerPrincipal
  case liftSeriesPerPrincipal, waitingImportsPerPrincipal, liftsMatchedPerImport, timeGaps
  case tokensPerPrincipal, certificateBindingsPerPrincipal, backupReserveByteCount
  case sharesPerOwner, sharesPerReader, shareInvitesPerOwner, typedTotalsPerParticipant

  private static let counts = SharedCounters(count: allCases.count)

  /// The name of the property of `StoreLimits`.
  package var name: String { "\(self)" }

  /// The name in texts of refusals, such as `watches-per-principal`.
  package var words: String {
    name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  /// How often it was reached.
  package var reachedCount: UInt64 { Self.counts.value(at: rawValue) }

  /// Counts that it was reached.
  package func reach() { Self.counts.add(at: rawValue) }
}

extension StoreError {
  /// A refusal at a limit, which is counted.
  package static func reached(
    _ limit: StoreLimit, _ message: String, field: String? = nil, notProcessed: Bool = true,
    retryAfterMilliseconds: Int32? = nil
  ) -> StoreError {
    limit.reach()
    return StoreError(
      .resourceExhausted, message, field: field, notProcessed: notProcessed,
      retryAfterMilliseconds: retryAfterMilliseconds)
  }
}
