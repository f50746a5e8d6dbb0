// Made from Protos/ by protoc_gen_quiver_js.py; do not edit.


/**
 * What an accessory is for.
 * @typedef {"ACCESSORY_TYPE_UNSPECIFIED" | "ACCESSORY_TYPE_TAB" | "ACCESSORY_TYPE_CHEST_GUARD" | "ACCESSORY_TYPE_QUIVER" | "ACCESSORY_TYPE_RELEASE" | "ACCESSORY_TYPE_CLICKER" | "ACCESSORY_TYPE_OTHER" | (string & {})} AccessoryType
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Accessory
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [name] required, 1 to 200 characters; the display_brand
 * @property {AccessoryType} [type] required; its label is the display_model
 * @property {string} [purpose] at most 200 characters
 * @property {string} [size] at most 200 characters
 * @property {string} [thickness] at most 200 characters
 * @property {string} [material] at most 200 characters
 * @property {string} [travel] at most 200 characters
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} AccessoryInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [name] required, 1 to 200 characters; the display_brand
 * @property {AccessoryType} [type] required; its label is the display_model
 * @property {string} [purpose] at most 200 characters
 * @property {string} [size] at most 200 characters
 * @property {string} [thickness] at most 200 characters
 * @property {string} [material] at most 200 characters
 * @property {string} [travel] at most 200 characters
 */

/**
 * @typedef {object} CreateAccessoryRequestInit
 * @property {AccessoryInit} [accessory] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetAccessoryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateAccessoryRequestInit
 * @property {AccessoryInit} [accessory] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteAccessoryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteAccessoryResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveAccessoryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreAccessoryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} MetadataInit
 * @property {string} [key]
 * @property {string | Uint8Array} [value]
 */

/**
 * @typedef {object} DetailInit
 * @property {string} [type] full message name
 * @property {string | Uint8Array} [value]
 */

/**
 * @typedef {object} Cancel
 * @property {number} [code] a status code; 0: CANCELLED
 * @property {string} [reason]
 */

/**
 * @typedef {object} GoAway
 * @property {number} [code]
 * @property {string} [reason]
 * @property {number} [lastStreamId]
 * @property {number} [drainMs]
 */

/**
 * The kind of a principal.
 * - PRINCIPAL_KIND_DEVICE: of Events.JoinTarget without a token; not of CreatePrincipal
 * @typedef {"PRINCIPAL_KIND_UNSPECIFIED" | "PRINCIPAL_KIND_USER" | "PRINCIPAL_KIND_SERVICE" | "PRINCIPAL_KIND_ADMINISTRATOR" | "PRINCIPAL_KIND_DEVICE" | (string & {})} PrincipalKind
 */

/**
 * The permissions of a token. Every token may read. A method that changes data needs write, otherwise it is
 * PERMISSION_DENIED.
 * - TOKEN_SCOPE_ADMIN: the methods of Admin; only for administrators
 * @typedef {"TOKEN_SCOPE_UNSPECIFIED" | "TOKEN_SCOPE_READ" | "TOKEN_SCOPE_WRITE" | "TOKEN_SCOPE_ADMIN" | (string & {})} TokenScope
 */

/**
 * What a service may call for a user. Calls of other methods are PERMISSION_DENIED; no scope includes Admin or
 * Account/RotateToken.
 * - ACTING_SCOPE_READ: what changes nothing, except Account/ExportMyData
 * - ACTING_SCOPE_EQUIPMENT: changes by Equipment and Comparison
 * - ACTING_SCOPE_SCORING: changes by Rounds and Tournament
 * - ACTING_SCOPE_LOGBOOK: changes by Logbook
 * - ACTING_SCOPE_ACCOUNT: changes by Account, its deletion included, and ExportMyData
 * @typedef {"ACTING_SCOPE_UNSPECIFIED" | "ACTING_SCOPE_READ" | "ACTING_SCOPE_EQUIPMENT" | "ACTING_SCOPE_SCORING" | "ACTING_SCOPE_LOGBOOK" | "ACTING_SCOPE_ACCOUNT" | (string & {})} ActingScope
 */

/**
 * The kind of a subject alternative name.
 * @typedef {"CERTIFICATE_NAME_KIND_UNSPECIFIED" | "CERTIFICATE_NAME_KIND_DNS" | "CERTIFICATE_NAME_KIND_URI" | (string & {})} CertificateNameKind
 */

/**
 * The kind of work that takes long.
 * - LONG_WORK_KIND_EXPORT: one page of an export
 * - LONG_WORK_KIND_ERASURE: of a deleted account
 * @typedef {"LONG_WORK_KIND_UNSPECIFIED" | "LONG_WORK_KIND_BACKUP" | "LONG_WORK_KIND_VERIFICATION" | "LONG_WORK_KIND_IMPORT" | "LONG_WORK_KIND_EXPORT" | "LONG_WORK_KIND_ERASURE" | (string & {})} LongWorkKind
 */

/**
 * A user, a service or an administrator, identified by its tokens.
 * @typedef {object} Principal
 * @property {string} [id]
 * @property {PrincipalKind} [kind]
 * @property {string} [displayName] 1 to 50 characters, or empty
 * @property {string} [createdAtMs]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [disabledAtMs] absent: not disabled
 * @property {string} [deletedAtMs] absent: the account was not deleted
 * @property {string} [shownName] display_name, or "Archer <id>"
 */

/**
 * A user, a service or an administrator, identified by its tokens.
 * @typedef {object} PrincipalInit
 * @property {string | bigint} [id]
 * @property {PrincipalKind} [kind]
 * @property {string} [displayName] 1 to 50 characters, or empty
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string | bigint} [disabledAtMs] absent: not disabled
 * @property {string | bigint} [deletedAtMs] absent: the account was not deleted
 * @property {string} [shownName] display_name, or "Archer <id>"
 */

/**
 * @typedef {object} CreatePrincipalRequest
 * @property {PrincipalKind} [kind]
 * @property {string} [displayName] 1 to 50 characters, or empty
 */

/**
 * @typedef {object} ListPrincipalsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListPrincipalsResponse
 * @property {Principal[]} [principals]
 * @property {string} [nextPageToken]
 */

/**
 * The description of a token. The token itself is returned once, when it is created.
 * @typedef {object} Token
 * @property {string} [id]
 * @property {string} [principalId]
 * @property {string} [label] at most 200 characters
 * @property {string} [createdAtMs]
 * @property {string} [expiresAtMs] absent: never
 * @property {string} [revokedAtMs]
 * @property {string} [principalName]
 * @property {PrincipalKind} [principalKind]
 * @property {TokenScope[]} [scopes]
 */

/**
 * @typedef {object} CreateTokenRequestInit
 * @property {string | bigint} [principalId]
 * @property {string} [label]
 * @property {string | bigint} [expiresAtMs] must be in the future
 * @property {TokenScope[]} [scopes] empty: all scopes that the kind of the principal allows
 */

/**
 * @typedef {object} CreateTokenResponse
 * @property {Token} [token]
 * @property {string} [secret] qv_ and 32 random bytes in base64url; not shown again
 */

/**
 * @typedef {object} ListTokensRequestInit
 * @property {string | bigint} [principalId] 0: of all principals
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListTokensResponse
 * @property {Token[]} [tokens]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} RevokeTokenRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} GetPrincipalRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} UpdatePrincipalRequestInit
 * @property {PrincipalInit} [principal] with id and the revision that was read
 * @property {string[]} [updateMask] of display_name
 */

/**
 * @typedef {object} DisablePrincipalRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} EnablePrincipalRequestInit
 * @property {string | bigint} [id]
 */

/**
 * The description of an invite. Its code is returned once, when it is created.
 * @typedef {object} Invite
 * @property {string} [id]
 * @property {string} [label] at most 200 characters
 * @property {number} [uses] how many users it can create, 1 to 1,000
 * @property {number} [usesLeft]
 * @property {string} [createdBy] a principal's id
 * @property {string} [createdAtMs]
 * @property {string} [expiresAtMs] absent: never
 * @property {string} [revokedAtMs]
 */

/**
 * @typedef {object} CreateInviteRequestInit
 * @property {string} [label]
 * @property {number} [uses]
 * @property {string | bigint} [expiresAtMs] must be in the future
 */

/**
 * @typedef {object} CreateInviteResponse
 * @property {Invite} [invite]
 * @property {string} [code] 16 characters of Crockford's base32 in four groups; not shown again
 */

/**
 * @typedef {object} ListInvitesRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListInvitesResponse
 * @property {Invite[]} [invites]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} RevokeInviteRequestInit
 * @property {string | bigint} [id]
 */

/**
 * The permission of a service to act for a user.
 * @typedef {object} ActingGrant
 * @property {string} [serviceId] a principal's id, of the kind service
 * @property {string} [userId] a principal's id, of the kind user
 * @property {string} [grantedBy] the id of the administrator
 * @property {string} [grantedAtMs]
 * @property {ActingScope[]} [scopes]
 */

/**
 * A name in client certificates that identifies a principal.
 * @typedef {object} CertificateBinding
 * @property {string} [id]
 * @property {string} [principalId]
 * @property {CertificateNameKind} [kind]
 * @property {string} [name] a DNS name in lower case without a wildcard, or an absolute URI
 * @property {string} [label]
 * @property {string} [createdBy]
 * @property {string} [createdAtMs]
 */

/**
 * @typedef {object} BindCertificateRequestInit
 * @property {string | bigint} [principalId]
 * @property {CertificateNameKind} [kind]
 * @property {string} [name]
 * @property {string} [label] at most 200 characters
 */

/**
 * @typedef {object} ListCertificateBindingsRequestInit
 * @property {string | bigint} [principalId] 0: of all principals
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListCertificateBindingsResponse
 * @property {CertificateBinding[]} [bindings]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} RemoveCertificateBindingRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} GrantActingRequestInit
 * @property {string | bigint} [serviceId]
 * @property {string | bigint} [userId]
 * @property {ActingScope[]} [scopes] empty: all but account; read is always included
 */

/**
 * @typedef {object} RevokeActingRequestInit
 * @property {string | bigint} [serviceId]
 * @property {string | bigint} [userId]
 */

/**
 * @typedef {object} ListActingGrantsRequestInit
 * @property {string | bigint} [serviceId] 0: of all services
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListActingGrantsResponse
 * @property {ActingGrant[]} [grants]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} ListConnectionsRequest
 */

/**
 * @typedef {object} ListConnectionsResponse
 * @property {OpenConnection[]} [connections]
 * @property {number} [openCount] of all, shown or not
 */

/**
 * One open connection.
 * @typedef {object} OpenConnection
 * @property {string} [id] since the server's start
 * @property {string} [address] the peer's, without its port
 * @property {string} [principalId] 0: anonymous
 * @property {string} [tokenId] 0: none
 * @property {number} [openCalls]
 * @property {string} [connectedAtMs]
 */

/**
 * @typedef {object} VerifyRequest
 */

/**
 * @typedef {object} VerifyResponse
 * @property {Finding[]} [findings] empty: nothing was found; at most 20 of each subject
 * @property {string[]} [subjects] what was checked, in order
 */

/**
 * A difference between stored data and what it must be.
 * @typedef {object} Finding
 * @property {string} [subject] pages, audit, journal, idempotency-keys, counts, usage, rollups, logbook
 * @property {string} [message]
 */

/**
 * @typedef {object} BackupRequest
 * @property {string} [file] an absolute path on the server
 */

/**
 * @typedef {object} BackupResponse
 * @property {string} [file]
 * @property {string} [byteCount]
 * @property {string} [sha256]
 */

/**
 * @typedef {object} ListBackupsRequest
 */

/**
 * @typedef {object} ListBackupsResponse
 * @property {StoredBackup[]} [backups]
 * @property {string} [directory] on the server
 * @property {string} [intervalMs]
 * @property {number} [keptCount] how many backups are kept
 * @property {string} [keptMs] how long a backup is kept
 * @property {string} [nextAtMs] when the next one is due; in the past if it is late
 * @property {boolean} [running] a scheduled backup is being made
 * @property {string} [madeCount] since the server started
 * @property {string} [failedCount] since the server started
 * @property {string} [failure] why the latest attempt failed; empty if it did not
 */

/**
 * A backup in the directory of the schedule.
 * @typedef {object} StoredBackup
 * @property {string} [file] the absolute path on the server
 * @property {string} [madeAtMs] when it began, to the second
 * @property {string} [byteCount]
 * @property {string} [sha256] 32 bytes; empty: it was not verified
 */

/**
 * @typedef {object} ListLimitsRequestInit
 * @property {string | bigint} [principalId] 0: the limits of the server
 */

/**
 * @typedef {object} ListLimitsResponse
 * @property {LimitUse[]} [limits]
 */

/**
 * A limit with what uses it.
 * @typedef {object} LimitUse
 * @property {string} [name] as in docs/limits.md
 * @property {string} [value] bytes, milliseconds or a count, as the name says
 * @property {string} [used] now; absent: it counts for each connection, call or principal
 * @property {string} [reachedCount] since the server started; 0 where it is not counted
 */

/**
 * @typedef {object} ListLongWorkRequest
 */

/**
 * @typedef {object} ListLongWorkResponse
 * @property {LongWork[]} [work]
 */

/**
 * Work that runs now.
 * @typedef {object} LongWork
 * @property {string} [id] since the server's start
 * @property {LongWorkKind} [kind]
 * @property {string} [principalId] for whom; 0: for the server
 * @property {string} [beganAtMs]
 * @property {string} [done] of a backup pages, of an import bytes
 * @property {string} [total] 0: not known
 */

/**
 * @typedef {object} ListAuditRequestInit
 * @property {string | bigint} [fromMs] rows from this time on
 * @property {string | bigint} [untilMs] rows before this time
 * @property {string | bigint} [principalId] rows whose actor or principal this is; 0: all
 * @property {string} [objectKind] the kind of object, as in AuditEntry; empty: all
 * @property {string | bigint} [objectId] 0: all
 * @property {string} [action] token.revoke; with a point at its end all that begin so: token.
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken]
 */

/**
 * @typedef {object} ListAuditResponse
 * @property {AuditEntry[]} [entries]
 * @property {string} [nextPageToken]
 */

/**
 * A row of the audit. After the erasure of an account its texts are empty.
 * @typedef {object} AuditEntry
 * @property {string} [sequence] from 1, without gaps
 * @property {string} [atMs]
 * @property {string} [actorId] the principal that called: a service where it acted for a user
 * @property {string} [principalId] for whom; 0: the server itself
 * @property {string} [tokenId] 0: none
 * @property {string} [action] for example token.revoke
 * @property {string} [objectKind] server, principal, token, invite, tournament, round and so on
 * @property {string} [objectId]
 * @property {string} [topicId] the object's parent, for example the event of a participant; 0: none
 * @property {string} [before] in a form that the action defines
 * @property {string} [after]
 * @property {string} [device]
 * @property {string} [reason]
 */

/**
 * @typedef {object} GetServerStatusRequest
 * @property {boolean} [withMethods] also the counts of each method that was called
 */

/**
 * What the server does now, and what it has done since it started. Rates are differences between two of them.
 * @typedef {object} ServerStatus
 * @property {string} [atMs]
 * @property {string} [startedAtMs]
 * @property {string} [software]
 * @property {boolean} [serving] takes calls and can store
 * @property {string} [reason] why it does not; empty if it does
 * @property {number} [openConnections]
 * @property {string} [acceptedConnections]
 * @property {string} [droppedConnections] without an answer, because no descriptor was left
 * @property {number} [openCalls]
 * @property {number} [watches]
 * @property {string} [heldInputBytes] of messages that were received and not taken
 * @property {string} [heldOutputBytes] of messages that wait to be sent
 * @property {string} [heldBytesLimit]
 * @property {number} [queuedCommands]
 * @property {number} [waitingReads]
 * @property {string} [walBytes]
 * @property {string} [committedCommands]
 * @property {string} [replayedCommands] answered from a stored reply
 * @property {string} [refusedCommands]
 * @property {Timing} [commits] batches of commands, with their fsync
 * @property {Timing} [reads] on threads for reads
 * @property {string} [residentBytes]
 * @property {string} [cpuNs]
 * @property {string} [newestBackupAtMs] absent: there is none
 * @property {string} [backupIntervalMs] 0: no backups are scheduled
 * @property {number} [longWork] see ListLongWork
 * @property {MethodStatus[]} [methods]
 * @property {string[]} [bucketBoundsNs] the upper bounds of the buckets of each Timing
 */

/**
 * The calls of a method.
 * @typedef {object} MethodStatus
 * @property {string} [method] for example quiver.v1.Account/WhoAmI
 * @property {string} [handled] calls that have ended
 * @property {string} [failed] of these with another code than OK
 * @property {Timing} [time]
 */

/**
 * How often something was done, and how long it took.
 * @typedef {object} Timing
 * @property {string} [count]
 * @property {string} [totalNs]
 * @property {string[]} [buckets] of each bucket by itself; one more than bucket_bounds_ns
 */

/**
 * @typedef {object} TransferTournamentRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [organiserId] the id of a user
 */

/**
 * @typedef {object} TransferTournamentResponse
 * @property {string} [tournamentId]
 * @property {string} [organiserId]
 * @property {string} [previousOrganiserId]
 */

/**
 * A bowstyle of Archery GB. Target archery has the first four: traditional bows and flatbows count as barebows
 * there, the other compounds as compounds.
 * @typedef {"BOWSTYLE_UNSPECIFIED" | "BOWSTYLE_COMPOUND" | "BOWSTYLE_RECURVE" | "BOWSTYLE_BAREBOW" | "BOWSTYLE_LONGBOW" | "BOWSTYLE_TRADITIONAL" | "BOWSTYLE_FLATBOW" | "BOWSTYLE_COMPOUND_LIMITED" | "BOWSTYLE_COMPOUND_BAREBOW" | (string & {})} Bowstyle
 */

/**
 * A gender category of Archery GB.
 * - ARCHER_GENDER_OPEN: open to all; the scores of men
 * @typedef {"ARCHER_GENDER_UNSPECIFIED" | "ARCHER_GENDER_OPEN" | "ARCHER_GENDER_FEMALE" | (string & {})} ArcherGender
 */

/**
 * An age group of Archery GB: of the age that an archer reaches in the calendar year.
 * - AGE_GROUP_UNDER_21: adult in field archery
 * @typedef {"AGE_GROUP_UNSPECIFIED" | "AGE_GROUP_OVER_50" | "AGE_GROUP_ADULT" | "AGE_GROUP_UNDER_21" | "AGE_GROUP_UNDER_18" | "AGE_GROUP_UNDER_16" | "AGE_GROUP_UNDER_15" | "AGE_GROUP_UNDER_14" | "AGE_GROUP_UNDER_12" | (string & {})} AgeGroup
 */

/**
 * A part of a user's data that it shares. Each part is named: there is no value for all.
 * - SHARE_PART_EQUIPMENT: items, bow setups and sight marks
 * - SHARE_PART_ROUNDS: the user's own rounds with arrows, best scores, handicaps; no guests
 * - SHARE_PART_COMPARISON: statistics and comparisons of setups and items
 * - SHARE_PART_WEIGHT: body weight with its plan
 * - SHARE_PART_STRENGTH: sets of strength training
 * - SHARE_PART_TRAINING_LOG: rounds and exercises by day; weight only if WEIGHT is shared too
 * @typedef {"SHARE_PART_UNSPECIFIED" | "SHARE_PART_EQUIPMENT" | "SHARE_PART_ROUNDS" | "SHARE_PART_COMPARISON" | "SHARE_PART_WEIGHT" | "SHARE_PART_STRENGTH" | "SHARE_PART_TRAINING_LOG" | (string & {})} SharePart
 */

/**
 * Whose shares are listed.
 * - SHARE_SIDE_UNSPECIFIED: both
 * - SHARE_SIDE_GIVEN: what the caller shares
 * - SHARE_SIDE_RECEIVED: what others share with the caller
 * @typedef {"SHARE_SIDE_UNSPECIFIED" | "SHARE_SIDE_GIVEN" | "SHARE_SIDE_RECEIVED" | (string & {})} ShareSide
 */

/**
 * What a user lets another principal read.
 * @typedef {object} Share
 * @property {string} [id]
 * @property {string} [ownerId] whose data it is: the id that the reader names in quiver-user
 * @property {string} [ownerName] or "Archer <id>"
 * @property {string} [readerId] who may read it
 * @property {string} [readerName] or "Archer <id>"
 * @property {SharePart[]} [parts]
 * @property {number} [untilDay] the last day, in the owner's time zone
 * @property {string} [endsAtMs] when that day is over
 * @property {string} [createdAtMs]
 * @property {string} [lastReadAtMs] by the reader, to a quarter of an hour; 0: never
 */

/**
 * @typedef {object} ShareDataRequestInit
 * @property {string} [principalCode] that the reader shows (Account.GetIntroductionCode)
 * @property {string | bigint} [shareId] instead of the code: a share of the caller, which gets these parts and day
 * @property {SharePart[]} [parts] at least one
 * @property {number} [untilDay] the last day, in the caller's time zone: today to 731 days ahead
 */

/**
 * An invitation to read parts of a user's data, without its code.
 * @typedef {object} ShareInvite
 * @property {string} [id]
 * @property {SharePart[]} [parts]
 * @property {number} [untilDay] of the share, in the owner's time zone
 * @property {string} [createdAtMs]
 * @property {string} [expiresAtMs] when the code ends
 */

/**
 * @typedef {object} CreateShareInviteRequest
 * @property {SharePart[]} [parts] at least one
 * @property {number} [untilDay] the last day, in the caller's time zone: today to 731 days ahead
 */

/**
 * @typedef {object} CreateShareInviteResponse
 * @property {ShareInvite} [invite]
 * @property {string} [code] 16 characters; not shown again
 */

/**
 * @typedef {object} AcceptShareInviteRequest
 * @property {string} [code] 16 characters; case, hyphens and spaces are ignored
 */

/**
 * @typedef {object} EndShareInviteRequestInit
 * @property {string | bigint} [inviteId]
 */

/**
 * @typedef {object} ListShareInvitesRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * @typedef {object} ListShareInvitesResponse
 * @property {ShareInvite[]} [invites]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * @typedef {object} ListSharesRequest
 * @property {ShareSide} [side]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only for the same side
 */

/**
 * @typedef {object} ListSharesResponse
 * @property {Share[]} [shares]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * @typedef {object} EndShareRequestInit
 * @property {string | bigint} [shareId]
 */

/**
 * The unit of a distance.
 * - DISTANCE_UNIT_YARD: 0.9144 m
 * @typedef {"DISTANCE_UNIT_UNSPECIFIED" | "DISTANCE_UNIT_METRE" | "DISTANCE_UNIT_YARD" | (string & {})} DistanceUnit
 */

/**
 * A mark belongs to one sight or one bow setup, which cannot be changed, and is deleted with it. At most 200
 * marks per owner; several for one distance are allowed.
 * @typedef {object} SightMark
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [sightId] the owner, by one of these four when it is created
 * @property {string} [sightClientId]
 * @property {string} [setupId]
 * @property {string} [setupClientId]
 * @property {number} [distance] in units; above 0, at most 1,000
 * @property {DistanceUnit} [unit] required
 * @property {number} [markValue] the value on the scale, -100,000 to 100,000
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {string} [revision] from 1; an update names the revision that it read
 */

/**
 * A mark belongs to one sight or one bow setup, which cannot be changed, and is deleted with it. At most 200
 * marks per owner; several for one distance are allowed.
 * @typedef {object} SightMarkInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string | bigint} [sightId] the owner, by one of these four when it is created
 * @property {string | Uint8Array} [sightClientId]
 * @property {string | bigint} [setupId]
 * @property {string | Uint8Array} [setupClientId]
 * @property {number} [distance] in units; above 0, at most 1,000
 * @property {DistanceUnit} [unit] required
 * @property {number} [markValue] the value on the scale, -100,000 to 100,000
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 */

/**
 * @typedef {object} CreateSightMarkRequestInit
 * @property {SightMarkInit} [sightMark] fields that the server sets are ignored
 */

/**
 * The owner, by one of the four.
 * @typedef {object} ListSightMarksRequestInit
 * @property {string | bigint} [sightId]
 * @property {string | Uint8Array} [sightClientId]
 * @property {string | bigint} [setupId]
 * @property {string | Uint8Array} [setupClientId]
 */

/**
 * @typedef {object} ListSightMarksResponse
 * @property {SightMark[]} [sightMarks]
 */

/**
 * @typedef {object} UpdateSightMarkRequestInit
 * @property {SightMarkInit} [sightMark] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] of distance, unit, mark_value and notes
 */

/**
 * @typedef {object} DeleteSightMarkRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} DeleteSightMarkResponse
 */

/**
 * A target face.
 * - FACE_3D: animals; arrows have a value and no position
 * @typedef {"FACE_UNSPECIFIED" | "FACE_5_ZONE" | "FACE_10_ZONE" | "FACE_10_ZONE_COMPOUND" | "FACE_10_ZONE_6_RING" | "FACE_10_ZONE_5_RING" | "FACE_10_ZONE_5_RING_COMPOUND" | "FACE_11_ZONE" | "FACE_11_ZONE_6_RING" | "FACE_11_ZONE_5_RING" | "FACE_WA_FIELD" | "FACE_IFAA_FIELD" | "FACE_IFAA_FIELD_EXPERT" | "FACE_AA_NATIONAL_FIELD" | "FACE_BEITER_HIT_MISS" | "FACE_WORCESTER" | "FACE_WORCESTER_2_RING" | "FACE_3D" | (string & {})} Face
 */

/**
 * The place where a round is shot. It determines the default arrows per end and the default diameter of arrows.
 * @typedef {"ROUND_LOCATION_UNSPECIFIED" | "ROUND_LOCATION_INDOOR" | "ROUND_LOCATION_OUTDOOR" | "ROUND_LOCATION_FIELD" | (string & {})} RoundLocation
 */

/**
 * The scoring of a target face.
 * @typedef {object} FaceInfo
 * @property {Face} [face]
 * @property {string} [code] for example 10_zone
 * @property {number[]} [values] highest first, without 0 for a miss
 * @property {FaceRing[]} [rings] smallest first; empty if arrows have only a value
 * @property {number} [xRing] diameter as a fraction of the face's; 0: no X
 * @property {number} [topValue]
 * @property {number} [secondValue] the top value if there is only one value
 */

/**
 * One ring of a face.
 * @typedef {object} FaceRing
 * @property {number} [diameter] as a fraction of the nominal face, which is 1
 * @property {number} [value]
 */

/**
 * Arrows at one distance and face.
 * @typedef {object} RoundPass
 * @property {number} [arrows] 1 to 1,000
 * @property {number} [arrowsPerEnd] 0: 3 indoors and in the field, 6 outdoors; at most 12
 * @property {number} [distance] in units; above 0, at most 1,000
 * @property {DistanceUnit} [unit]
 * @property {Face} [face]
 * @property {number} [diameterCm] of the nominal face; above 0, at most 300
 */

/**
 * A list of passes. A format never changes. Ends are counted from 0 through all passes; the last end of a pass
 * may be short.
 * @typedef {object} RoundFormat
 * @property {string} [id] from the server; 0: a library format that was never shot
 * @property {string} [clientId] UUIDv7 from the client; optional; only of custom formats
 * @property {string} [codename] of library formats, for example wa18; empty for custom formats
 * @property {string} [name] 1 to 200 characters
 * @property {RoundLocation} [location]
 * @property {string} [body] for example WA; at most 200 characters
 * @property {RoundPass[]} [passes] 1 to 32
 * @property {number} [arrowCount] From the server:
 * @property {number} [endCount]
 * @property {number} [maximumScore]
 * @property {string} [createdAtMs] 0: of the library
 */

/**
 * A list of passes. A format never changes. Ends are counted from 0 through all passes; the last end of a pass
 * may be short.
 * @typedef {object} RoundFormatInit
 * @property {string | bigint} [id] from the server; 0: a library format that was never shot
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; only of custom formats
 * @property {string} [codename] of library formats, for example wa18; empty for custom formats
 * @property {string} [name] 1 to 200 characters
 * @property {RoundLocation} [location]
 * @property {string} [body] for example WA; at most 200 characters
 * @property {RoundPass[]} [passes] 1 to 32
 * @property {number} [arrowCount] From the server:
 * @property {number} [endCount]
 * @property {number} [maximumScore]
 * @property {string | bigint} [createdAtMs] 0: of the library
 */

/**
 * Names a format by one of the three.
 * @typedef {object} FormatReferenceInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string} [codename]
 * @property {number} [arrowLimit] above 0: only this many arrows of it, from the first
 */

/**
 * @typedef {object} ListFormatsRequest
 * @property {boolean} [ownOnly] only custom formats
 */

/**
 * The library in its order, the same on each call, then custom formats by id, at most 200.
 * @typedef {object} ListFormatsResponse
 * @property {RoundFormat[]} [formats]
 */

/**
 * @typedef {object} GetFormatRequestInit
 * @property {FormatReferenceInit} [format]
 */

/**
 * @typedef {object} CreateFormatRequestInit
 * @property {RoundFormatInit} [format] fields that the server sets are ignored
 */

/**
 * Removes a custom format from the list. Rounds that use it keep it.
 * @typedef {object} DeleteFormatRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} DeleteFormatResponse
 */

/**
 * @typedef {object} ListFacesRequest
 */

/**
 * @typedef {object} ListFacesResponse
 * @property {FaceInfo[]} [faces]
 */

/**
 * How an arrow was entered.
 * - INPUT_MODE_UNSPECIFIED: BUTTONS without a position, TARGET with one
 * @typedef {"INPUT_MODE_UNSPECIFIED" | "INPUT_MODE_BUTTONS" | "INPUT_MODE_TARGET" | (string & {})} InputMode
 */

/**
 * The effect of an operation on its slot.
 * - OPERATION_KIND_UNSPECIFIED: the kind of the call
 * @typedef {"OPERATION_KIND_UNSPECIFIED" | "OPERATION_KIND_RECORD" | "OPERATION_KIND_CORRECT" | "OPERATION_KIND_RETRACT" | (string & {})} OperationKind
 */

/**
 * The kind of a scorer's next slot.
 * - NEXT_KIND_ARROW: the same participant's end is still open
 * - NEXT_KIND_PARTICIPANT: the next one of this scorer by target and letter, in the same end
 * - NEXT_KIND_END: the next end
 * - NEXT_KIND_DONE: this scorer has finished
 * @typedef {"NEXT_KIND_UNSPECIFIED" | "NEXT_KIND_ARROW" | "NEXT_KIND_PARTICIPANT" | "NEXT_KIND_END" | "NEXT_KIND_DONE" | (string & {})} NextKind
 */

/**
 * The result of one operation.
 * - VERDICT_SAME: The operation is a repetition, whoever may score now, or the slot already had this value; nothing changed.
 * - VERDICT_LATE: stored for a decision of the organiser, because the event is finalised
 * - VERDICT_NOT_YET: The operation that it replaces has not arrived, the event has not started or is paused, or no device has joined the target; send it again later.
 * - VERDICT_CONFLICT: the slot has another value
 * @typedef {"VERDICT_UNSPECIFIED" | "VERDICT_STORED" | "VERDICT_SAME" | "VERDICT_LATE" | "VERDICT_NOT_YET" | "VERDICT_CONFLICT" | "VERDICT_REFUSED" | (string & {})} Verdict
 */

/**
 * One step of scoring. It names its slot: participant, end and arrow. Slots may be filled in any order.
 * Operations have no conflict if each slot has one RECORD, and its corrections and retractions form a chain in
 * which each names the operation that it replaces. Any order, repetition and splitting of such operations has the
 * same result. A retraction empties its slot. A correction that names the retraction fills the slot again, and so
 * does another RECORD that arrives after it.
 * @typedef {object} ScoringOperation
 * @property {string} [clientId] UUIDv7 from the client, which identifies repeated operations; unique per principal, whichever participant the operation is for (else ALREADY_EXISTS). Optional in calls with one operation, required in batches.
 * @property {OperationKind} [kind]
 * @property {string} [participantId] or the next
 * @property {string} [participantClientId]
 * @property {number} [endIndex] from 0, through all passes
 * @property {number} [arrowIndex] from 0, within the end
 * @property {number} [value] Of RECORD and CORRECT. Absent: the value follows from the position and the face's rings, including the X ring. 0: a miss
 * @property {boolean} [isX] only with the face's top value, on a face with an X ring
 * @property {number} [x] Where the arrow is, in radii of the nominal face: +x right, +y up. Both or none, -10 to 10.
 * @property {number} [y]
 * @property {InputMode} [input]
 * @property {string} [scoredAtMs] by the client's clock; 0: now; more than 5 minutes ahead: now, and flagged
 * @property {string} [replacesId] Of CORRECT and RETRACT: the operation that is replaced, by one of these.
 * @property {string} [replacesClientId]
 * @property {string} [reason] of CORRECT and RETRACT, 1 to 200 characters
 * @property {string} [device] at most 200 characters; for the audit
 * @property {number} [shaft] The number of the arrow's shaft, 1 to 99; 0: not known. A correction with 0 leaves the number of the arrow; a repeated RECORD does not change it.
 * @property {string} [witnessId] Of CORRECT and RETRACT in an event: who agreed, by one of these. The first is the id of another participant of the event, the second that of an organiser or a judge.
 * @property {string} [judgeId]
 * @property {string} [witnessName] From the server: the name of who agreed, as the caller may see it; at most 200 characters.
 */

/**
 * One step of scoring. It names its slot: participant, end and arrow. Slots may be filled in any order.
 * Operations have no conflict if each slot has one RECORD, and its corrections and retractions form a chain in
 * which each names the operation that it replaces. Any order, repetition and splitting of such operations has the
 * same result. A retraction empties its slot. A correction that names the retraction fills the slot again, and so
 * does another RECORD that arrives after it.
 * @typedef {object} ScoringOperationInit
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client, which identifies repeated operations; unique per principal, whichever participant the operation is for (else ALREADY_EXISTS). Optional in calls with one operation, required in batches.
 * @property {OperationKind} [kind]
 * @property {string | bigint} [participantId] or the next
 * @property {string | Uint8Array} [participantClientId]
 * @property {number} [endIndex] from 0, through all passes
 * @property {number} [arrowIndex] from 0, within the end
 * @property {number} [value] Of RECORD and CORRECT. Absent: the value follows from the position and the face's rings, including the X ring. 0: a miss
 * @property {boolean} [isX] only with the face's top value, on a face with an X ring
 * @property {number} [x] Where the arrow is, in radii of the nominal face: +x right, +y up. Both or none, -10 to 10.
 * @property {number} [y]
 * @property {InputMode} [input]
 * @property {string | bigint} [scoredAtMs] by the client's clock; 0: now; more than 5 minutes ahead: now, and flagged
 * @property {string | bigint} [replacesId] Of CORRECT and RETRACT: the operation that is replaced, by one of these.
 * @property {string | Uint8Array} [replacesClientId]
 * @property {string} [reason] of CORRECT and RETRACT, 1 to 200 characters
 * @property {string} [device] at most 200 characters; for the audit
 * @property {number} [shaft] The number of the arrow's shaft, 1 to 99; 0: not known. A correction with 0 leaves the number of the arrow; a repeated RECORD does not change it.
 * @property {string | bigint} [witnessId] Of CORRECT and RETRACT in an event: who agreed, by one of these. The first is the id of another participant of the event, the second that of an organiser or a judge.
 * @property {string | bigint} [judgeId]
 * @property {string} [witnessName] From the server: the name of who agreed, as the caller may see it; at most 200 characters.
 */

/**
 * The current content of one slot.
 * @typedef {object} ScoredArrow
 * @property {number} [endIndex]
 * @property {number} [arrowIndex]
 * @property {number} [value]
 * @property {boolean} [isX] counts as X and as its value
 * @property {number} [x]
 * @property {number} [y]
 * @property {InputMode} [input]
 * @property {boolean} [flagged] the value differs from the position's value, or the client's clock was ahead
 * @property {string} [scoredAtMs] of the record; a correction does not change it
 * @property {string} [receivedAtMs]
 * @property {string} [operationId] The operation that a correction or retraction must name.
 * @property {string} [operationClientId]
 * @property {boolean} [retracted] the slot is empty; the values are the previous ones
 * @property {number} [shaft] the number of the arrow's shaft; 0: not known
 */

/**
 * The sums of a participant's arrows.
 * @typedef {object} Score
 * @property {number} [total]
 * @property {number} [xCount]
 * @property {number} [tenCount] values of exactly 10, X included
 * @property {number} [arrowCount]
 * @property {number} [endsCompleted] with all slots filled
 * @property {number[]} [counts] of arrows by value, from 0 to 11; X counts as its value
 * @property {number} [goldCount] of the face's top value
 * @property {boolean} [typed] In an event: a part of the card is typed from a paper, and its sums are in these.
 * @property {number} [missingCounts] that the paper does not have, as in LeaderboardRow
 */

/**
 * Sums without their arrows: of a part of a card, or of a round of a list. A count that is absent is not known.
 * @typedef {object} PartSums
 * @property {number} [total]
 * @property {number} [hits] arrows above 0
 * @property {number} [golds] arrows of the face's top value, Xs included
 * @property {number} [xCount]
 * @property {number} [arrowCount]
 */

/**
 * The next slot of a scorer.
 * @typedef {object} NextStep
 * @property {NextKind} [kind]
 * @property {string} [participantId]
 * @property {string} [participantClientId]
 * @property {string} [displayName]
 * @property {number} [endIndex]
 * @property {number} [arrowIndex] the first open slot of that end
 */

/**
 * @typedef {object} RecordArrowRequestInit
 * @property {ScoringOperationInit} [operation]
 */

/**
 * If the slot has another value, the call is ABORTED with the ScoredArrow as a detail. If it has the same value,
 * the call is OK. A repetition by who may not see the participant any more has the verdict alone.
 * @typedef {object} ScoreResponse
 * @property {Verdict} [verdict] STORED, SAME or LATE
 * @property {ScoredArrow[]} [arrows] in their current state, in the order of the operations
 * @property {Score} [score] of the participant
 * @property {NextStep} [next]
 */

/**
 * The arrows of one end of one participant. Either all or none are stored.
 * @typedef {object} RecordEndRequestInit
 * @property {ScoringOperationInit[]} [operations] 1 to 12
 */

/**
 * If the operation that it replaces has not arrived, the call is FAILED_PRECONDITION with a message that begins
 * with NOT_YET, then the path of the field that names that operation. If that operation was replaced by another
 * one, the call is ABORTED with the ScoredArrow as a detail.
 * @typedef {object} CorrectArrowRequestInit
 * @property {ScoringOperationInit} [operation]
 */

/**
 * @typedef {object} RetractArrowRequestInit
 * @property {ScoringOperationInit} [operation]
 */

/**
 * @typedef {object} ApplyOperationsRequestInit
 * @property {ScoringOperationInit[]} [operations] 1 to 1,000, of any participants
 */

/**
 * @typedef {object} ApplyOperationsResponse
 * @property {OperationVerdict[]} [verdicts] one for each, in their order
 */

/**
 * The result of one operation of a batch.
 * @typedef {object} OperationVerdict
 * @property {string} [clientId]
 * @property {Verdict} [verdict]
 * @property {number} [code] the status that a single call would have; 0: OK
 * @property {string} [message] why it was rejected, with the path of the field
 * @property {string} [operationId] 0: not stored
 * @property {ScoredArrow} [arrow] the content of its slot; absent if it is empty or unknown
 */

/**
 * The weather of a session.
 * - WEATHER_CLEAR: sun, or few clouds
 * - WEATHER_CLOUDY: clouds, without rain
 * - WEATHER_RAIN: rain
 * - WEATHER_SNOW: snow or hail
 * - WEATHER_FOG: fog
 * @typedef {"WEATHER_UNSPECIFIED" | "WEATHER_CLEAR" | "WEATHER_CLOUDY" | "WEATHER_RAIN" | "WEATHER_SNOW" | "WEATHER_FOG" | (string & {})} Weather
 */

/**
 * The wind of a session.
 * - WIND_CALM: 0 and 1 Beaufort: below 1.6 m/s. Indoors always
 * - WIND_LIGHT: 2 and 3 Beaufort: below 5.5 m/s
 * - WIND_MODERATE: 4 Beaufort: below 8 m/s
 * - WIND_STRONG: 5 Beaufort and more
 * @typedef {"WIND_UNSPECIFIED" | "WIND_CALM" | "WIND_LIGHT" | "WIND_MODERATE" | "WIND_STRONG" | (string & {})} Wind
 */

/**
 * The light of a session.
 * - LIGHT_BRIGHT: full daylight
 * - LIGHT_DULL: daylight under clouds or trees
 * - LIGHT_DIM: dusk or dawn
 * - LIGHT_ARTIFICIAL: lamps
 * @typedef {"LIGHT_UNSPECIFIED" | "LIGHT_BRIGHT" | "LIGHT_DULL" | "LIGHT_DIM" | "LIGHT_ARTIFICIAL" | (string & {})} Light
 */

/**
 * What may differ between the strata of a comparison.
 * - STRATUM_ASPECT_DISTANCE: the distance
 * - STRATUM_ASPECT_FACE: the face and its diameter
 * - STRATUM_ASPECT_PLACE: the place of the session
 * - STRATUM_ASPECT_WEATHER: the weather of the session
 * - STRATUM_ASPECT_WIND: the wind of the session
 * - STRATUM_ASPECT_LIGHT: the light of the session
 * @typedef {"STRATUM_ASPECT_UNSPECIFIED" | "STRATUM_ASPECT_DISTANCE" | "STRATUM_ASPECT_FACE" | "STRATUM_ASPECT_PLACE" | "STRATUM_ASPECT_WEATHER" | "STRATUM_ASPECT_WIND" | "STRATUM_ASPECT_LIGHT" | (string & {})} StratumAspect
 */

/**
 * The conditions of a session, each unknown unless it is set.
 * @typedef {object} SessionConditions
 * @property {string} [place] a name, at most 200 characters; empty: not known
 * @property {Weather} [weather]
 * @property {Wind} [wind]
 * @property {Light} [light]
 */

/**
 * The state of a round.
 * - ROUND_STATUS_IN_PROGRESS: from the first arrow
 * - ROUND_STATUS_COMPLETED: when the last slot is filled, or when the owner completes it
 * @typedef {"ROUND_STATUS_UNSPECIFIED" | "ROUND_STATUS_PLANNED" | "ROUND_STATUS_IN_PROGRESS" | "ROUND_STATUS_PAUSED" | "ROUND_STATUS_COMPLETED" | "ROUND_STATUS_CANCELLED" | (string & {})} RoundStatus
 */

/**
 * What a round was shot in.
 * - SHOOT_STATUS_CLUB: a competition of a club
 * - SHOOT_STATUS_OPEN: an open competition
 * - SHOOT_STATUS_RECORD: a competition with record status
 * @typedef {"SHOOT_STATUS_UNSPECIFIED" | "SHOOT_STATUS_PRACTICE" | "SHOOT_STATUS_CLUB" | "SHOOT_STATUS_OPEN" | "SHOOT_STATUS_RECORD" | (string & {})} ShootStatus
 */

/**
 * A group of rounds that are shot together: a practice session or a tournament.
 * @typedef {object} ShootingSession
 * @property {string} [id] from the server; of a tournament's session also the tournament's id
 * @property {string} [clientId] UUIDv7 from the client; optional
 * @property {RoundFormat} [format]
 * @property {string} [notes] at most 4,000 characters
 * @property {boolean} [tournament]
 * @property {Round[]} [rounds] of a tournament only those of the caller and its guests
 * @property {string} [createdAtMs]
 * @property {SessionConditions} [conditions] absent: nothing is known
 */

/**
 * One participant's round in the session's format.
 * @typedef {object} Round
 * @property {string} [id] created with its participant
 * @property {string} [participantId] the id that scoring operations name
 * @property {string} [participantClientId]
 * @property {string} [sessionId]
 * @property {string} [displayName]
 * @property {boolean} [guest]
 * @property {RoundStatus} [status]
 * @property {string} [setupId] 0: none; rounds of guests have none
 * @property {number} [setupVersion]
 * @property {string} [startedAtMs] of the first arrow; 0: not started
 * @property {string} [completedAtMs] 0: not completed
 * @property {Score} [score]
 * @property {string} [revision] of the status and the setup; arrows do not change it
 * @property {Bowstyle} [bowstyle] of an archer's own round; unspecified: not known
 * @property {ShootStatus} [shootStatus] of a round without arrows
 */

/**
 * The round of a list: its sums, and no arrows. It is completed from the beginning, and counts for personal
 * bests, handicaps and the training log, and for no statistics of arrows.
 * @typedef {object} PastRoundInit
 * @property {PartSums} [sums] of all arrows of the format; arrow_count is not read
 * @property {string | bigint} [shotAtMs] required; not more than 5 minutes ahead
 * @property {ShootStatus} [status]
 */

/**
 * @typedef {object} CreateSessionRequestInit
 * @property {string | Uint8Array} [clientId]
 * @property {FormatReferenceInit} [format]
 * @property {string} [notes]
 * @property {SessionGuestInit[]} [guests] at most 3
 * @property {string | Uint8Array} [participantClientId] of the owner's own round; optional
 * @property {string | bigint} [setupId] or the next; the latest version unless one is named
 * @property {string | Uint8Array} [setupClientId]
 * @property {number} [setupVersion]
 * @property {Bowstyle} [bowstyle] of the owner's own round; unspecified: the profile's
 * @property {SessionConditions} [conditions]
 * @property {PastRoundInit} [past] Of the owner's round, which then has no arrows; no guests.
 */

/**
 * A guest of a practice session.
 * @typedef {object} SessionGuestInit
 * @property {string | Uint8Array} [clientId]
 * @property {string} [name] 1 to 50 characters
 */

/**
 * @typedef {object} GetSessionRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} ListSessionsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same filter and principal
 * @property {boolean} [includeTournaments]
 */

/**
 * @typedef {object} ListSessionsResponse
 * @property {ShootingSession[]} [sessions]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * @typedef {object} SetSessionConditionsRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {SessionConditions} [conditions] all of them; absent: nothing is known
 */

/**
 * @typedef {object} DeleteSessionRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} DeleteSessionResponse
 */

/**
 * @typedef {object} AddSessionGuestRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {SessionGuestInit} [guest]
 */

/**
 * @typedef {object} SetRoundStatusRequestInit
 * @property {string | bigint} [participantId]
 * @property {string | Uint8Array} [participantClientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {RoundStatus} [status] not PLANNED
 */

/**
 * @typedef {object} SetRoundSetupRequestInit
 * @property {string | bigint} [participantId]
 * @property {string | Uint8Array} [participantClientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {string | bigint} [setupId] 0 and no client_id: none
 * @property {string | Uint8Array} [setupClientId]
 * @property {number} [setupVersion] 0: the latest
 * @property {Bowstyle} [bowstyle] unspecified: as it was
 */

/**
 * @typedef {object} GetScorecardRequestInit
 * @property {string | bigint} [participantId]
 * @property {string | Uint8Array} [participantClientId]
 * @property {boolean} [includeHistory] every stored operation, in the order of commits
 */

/**
 * One participant's round with its arrows.
 * @typedef {object} Scorecard
 * @property {Round} [round]
 * @property {RoundFormat} [format]
 * @property {ScoredArrow[]} [arrows] by end and arrow; empty slots are omitted
 * @property {KeptOperation[]} [history]
 * @property {string} [sequence] the latest commit that it shows
 */

/**
 * A stored operation.
 * @typedef {object} KeptOperation
 * @property {string} [id] in the order of commits
 * @property {ScoringOperation} [operation]
 * @property {string} [receivedAtMs]
 * @property {string} [principalId] who scored
 * @property {boolean} [late] waits for a decision of the organiser
 * @property {boolean} [rejected]
 * @property {string} [ruling] why it was admitted or rejected
 */

/**
 * @typedef {object} GetPersonalBestsRequest
 * @property {Bowstyle} [bowstyle] only rounds of this one; unspecified: all
 */

/**
 * @typedef {object} GetPersonalBestsResponse
 * @property {PersonalBest[]} [bests] by the name of the format, then by bowstyle
 */

/**
 * The best score in one format with one bowstyle. Of equal scores the one with more X, then the first.
 * @typedef {object} PersonalBest
 * @property {string} [formatId]
 * @property {string} [codename] empty: a custom format
 * @property {string} [formatName]
 * @property {number} [arrowCount]
 * @property {number} [maximumScore]
 * @property {Bowstyle} [bowstyle] the profile's if the round has none
 * @property {number} [score]
 * @property {number} [xCount]
 * @property {number} [handicap] absent: the format has none, or the score is 0
 * @property {string} [classCode] for the profile's gender and age group; empty: none, or not known
 * @property {string} [sessionId]
 * @property {string} [participantId]
 * @property {boolean} [tournament]
 * @property {string} [shotAtMs] of the first arrow
 * @property {number} [roundCount] completed rounds of the format with the bowstyle
 * @property {boolean} [typed] a part of it is sums without arrows
 * @property {ShootStatus} [shootStatus] of a round without arrows
 */

/**
 * @typedef {object} GetRunningHandicapRequestInit
 * @property {RoundLocation} [location] required
 * @property {Bowstyle} [bowstyle] unspecified: the profile's
 * @property {string | bigint} [asOfMs] Only rounds that began before it count; absent: now.
 */

/**
 * @typedef {object} GetRunningHandicapResponse
 * @property {number} [handicap] absent before the third round
 * @property {number} [missingRounds] this season, for the first handicap; 0 with a handicap
 * @property {HandicapStep[]} [steps] the latest rounds that counted, newest first; at most 200
 * @property {number} [roundCount] all that counted
 * @property {Bowstyle} [bowstyle] unspecified: of rounds without one
 */

/**
 * What a round did to a running handicap.
 * @typedef {object} HandicapStep
 * @property {string} [sessionId]
 * @property {string} [participantId]
 * @property {string} [formatName]
 * @property {number} [score]
 * @property {string} [shotAtMs] of the first arrow
 * @property {number} [day] of the first arrow, in the profile's zone
 * @property {number} [roundHandicap]
 * @property {number} [before] after the end of the last season; absent: there was none
 * @property {number} [after] absent: there is none yet
 */

/**
 * The commits that a message of a watch covers: those above `after`, up to `upto`. A watch begins with a snapshot
 * in one or more messages, and continues with changes. To resume after a lost connection, send the last `upto` of
 * a message that was not `incomplete` as RequestHead.after_sequence, with its `store_epoch`: no change is omitted
 * and none is repeated, except that a change which a snapshot shows already may follow it once more. OUT_OF_RANGE
 * means that the history was deleted or belongs to another store: call without a position.
 * @typedef {object} WatchSpan
 * @property {string} [after] 0 in a snapshot
 * @property {string} [upto] from 1
 * @property {string} [storeEpoch] new whenever the store is created or restored
 * @property {boolean} [snapshot] the message is part of a snapshot
 * @property {boolean} [incomplete] more parts of the snapshot follow
 */

/**
 * The units of body weight and lifts. A pound is 0.45359237 kg.
 * @typedef {"WEIGHT_UNIT_UNSPECIFIED" | "WEIGHT_UNIT_POUND" | "WEIGHT_UNIT_KILOGRAM" | (string & {})} WeightUnit
 */

/**
 * The direction of a weight.
 * - TREND_DIRECTION_STABLE: less than a tenth of the unit, or nothing to compare with
 * @typedef {"TREND_DIRECTION_UNSPECIFIED" | "TREND_DIRECTION_STABLE" | "TREND_DIRECTION_UP" | "TREND_DIRECTION_DOWN" | (string & {})} TrendDirection
 */

/**
 * The method of a trend through daily means.
 * - TREND_METHOD_EXPONENTIAL: alpha = 2/(span+1), one step per day with entries
 * - TREND_METHOD_TIME_AWARE: 1-(1-alpha)^days instead of alpha
 * - TREND_METHOD_HACKERS_DIET: a step of a tenth towards each daily mean
 * @typedef {"TREND_METHOD_UNSPECIFIED" | "TREND_METHOD_EXPONENTIAL" | "TREND_METHOD_TIME_AWARE" | "TREND_METHOD_HACKERS_DIET" | (string & {})} TrendMethod
 */

/**
 * Why a list is empty.
 * - EMPTY_LOG_NO_ENTRIES: there are no entries, or all are deleted
 * - EMPTY_LOG_NOTHING_MATCHES: there are entries, but none matches the filter
 * @typedef {"EMPTY_LOG_UNSPECIFIED" | "EMPTY_LOG_NO_ENTRIES" | "EMPTY_LOG_NOTHING_MATCHES" | (string & {})} EmptyLog
 */

/**
 * Why no day is predicted.
 * - NO_PREDICTION_TOO_FEW_DAYS: fewer than 7 days have entries
 * - NO_PREDICTION_FLAT: the trend is zero
 * - NO_PREDICTION_POINTS_AWAY: the trend goes away from the goal
 * - NO_PREDICTION_GOAL_PASSED: the level, or the last day, is at the goal or beyond
 * - NO_PREDICTION_TOO_FAR_OFF: more than 730 days
 * @typedef {"NO_PREDICTION_UNSPECIFIED" | "NO_PREDICTION_TOO_FEW_DAYS" | "NO_PREDICTION_FLAT" | "NO_PREDICTION_POINTS_AWAY" | "NO_PREDICTION_GOAL_PASSED" | "NO_PREDICTION_TOO_FAR_OFF" | (string & {})} NoPrediction
 */

/**
 * One weight entry.
 * @typedef {object} WeightEntry
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {string} [thousandths] 1 to 1,500 lb, 0.5 to 680 kg, in thousandths of the unit
 * @property {WeightUnit} [unit] required
 * @property {number} [day] civil day since 1970-01-01; absent in a request: the day of measured_at_ms in time_zone
 * @property {string} [measuredAtMs] orders the entries of a day; 0 in a request: now; more than 5 minutes ahead of the server: stored as now; if it determines the day, the year must be 1 to 9999
 * @property {boolean} [clockAhead] set by the server if measured_at_ms was too far ahead
 * @property {string} [note] at most 4,000 characters, not NUL
 * @property {number} [bodyFatPercent] 1 to 75
 * @property {string} [deletedAtMs] 0: not deleted; a deleted entry can be restored for 30 days
 */

/**
 * One weight entry.
 * @typedef {object} WeightEntryInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {string | bigint} [thousandths] 1 to 1,500 lb, 0.5 to 680 kg, in thousandths of the unit
 * @property {WeightUnit} [unit] required
 * @property {number} [day] civil day since 1970-01-01; absent in a request: the day of measured_at_ms in time_zone
 * @property {string | bigint} [measuredAtMs] orders the entries of a day; 0 in a request: now; more than 5 minutes ahead of the server: stored as now; if it determines the day, the year must be 1 to 9999
 * @property {boolean} [clockAhead] set by the server if measured_at_ms was too far ahead
 * @property {string} [note] at most 4,000 characters, not NUL
 * @property {number} [bodyFatPercent] 1 to 75
 * @property {string | bigint} [deletedAtMs] 0: not deleted; a deleted entry can be restored for 30 days
 */

/**
 * Creates an entry. A client_id that was used before for the same content returns the existing entry.
 * @typedef {object} CreateWeightEntryRequestInit
 * @property {WeightEntryInit} [weightEntry] fields that the server sets are ignored
 * @property {string} [timeZone] IANA name, read where day is absent; empty: the profile's; neither is INVALID_ARGUMENT
 */

/**
 * By id or by client_id, deleted or not.
 * @typedef {object} GetWeightEntryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * Changes the fields of an entry that the mask names.
 * @typedef {object} UpdateWeightEntryRequestInit
 * @property {WeightEntryInit} [weightEntry] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] of thousandths, unit, day, measured_at_ms, note, body_fat_percent; an absent field is cleared
 */

/**
 * Deletes an entry. Deleting a deleted entry changes nothing.
 * @typedef {object} DeleteWeightEntryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores a deleted entry, within 30 days. Restoring an entry that is not deleted changes nothing.
 * @typedef {object} RestoreWeightEntryRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * A page of entries, newest first: by day, measured_at_ms and id. A page ends early at about 1 MiB.
 * @typedef {object} ListWeightEntriesRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 * @property {boolean} [deleted] deleted entries instead of the others
 */

/**
 * A page of entries.
 * @typedef {object} ListWeightEntriesResponse
 * @property {WeightEntry[]} [entries]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * The filter of rows: rows that match all conditions. The values of a row do not depend on it.
 * @typedef {object} WeightLogFilter
 * @property {boolean} [withNotes] only rows with a note that is more than white space
 * @property {boolean} [milestones] only the first row at or beyond each milestone of the plan; FAILED_PRECONDITION without a plan
 * @property {number[]} [weekdays] 1 Sunday to 7 Saturday; none: all
 */

/**
 * The log by calendar months, newest first. A page ends early at about 1 MiB. A single month with more than 3 MiB
 * of entries is RESOURCE_EXHAUSTED: list its entries instead.
 * @typedef {object} GetWeightSectionsRequest
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {number} [span] of the moving average, 2 to 90; 0: 7
 * @property {WeightLogFilter} [filter]
 * @property {number} [year] with month: only that month
 * @property {number} [month] 1 to 12
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * Months with rows.
 * @typedef {object} GetWeightSectionsResponse
 * @property {WeightSection[]} [sections]
 * @property {string} [nextPageToken] empty: this was the last page
 * @property {WeightUnit} [unit] unit of the values
 * @property {EmptyLog} [empty] why there are no sections; unspecified if there are
 */

/**
 * One calendar month.
 * @typedef {object} WeightSection
 * @property {number} [year]
 * @property {number} [month] 1 to 12
 * @property {WeightLogRow[]} [rows] newest first
 */

/**
 * One entry with values that are computed over all entries.
 * @typedef {object} WeightLogRow
 * @property {WeightEntry} [entry]
 * @property {number} [weekday] 1 Sunday to 7 Saturday
 * @property {string} [thousandths] the weight in the unit of the reply, rounded half to even
 * @property {number} [movingAverageThousandths] of its day, over daily means, in the unit of the reply
 * @property {WeeklyWeightRate} [weeklyRate] absent without an entry that is at least 7 civil days older
 * @property {TrendDirection} [direction] of the weekly rate
 * @property {boolean} [hasNote]
 */

/**
 * The weight minus that of the latest entry that is at least 7 civil days older.
 * @typedef {object} WeeklyWeightRate
 * @property {string} [thousandths] positive: gained
 * @property {number} [daysBetween] at least 7
 * @property {number} [thousandthsPerSevenDays]
 */

/**
 * A page of the points of the chart, oldest first.
 * @typedef {object} GetWeightChartRequest
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {TrendMethod} [method] unspecified: exponential
 * @property {number} [span] 2 to 90; 0: 10; not for the Hacker's Diet
 * @property {number} [fromDay] absent: from the first day
 * @property {number} [toDay] inclusive; absent: to the last day
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * A page of points.
 * @typedef {object} GetWeightChartResponse
 * @property {WeightPoint[]} [points]
 * @property {string} [nextPageToken] empty: this was the last page
 * @property {WeightUnit} [unit] unit of the values
 */

/**
 * One day that has entries.
 * @typedef {object} WeightPoint
 * @property {number} [day]
 * @property {number} [meanThousandths] of the day's entries, unrounded
 * @property {number} [averageThousandths]
 */

/**
 * A plan from a start weight to a goal.
 * @typedef {object} WeightPlan
 * @property {WeightUnit} [unit] required
 * @property {string} [startThousandths]
 * @property {string} [goalThousandths] different from the start
 * @property {string} [stepThousandths] 5, 10 or 15 lb; 2, 5 or 7 kg
 * @property {number} [startDay] civil day; earlier entries do not count
 * @property {string} [revision] from 1; continues after a deleted plan; 0 if there is none
 * @property {string} [updatedAtMs]
 */

/**
 * A plan from a start weight to a goal.
 * @typedef {object} WeightPlanInit
 * @property {WeightUnit} [unit] required
 * @property {string | bigint} [startThousandths]
 * @property {string | bigint} [goalThousandths] different from the start
 * @property {string | bigint} [stepThousandths] 5, 10 or 15 lb; 2, 5 or 7 kg
 * @property {number} [startDay] civil day; earlier entries do not count
 * @property {string | bigint} [revision] from 1; continues after a deleted plan; 0 if there is none
 * @property {string | bigint} [updatedAtMs]
 */

/**
 * Replaces the plan.
 * @typedef {object} SetWeightPlanRequestInit
 * @property {WeightPlanInit} [plan] with the revision that was read; 0: there was none, or it was deleted
 */

/**
 * The plan; NOT_FOUND without one.
 * @typedef {object} GetWeightPlanRequest
 */

/**
 * Deletes the plan. Deleting a deleted plan changes nothing.
 * @typedef {object} DeleteWeightPlanRequestInit
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * There is no plan.
 * @typedef {object} DeleteWeightPlanResponse
 */

/**
 * The milestones of the plan, and the predicted day of its goal.
 * @typedef {object} GetMilestonesRequest
 */

/**
 * The multiples of the step strictly between start and goal, then the goal.
 * @typedef {object} GetMilestonesResponse
 * @property {WeightPlan} [plan]
 * @property {WeightMilestone[]} [milestones] in the order from start to goal
 * @property {string} [nextThousandths] the first that is not reached; 0: all are reached
 * @property {number} [predictedDay] by Holt's linear trend, rounded up
 * @property {NoPrediction} [noPrediction] why predicted_day is absent
 */

/**
 * A milestone with the first entry, on or after the start day, that was at it or beyond.
 * @typedef {object} WeightMilestone
 * @property {string} [thousandths] in the plan's unit
 * @property {WeightEntry} [entry] absent: not reached
 */

/**
 * Adds the entries of a CSV text: date,weight,unit,note,body_fat, with dates like 2024-02-29 and lb or kg. The
 * last two columns are optional, and a first line of column names is skipped. Either all lines are added or none;
 * while many are added, reads may see a part of them. An entry that already exists as often as in the text is not
 * added. Entries are dated noon UTC, in order. The imports of a principal run one after the other. ABORTED: the
 * log was changed again and again during the import, and nothing was added.
 * @typedef {object} ImportWeightsRequestInit
 * @property {string | Uint8Array} [csv] UTF-8, at most 20,000 entries and 4 MiB; send a longer file in parts
 */

/**
 * What was added.
 * @typedef {object} ImportWeightsResponse
 * @property {number} [added]
 * @property {number} [unchanged] that already existed
 * @property {BadImportLine[]} [badLines] the first 1,000; if there are any, nothing was added
 * @property {string} [badLineCount]
 */

/**
 * An invalid line.
 * @typedef {object} BadImportLine
 * @property {string} [number] from 1
 * @property {string} [reason]
 */

/**
 * A page of all entries as text, oldest first. A page ends early at about 1 MiB.
 * @typedef {object} ExportWeightsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * A part of the text; the first begins with the column names.
 * @typedef {object} ExportWeightsResponse
 * @property {string} [csv]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * All weight entries, then their changes.
 * @typedef {object} WatchWeightsRequest
 */

/**
 * A part of the entries, or their changes.
 * @typedef {object} WatchWeightsResponse
 * @property {WatchSpan} [span]
 * @property {WeightEntry[]} [changed]
 * @property {string[]} [removedIds] deleted, also permanently
 */

/**
 * The formula of a one-rep max for a set of weight w with r repetitions, 1 to 36.
 * - ONE_REP_MAX_FORMULA_BRZYCKI: w * 36 / (37 - r)
 * - ONE_REP_MAX_FORMULA_EPLEY: w * (1 + r / 30)
 * - ONE_REP_MAX_FORMULA_LOMBARDI: w * r^0.10
 * @typedef {"ONE_REP_MAX_FORMULA_UNSPECIFIED" | "ONE_REP_MAX_FORMULA_BRZYCKI" | "ONE_REP_MAX_FORMULA_EPLEY" | "ONE_REP_MAX_FORMULA_LOMBARDI" | (string & {})} OneRepMaxFormula
 */

/**
 * The order of days.
 * @typedef {"DAY_ORDER_UNSPECIFIED" | "DAY_ORDER_OLDEST_FIRST" | "DAY_ORDER_NEWEST_FIRST" | (string & {})} DayOrder
 */

/**
 * What happens to the existing sets.
 * - IMPORT_MODE_MERGE: they stay; the k-th identical line of a day is the k-th stored one
 * - IMPORT_MODE_REPLACE: all of them are deleted when the import is complete
 * @typedef {"IMPORT_MODE_UNSPECIFIED" | "IMPORT_MODE_MERGE" | "IMPORT_MODE_REPLACE" | (string & {})} ImportMode
 */

/**
 * One line of a strength log.
 * @typedef {object} LiftSet
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {number} [day] civil day since 1970-01-01
 * @property {string} [exercise] 1 to 200 characters; compared byte by byte
 * @property {number} [sets] 1 to 100; absent: unknown
 * @property {number} [repetitions] 1 to 1,000
 * @property {number} [weight] 0 to 2,000 lb, 910 kg
 * @property {WeightUnit} [unit] required
 * @property {number} [oneRepMax] by Brzycki, in the unit of the set; absent above 36 repetitions
 * @property {boolean} [lowConfidence] more than 12 repetitions
 */

/**
 * One line of a strength log.
 * @typedef {object} LiftSetInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {number} [day] civil day since 1970-01-01
 * @property {string} [exercise] 1 to 200 characters; compared byte by byte
 * @property {number} [sets] 1 to 100; absent: unknown
 * @property {number} [repetitions] 1 to 1,000
 * @property {number} [weight] 0 to 2,000 lb, 910 kg
 * @property {WeightUnit} [unit] required
 * @property {number} [oneRepMax] by Brzycki, in the unit of the set; absent above 36 repetitions
 * @property {boolean} [lowConfidence] more than 12 repetitions
 */

/**
 * Creates a set. A client_id that was used before for the same content returns the existing set.
 * @typedef {object} CreateSetRequestInit
 * @property {LiftSetInit} [set] fields that the server sets are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetSetRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * Changes the fields of a set that the mask names.
 * @typedef {object} UpdateSetRequestInit
 * @property {LiftSetInit} [set] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] of day, exercise, sets, repetitions, weight, unit
 */

/**
 * Deletes a set by its id or by its client_id.
 * @typedef {object} DeleteSetRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * The set was deleted.
 * @typedef {object} DeleteSetResponse
 */

/**
 * A page of the sets of one exercise, newest first: by day, then by id.
 * @typedef {object} ListSetsRequest
 * @property {string} [exercise]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * A page of sets.
 * @typedef {object} ListSetsResponse
 * @property {LiftSet[]} [sets]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * A page of the exercises that have sets, by the bytes of their names.
 * @typedef {object} ListExercisesRequest
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {boolean} [leaveOutLowConfidence] exclude sets of more than 12 repetitions
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * A page of exercises.
 * @typedef {object} ListExercisesResponse
 * @property {Exercise[]} [exercises]
 * @property {string} [nextPageToken] empty: this was the last page
 * @property {WeightUnit} [unit] unit of the values
 */

/**
 * An exercise with its record and its latest daily maximum.
 * @typedef {object} Exercise
 * @property {string} [name]
 * @property {string} [setCount] lines of the log
 * @property {LiftPoint} [record] the largest; the earliest day if equal; absent without a one-rep max
 * @property {LiftPoint} [latest]
 */

/**
 * The largest one-rep max of a day; the first set if equal.
 * @typedef {object} LiftPoint
 * @property {number} [day]
 * @property {number} [oneRepMax] by Brzycki, in the shown unit
 * @property {number} [epley] of the same set
 * @property {number} [lombardi] of the same set
 * @property {boolean} [lowConfidence] more than 12 repetitions
 * @property {LiftSet} [set]
 */

/**
 * Daily maxima of an exercise.
 * @typedef {object} GetLiftSeriesRequest
 * @property {string} [exercise]
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {number} [last] number of the latest daily maxima (points, not days); 0: 31; above 5,000: 5,000
 * @property {number} [daysBack] instead of last: the maxima of this number of days, counted back from the latest day of the exercise; at most the latest 5,000
 * @property {DayOrder} [order] unspecified: oldest first
 * @property {boolean} [leaveOutLowConfidence] exclude sets of more than 12 repetitions
 */

/**
 * Daily maxima, with the record and the latest of all.
 * @typedef {object} GetLiftSeriesResponse
 * @property {LiftPoint[]} [points]
 * @property {LiftPoint} [record]
 * @property {LiftPoint} [latest]
 * @property {WeightUnit} [unit] unit of the values
 */

/**
 * The daily maximum nearest to a day; the earlier one at equal distance.
 * @typedef {object} GetNearestLiftRequest
 * @property {string} [exercise]
 * @property {number} [day]
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {boolean} [leaveOutLowConfidence] exclude sets of more than 12 repetitions
 */

/**
 * The one-rep max of one set by each formula.
 * @typedef {object} CompareFormulasRequest
 * @property {number} [weight]
 * @property {number} [repetitions] 1 to 36
 * @property {WeightUnit} [unit] required
 */

/**
 * One estimate per formula.
 * @typedef {object} CompareFormulasResponse
 * @property {OneRepMaxEstimate[]} [estimates] in the order of the formulas
 * @property {boolean} [lowConfidence] more than 12 repetitions
 */

/**
 * The estimate of one formula.
 * @typedef {object} OneRepMaxEstimate
 * @property {OneRepMaxFormula} [formula]
 * @property {number} [oneRepMax] in the unit of the set
 */

/**
 * A page of all sets as a log, by exercise, each oldest first.
 * @typedef {object} ExportSetsRequest
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same request and principal
 */

/**
 * A part of the log, without column names.
 * @typedef {object} ExportSetsResponse
 * @property {string} [log]
 * @property {string} [nextPageToken] empty: this was the last page
 * @property {WeightUnit} [unit] of the weights: the unit to give to an import of the log
 */

/**
 * A part of a strength log in UTF-8: lines MMM dd yyyy,Exercise,sets,reps,weight, or without sets. The first
 * message has the options.
 * @typedef {object} ImportSetsRequestInit
 * @property {ImportOptionsInit} [options] of the first message only
 * @property {string | Uint8Array} [chunk] may be split anywhere
 */

/**
 * The options of an import.
 * @typedef {object} ImportOptionsInit
 * @property {WeightUnit} [unit] unspecified: pounds
 * @property {ImportMode} [mode] unspecified: merge
 * @property {boolean} [lenient] skip and report bad lines; otherwise one bad line rejects the whole log
 * @property {string | bigint} [byteCount] of the whole log, if known; returned with the progress
 */

/**
 * The progress of an import. The last message has a result.
 * @typedef {object} ImportSetsResponse
 * @property {string} [readByteCount]
 * @property {string} [lineCount]
 * @property {string} [badLineCount] so far
 * @property {string} [storedSetCount] not visible yet
 * @property {string} [byteCount] from the options
 * @property {ImportResult} [result] only in the last message
 */

/**
 * The result of an import.
 * @typedef {object} ImportResult
 * @property {boolean} [kept] false: a strict import had bad lines, and nothing was stored
 * @property {string} [lineCount] including blank lines and column names
 * @property {string} [setCount] lines with a set
 * @property {string} [added]
 * @property {string} [unchanged] that already existed
 * @property {string} [removed] deleted by REPLACE
 * @property {BadImportLine[]} [badLines] the first 1,000
 * @property {string} [badLineCount]
 */

/**
 * The days of a span, sent again whenever they may have changed.
 * @typedef {object} WatchTrainingLogRequest
 * @property {number} [fromDay]
 * @property {number} [toDay] inclusive; at most 93 days from from_day
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {string} [timeZone] IANA name of the time zone of rounds; empty: the profile's, else UTC
 */

/**
 * The current days, newest first.
 * @typedef {object} WatchTrainingLogResponse
 * @property {WatchSpan} [span]
 * @property {TrainingDay[]} [days]
 * @property {WeightUnit} [unit] unit of the values
 */

/**
 * The days of a span with an entry, a set or a round, newest first.
 * @typedef {object} GetTrainingLogRequest
 * @property {number} [fromDay]
 * @property {number} [toDay] inclusive; at most 366 days from from_day
 * @property {WeightUnit} [unit] unit of the reply; unspecified: by the profile's units, else pounds
 * @property {string} [timeZone] IANA name of the time zone of rounds; empty: the profile's, else UTC
 */

/**
 * Days, newest first.
 * @typedef {object} GetTrainingLogResponse
 * @property {TrainingDay[]} [days]
 * @property {WeightUnit} [unit] unit of the values
 */

/**
 * The entries, sets and rounds of one day.
 * @typedef {object} TrainingDay
 * @property {number} [day]
 * @property {number} [meanWeightThousandths] of the weight entries, in the unit of the reply
 * @property {number} [weightEntryCount]
 * @property {TrainedExercise[]} [exercises] by the bytes of their names
 * @property {ShotRound[]} [rounds] by their first arrows
 */

/**
 * A round of the archer, on the day of its first arrow. Rounds that nobody has shot in, and those that the archer
 * cancelled, are omitted.
 * @typedef {object} ShotRound
 * @property {string} [sessionId] of a tournament's session also the tournament's id
 * @property {string} [participantId]
 * @property {boolean} [tournament]
 * @property {string} [formatName]
 * @property {number} [formatArrowCount] of the whole round
 * @property {string} [firstShotAtMs] the earliest time of an arrow, by the clients' clocks
 * @property {Score} [score] typed: a part of it is sums without arrows
 */

/**
 * An exercise on one day.
 * @typedef {object} TrainedExercise
 * @property {string} [name]
 * @property {number} [setCount] lines of the log
 * @property {LiftPoint} [best] absent without a one-rep max
 */

/**
 * @typedef {object} GetSquadRequest
 * @property {number} [weeks] how many are shown, with the current one: at most 26; 0: 8
 * @property {number} [pageSize] archers; 0 or above 50: 50
 * @property {string} [pageToken] from the previous page
 */

/**
 * @typedef {object} GetSquadResponse
 * @property {SquadMember[]} [members]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * An archer who shares with the caller. What the share does not include is empty.
 * @typedef {object} SquadMember
 * @property {Share} [share] with the archer's id and name
 * @property {ShotRound[]} [lastRounds] newest first, at most 3: with ROUNDS or TRAINING_LOG
 * @property {SquadWeek[]} [weeks] of the request, newest first, also those without a round
 * @property {PersonalBest[]} [bests] the latest of them, newest first, at most 5: with ROUNDS
 * @property {number} [newBestCount] best scores that were shot in these weeks
 * @property {ChangedSetup[]} [setups] Whose components were changed in these weeks, newest first, at most 5: with EQUIPMENT.
 */

/**
 * What an archer did in one week, by the days of its own time zone.
 * @typedef {object} SquadWeek
 * @property {number} [firstDay] the Monday
 * @property {number} [roundCount] begun in the week, with ROUNDS or TRAINING_LOG
 * @property {number} [arrowCount] of these rounds, also of typed totals
 * @property {number} [setCount] lines of the strength log, with STRENGTH or TRAINING_LOG
 */

/**
 * A bow setup that got a new version.
 * @typedef {object} ChangedSetup
 * @property {string} [setupId]
 * @property {string} [name] empty: it has none
 * @property {number} [version] the latest
 * @property {string} [changedAtMs] when that version was made
 */

/**
 * The units in which lengths and weights are shown.
 * @typedef {"UNITS_UNSPECIFIED" | "UNITS_METRIC" | "UNITS_IMPERIAL" | (string & {})} Units
 */

/**
 * @typedef {object} WhoAmIRequest
 */

/**
 * @typedef {object} WhoAmIResponse
 * @property {Principal} [principal]
 * @property {string} [tokenId] 0: the caller was identified without a token
 * @property {TokenScope[]} [scopes]
 * @property {string} [tokenExpiresAtMs] absent: never
 * @property {string} [storeEpoch] if it changes, data read before is no longer valid
 */

/**
 * The settings that a principal shows and uses in all of its apps.
 * @typedef {object} Profile
 * @property {string} [principalId]
 * @property {string} [displayName] 1 to 50 characters, or empty for none
 * @property {string} [timeZone] the IANA name of an existing zone, for example Europe/Zurich; or empty
 * @property {Units} [units]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [updatedAtMs]
 * @property {string} [shownName] display_name, or "Archer <id>"
 * @property {Bowstyle} [bowstyle] of the archer's new rounds, and of classifications that name none
 * @property {ArcherGender} [gender] for classifications, as the next
 * @property {AgeGroup} [ageGroup]
 */

/**
 * The settings that a principal shows and uses in all of its apps.
 * @typedef {object} ProfileInit
 * @property {string | bigint} [principalId]
 * @property {string} [displayName] 1 to 50 characters, or empty for none
 * @property {string} [timeZone] the IANA name of an existing zone, for example Europe/Zurich; or empty
 * @property {Units} [units]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string | bigint} [updatedAtMs]
 * @property {string} [shownName] display_name, or "Archer <id>"
 * @property {Bowstyle} [bowstyle] of the archer's new rounds, and of classifications that name none
 * @property {ArcherGender} [gender] for classifications, as the next
 * @property {AgeGroup} [ageGroup]
 */

/**
 * @typedef {object} GetProfileRequest
 */

/**
 * @typedef {object} UpdateProfileRequestInit
 * @property {ProfileInit} [profile] with the revision that was read
 * @property {string[]} [updateMask] of display_name, time_zone, units, bowstyle, gender, age_group
 */

/**
 * A value that an app stores for its user on the server.
 * @typedef {object} Preference
 * @property {string} [key] 1 to 64 characters of a-z 0-9 . _ -
 * @property {string} [value] at most 4,096 bytes
 * @property {string} [updatedAtMs]
 */

/**
 * A value that an app stores for its user on the server.
 * @typedef {object} PreferenceInit
 * @property {string} [key] 1 to 64 characters of a-z 0-9 . _ -
 * @property {string} [value] at most 4,096 bytes
 * @property {string | bigint} [updatedAtMs]
 */

/**
 * @typedef {object} GetPreferencesRequest
 */

/**
 * @typedef {object} GetPreferencesResponse
 * @property {Preference[]} [preferences]
 */

/**
 * @typedef {object} SetPreferenceRequestInit
 * @property {PreferenceInit} [preference]
 */

/**
 * @typedef {object} DeletePreferenceRequest
 * @property {string} [key]
 */

/**
 * @typedef {object} DeletePreferenceResponse
 */

/**
 * @typedef {object} RedeemInviteRequest
 * @property {string} [code] 16 characters, or 8 of an older one; case, hyphens and spaces are ignored
 * @property {string} [displayName] 1 to 50 characters, or empty for none
 * @property {string} [tokenLabel] at most 200 characters
 */

/**
 * @typedef {object} RedeemInviteResponse
 * @property {Principal} [principal]
 * @property {Token} [token]
 * @property {string} [secret] qv_ and 32 random bytes in base64url; not shown again
 */

/**
 * @typedef {object} RotateTokenRequestInit
 * @property {string | bigint} [overlapMs] How long the old token stays valid, 0 to 604800000 (7 days); absent: 3600000 (1 hour). It never becomes valid for longer than it was.
 */

/**
 * @typedef {object} RotateTokenResponse
 * @property {Token} [token] the new one
 * @property {string} [secret] qv_ and 32 random bytes in base64url; not shown again
 * @property {Token} [oldToken] with the expires_at_ms at which it ends
 */

/**
 * @typedef {object} GetUsageRequest
 */

/**
 * A limit of 0 is none.
 * @typedef {object} Usage
 * @property {string} [storedBytes] about, with kept replies
 * @property {string} [storedBytesLimit]
 * @property {string} [storedRows]
 * @property {string} [storedRowsLimit]
 * @property {string} [storedBytesPerMinuteLimit] as many may come at once
 * @property {string} [idempotencyKeys] each is stored for 24 hours
 * @property {string} [idempotencyKeysLimit]
 * @property {string} [idempotencyKeyBytes] with the replies that are kept under them
 * @property {string} [idempotencyKeyBytesLimit]
 */

/**
 * @typedef {object} ExportMyDataRequest
 * @property {number} [pageSize] number of records; 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only for the same principal
 */

/**
 * @typedef {object} ExportMyDataResponse
 * @property {ExportRecord[]} [records] fewer than requested if they exceed 1 MiB
 * @property {string} [nextPageToken] empty: this was the last page
 * @property {string} [watermark] The commit that the page shows. Pages with the same watermark show one state. If the watermark increases and one state is needed, begin again.
 */

/**
 * One message of the caller's data. A Scorecard with a long history comes in several records: the first has the
 * arrows, and each has a part of the history, in order.
 * @typedef {object} ExportRecord
 * @property {string} [type] its full name, for example quiver.v1.Riser
 * @property {string} [value]
 */

/**
 * @typedef {object} DeleteMyAccountRequest
 * @property {string} [confirmation] exactly the profile's shown_name
 */

/**
 * @typedef {object} DeleteMyAccountResponse
 */

/**
 * @typedef {object} GetIntroductionCodeRequest
 */

/**
 * With it an organiser learns the id and the name of who shows it.
 * @typedef {object} IntroductionCode
 * @property {string} [code]
 * @property {string} [expiresAtMs] after 24 h
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Arrow
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [spine] 1 to 5,000
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [weightGr] 0 to 10,000
 * @property {number} [diameterMm] above 0, at most 50
 * @property {number} [quantity] 1 to 10,000; default 1
 * @property {string} [identifier] at most 200 characters
 * @property {string} [pointBrand] at most 200 characters
 * @property {string} [pointName] at most 200 characters
 * @property {number} [pointWeightGr] 0 to 10,000
 * @property {string} [nockBrand] at most 200 characters
 * @property {string} [nockName] at most 200 characters
 * @property {string} [nockSize] at most 200 characters
 * @property {number} [nockWeightGr] 0 to 10,000
 * @property {string} [vanes] at most 200 characters
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} ArrowInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [spine] 1 to 5,000
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [weightGr] 0 to 10,000
 * @property {number} [diameterMm] above 0, at most 50
 * @property {number} [quantity] 1 to 10,000; default 1
 * @property {string} [identifier] at most 200 characters
 * @property {string} [pointBrand] at most 200 characters
 * @property {string} [pointName] at most 200 characters
 * @property {number} [pointWeightGr] 0 to 10,000
 * @property {string} [nockBrand] at most 200 characters
 * @property {string} [nockName] at most 200 characters
 * @property {string} [nockSize] at most 200 characters
 * @property {number} [nockWeightGr] 0 to 10,000
 * @property {string} [vanes] at most 200 characters
 */

/**
 * @typedef {object} CreateArrowRequestInit
 * @property {ArrowInit} [arrow] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetArrowRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateArrowRequestInit
 * @property {ArrowInit} [arrow] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteArrowRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteArrowResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveArrowRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreArrowRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * In the hub's order. A bow setup may contain several stabilizers, weights and accessories, and one of each other
 * type.
 * @typedef {"EQUIPMENT_TYPE_UNSPECIFIED" | "EQUIPMENT_TYPE_RISER" | "EQUIPMENT_TYPE_LIMBS" | "EQUIPMENT_TYPE_SIGHT" | "EQUIPMENT_TYPE_REST" | "EQUIPMENT_TYPE_PLUNGER" | "EQUIPMENT_TYPE_BOW_STRING" | "EQUIPMENT_TYPE_STABILIZER" | "EQUIPMENT_TYPE_WEIGHT" | "EQUIPMENT_TYPE_ARROW" | "EQUIPMENT_TYPE_ACCESSORY" | (string & {})} EquipmentType
 */

/**
 * A change of components creates a version, which never changes afterwards. A change of name, notes or state does
 * not create one. At most 500 setups per principal and 1,000 versions per setup.
 * @typedef {object} BowSetup
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [name] At most 200 characters, trimmed. A setup without a name is shown as "Unnamed setup". A name of only white space is INVALID_ARGUMENT.
 * @property {string} [notes] at most 4,000 characters
 * @property {boolean} [isActive] absent in a request to create: active; always present in replies
 * @property {boolean} [isDefault] At most one setup is the default, and it is active. If another setup is the default, creating or updating one as the default is FAILED_PRECONDITION; use SetDefaultBowSetup.
 * @property {number} [version] from 1; the version that this message shows
 * @property {SetupComponent[]} [components] At most 50, each item once, and at most one riser, limbs, sight, rest, plunger, bow string and arrow: a second one is INVALID_ARGUMENT with its path, for example bow_setup.components[3]. Replies list them in the hub's order of types, and within a type in the given order.
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [versionMadeAtMs]
 * @property {number} [latestVersion]
 */

/**
 * A change of components creates a version, which never changes afterwards. A change of name, notes or state does
 * not create one. At most 500 setups per principal and 1,000 versions per setup.
 * @typedef {object} BowSetupInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [name] At most 200 characters, trimmed. A setup without a name is shown as "Unnamed setup". A name of only white space is INVALID_ARGUMENT.
 * @property {string} [notes] at most 4,000 characters
 * @property {boolean} [isActive] absent in a request to create: active; always present in replies
 * @property {boolean} [isDefault] At most one setup is the default, and it is active. If another setup is the default, creating or updating one as the default is FAILED_PRECONDITION; use SetDefaultBowSetup.
 * @property {number} [version] from 1; the version that this message shows
 * @property {SetupComponentInit[]} [components] At most 50, each item once, and at most one riser, limbs, sight, rest, plunger, bow string and arrow: a second one is INVALID_ARGUMENT with its path, for example bow_setup.components[3]. Replies list them in the hub's order of types, and within a type in the given order.
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string | bigint} [versionMadeAtMs]
 * @property {number} [latestVersion]
 */

/**
 * One item of equipment in a setup. It may be archived.
 * @typedef {object} SetupComponent
 * @property {string} [equipmentId] or the next; replies have both
 * @property {string} [equipmentClientId]
 * @property {EquipmentType} [type] Unspecified: the type of the item. A different type is INVALID_ARGUMENT.
 * @property {number} [quantity] 0: 1; at most 1,000; 1 for the seven single types
 * @property {string} [displayBrand] From the server:
 * @property {string} [displayModel]
 * @property {boolean} [deleted] the item was deleted; only versions that contain it show it
 */

/**
 * One item of equipment in a setup. It may be archived.
 * @typedef {object} SetupComponentInit
 * @property {string | bigint} [equipmentId] or the next; replies have both
 * @property {string | Uint8Array} [equipmentClientId]
 * @property {EquipmentType} [type] Unspecified: the type of the item. A different type is INVALID_ARGUMENT.
 * @property {number} [quantity] 0: 1; at most 1,000; 1 for the seven single types
 * @property {string} [displayBrand] From the server:
 * @property {string} [displayModel]
 * @property {boolean} [deleted] the item was deleted; only versions that contain it show it
 */

/**
 * @typedef {object} CreateBowSetupRequestInit
 * @property {BowSetupInit} [bowSetup] fields that the server sets are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {number} [version] 0: the latest; a version that does not exist is NOT_FOUND
 */

/**
 * @typedef {object} ListBowSetupsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same include_inactive and principal
 * @property {boolean} [includeInactive]
 */

/**
 * @typedef {object} ListBowSetupsResponse
 * @property {BowSetupItem[]} [setups]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * A bow setup as lists show it.
 * @typedef {object} BowSetupItem
 * @property {string} [id]
 * @property {string} [clientId]
 * @property {string} [name]
 * @property {boolean} [isActive]
 * @property {boolean} [isDefault]
 * @property {number} [version]
 * @property {number} [componentCount]
 * @property {string} [revision]
 * @property {string} [updatedAtMs]
 */

/**
 * @typedef {object} UpdateBowSetupRequestInit
 * @property {BowSetupInit} [bowSetup] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] Names of name, notes, is_active, is_default and components. Components are replaced as a whole. A default setup that becomes inactive is no longer the default.
 */

/**
 * @typedef {object} DeleteBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} DeleteBowSetupResponse
 */

/**
 * @typedef {object} CopyBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {number} [version] 0: the latest; items deleted since an older version are omitted
 * @property {string} [name] of the copy; empty: the name and " (copy)"
 * @property {string | Uint8Array} [copyClientId] UUIDv7 of the copy; optional
 */

/**
 * @typedef {object} SetDefaultBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} ActivateBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} DeactivateBowSetupRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * @typedef {object} AddBowSetupComponentRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {SetupComponentInit} [component]
 */

/**
 * @typedef {object} RemoveBowSetupComponentRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {string | bigint} [equipmentId] or the next; an item that is not in the setup is NOT_FOUND
 * @property {string | Uint8Array} [equipmentClientId]
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} BowString
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [maker] required, 1 to 200 characters; the display_brand
 * @property {string} [stringType] required, 1 to 200 characters; the display_model
 * @property {string} [material] at most 200 characters
 * @property {number} [strandCount] 1 to 200
 * @property {string} [servingMaterial] at most 200 characters
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [twists] 0 to 1,000
 * @property {number} [installedOn] days since 1970-01-01, of the years 1 to 9999
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} BowStringInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [maker] required, 1 to 200 characters; the display_brand
 * @property {string} [stringType] required, 1 to 200 characters; the display_model
 * @property {string} [material] at most 200 characters
 * @property {number} [strandCount] 1 to 200
 * @property {string} [servingMaterial] at most 200 characters
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [twists] 0 to 1,000
 * @property {number} [installedOn] days since 1970-01-01, of the years 1 to 9999
 */

/**
 * @typedef {object} CreateBowStringRequestInit
 * @property {BowStringInit} [bowString] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetBowStringRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateBowStringRequestInit
 * @property {BowStringInit} [bowString] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteBowStringRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteBowStringResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveBowStringRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreBowStringRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * The range of time of a comparison.
 * - COMPARISON_RANGE_UNSPECIFIED: in a request: the stored choice
 * - COMPARISON_RANGE_SEVEN_DAYS: N times 24 hours back from now, or as_of
 * - COMPARISON_RANGE_CUSTOM: from start_ms to before end_ms
 * @typedef {"COMPARISON_RANGE_UNSPECIFIED" | "COMPARISON_RANGE_SEVEN_DAYS" | "COMPARISON_RANGE_THIRTY_DAYS" | "COMPARISON_RANGE_NINETY_DAYS" | "COMPARISON_RANGE_ALL_TIME" | "COMPARISON_RANGE_CUSTOM" | (string & {})} ComparisonRange
 */

/**
 * The metric of a comparison.
 * @typedef {"COMPARISON_METRIC_UNSPECIFIED" | "COMPARISON_METRIC_AVERAGE_SCORE" | "COMPARISON_METRIC_ACCURACY" | "COMPARISON_METRIC_CONSISTENCY" | (string & {})} ComparisonMetric
 */

/**
 * Which side a difference favours.
 * @typedef {"DELTA_DIRECTION_UNSPECIFIED" | "DELTA_DIRECTION_NONE" | "DELTA_DIRECTION_B_BETTER" | "DELTA_DIRECTION_A_BETTER" | (string & {})} DeltaDirection
 */

/**
 * The verdict about a difference.
 * - COMPARISON_VERDICT_TOO_LITTLE_DATA: a side has fewer than 5 rounds; the numbers are still given
 * - COMPARISON_VERDICT_NO_DIFFERENCE: it may be due to chance
 * - COMPARISON_VERDICT_NO_VARIATION: all rounds are equal, so there is no measure of chance
 * - COMPARISON_VERDICT_DIFFERENT_CONDITIONS: The setups were shot at different distances, faces or conditions, so points cannot be compared.
 * @typedef {"COMPARISON_VERDICT_UNSPECIFIED" | "COMPARISON_VERDICT_TOO_LITTLE_DATA" | "COMPARISON_VERDICT_NO_DIFFERENCE" | "COMPARISON_VERDICT_A_BETTER" | "COMPARISON_VERDICT_B_BETTER" | "COMPARISON_VERDICT_NO_VARIATION" | "COMPARISON_VERDICT_DIFFERENT_CONDITIONS" | (string & {})} ComparisonVerdict
 */

/**
 * The verdict about where two setups shoot.
 * - PLACE_VERDICT_TOO_LITTLE_DATA: a side has fewer than 5 rounds with positions
 * - PLACE_VERDICT_NO_VARIATION: the rounds' centres lie on one line
 * @typedef {"PLACE_VERDICT_UNSPECIFIED" | "PLACE_VERDICT_TOO_LITTLE_DATA" | "PLACE_VERDICT_NO_DIFFERENCE" | "PLACE_VERDICT_APART" | "PLACE_VERDICT_NO_VARIATION" | (string & {})} PlaceVerdict
 */

/**
 * The method of intervals and p values.
 * - INFERENCE_METHOD_UNSPECIFIED: Welch
 * - INFERENCE_METHOD_WELCH: Welch's t with Satterthwaite's degrees of freedom
 * - INFERENCE_METHOD_BOOTSTRAP_T: the bootstrap-t over rounds, seeded
 * - INFERENCE_METHOD_NONE: only the statistics
 * @typedef {"INFERENCE_METHOD_UNSPECIFIED" | "INFERENCE_METHOD_WELCH" | "INFERENCE_METHOD_BOOTSTRAP_T" | "INFERENCE_METHOD_NONE" | (string & {})} InferenceMethod
 */

/**
 * The group of a class, by the events that count for it.
 * - CLASSIFICATION_TIER_ARCHER: any event, practice too
 * - CLASSIFICATION_TIER_BOWMAN: any competitive event
 * - CLASSIFICATION_TIER_MASTER: competitions of record status
 * @typedef {"CLASSIFICATION_TIER_UNSPECIFIED" | "CLASSIFICATION_TIER_ARCHER" | "CLASSIFICATION_TIER_BOWMAN" | "CLASSIFICATION_TIER_MASTER" | (string & {})} ClassificationTier
 */

/**
 * A chosen range.
 * @typedef {object} RangeChoice
 * @property {ComparisonRange} [range]
 * @property {string} [startMs] of CUSTOM, and only there; 1970 to 9999
 * @property {string} [endMs] of CUSTOM, after start_ms
 */

/**
 * A chosen range.
 * @typedef {object} RangeChoiceInit
 * @property {ComparisonRange} [range]
 * @property {string | bigint} [startMs] of CUSTOM, and only there; 1970 to 9999
 * @property {string | bigint} [endMs] of CUSTOM, after start_ms
 */

/**
 * Names a setup by one of its ids.
 * @typedef {object} ComparedSetup
 * @property {string} [id]
 * @property {string} [clientId]
 * @property {number} [version] 0: all its versions together
 * @property {string} [displayName] From the server: "Unnamed setup" where it has no name
 */

/**
 * Names a setup by one of its ids.
 * @typedef {object} ComparedSetupInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {number} [version] 0: all its versions together
 * @property {string} [displayName] From the server: "Unnamed setup" where it has no name
 */

/**
 * @typedef {object} ListComparableSetupsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only for the same principal
 */

/**
 * @typedef {object} ListComparableSetupsResponse
 * @property {ComparableSetup[]} [setups]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * A setup to choose.
 * @typedef {object} ComparableSetup
 * @property {string} [id]
 * @property {string} [clientId]
 * @property {string} [displayName]
 * @property {boolean} [isDefault]
 * @property {number} [version] the latest
 */

/**
 * @typedef {object} GetSetupPerformanceRequestInit
 * @property {ComparedSetupInit} [setup]
 * @property {RangeChoiceInit} [range] absent: the stored choice
 * @property {string | bigint} [asOfMs] instead of now; 1970 to 9999
 * @property {boolean} [includeUnfinished] also rounds IN_PROGRESS and PAUSED
 */

/**
 * @typedef {object} GetItemPerformanceRequestInit
 * @property {string | bigint} [equipmentId] or the next
 * @property {string | Uint8Array} [equipmentClientId]
 * @property {RangeChoiceInit} [range]
 * @property {string | bigint} [asOfMs]
 * @property {boolean} [includeUnfinished]
 */

/**
 * @typedef {object} PerformanceResponse
 * @property {ShownRange} [range]
 * @property {SetupPerformance} [performance]
 * @property {StratumPerformance[]} [strata] by distance in metres, diameter and face
 * @property {string} [displayName] of the setup or of the item
 */

/**
 * The range of an answer.
 * @typedef {object} ShownRange
 * @property {ComparisonRange} [range]
 * @property {string} [startMs] absent: from the first arrow
 * @property {string} [endMs] exclusive
 */

/**
 * Over all arrows of a setup in the range. The values are 0 without arrows.
 * @typedef {object} SetupPerformance
 * @property {boolean} [hasData]
 * @property {string} [totalArrows]
 * @property {number} [averageScore] per arrow
 * @property {number} [accuracyPercent] arrows of at least min(10, top of the face), X included
 * @property {number} [consistencyPercent] arrows of at least min(9, second value of the face)
 * @property {string} [xCount]
 * @property {string} [tenCount] of value exactly 10, X included
 * @property {string} [missCount]
 * @property {string} [roundCount]
 * @property {number} [averageRoundScore] of the rounds' arrows in the range
 * @property {string} [firstShotAtMs]
 * @property {string} [lastShotAtMs]
 * @property {Face[]} [faces]
 * @property {FaceGroup[]} [groups] by diameter of the face, smaller ones first
 * @property {TenRateEstimate} [tenRate] absent without arrows, and if no inference was requested
 * @property {string[]} [valueCounts] of arrows by value, from 0 to 11
 * @property {string} [handicapRoundCount] Complete rounds in the range that have a handicap. In a stratum: rounds whose passes of that stratum are complete and in the range; the scores of these passes are added.
 * @property {number} [meanHandicap] of those
 */

/**
 * Positions on faces of one diameter, in radii of the nominal face: +x right, +y up.
 * @typedef {object} FaceGroup
 * @property {number} [diameterCm]
 * @property {string} [positionCount]
 * @property {number} [meanX] the drift
 * @property {number} [meanY]
 * @property {GroupSize} [size] About the centroid, with n - 1; absent with fewer than two positions.
 */

/**
 * The size of a group of arrows about its centroid. Variances divide by n - 1.
 * @typedef {object} GroupSize
 * @property {number} [varianceX]
 * @property {number} [varianceY]
 * @property {number} [covariance]
 * @property {number} [meanRadius] Absent if inference was not requested, or if the setup has more than 20,000 positions.
 * @property {number} [semiMajor50] of the ellipses that hold 50 and 95 % of a normal group
 * @property {number} [semiMinor50]
 * @property {number} [semiMajor95]
 * @property {number} [semiMinor95]
 * @property {number} [axisRatio] at least 1; absent if all positions are on one line
 * @property {number} [angleRadians] of the longer axis, from +x towards +y
 */

/**
 * The conditions that compared arrows share. Place, weather, wind and light are set only if every compared round
 * states them, and a request does not ignore them.
 * @typedef {object} StratumKey
 * @property {number} [distance]
 * @property {DistanceUnit} [unit]
 * @property {Face} [face]
 * @property {number} [diameterCm]
 * @property {string} [place]
 * @property {Weather} [weather]
 * @property {Wind} [wind]
 * @property {Light} [light]
 */

/**
 * The statistics of a setup at one stratum.
 * @typedef {object} StratumPerformance
 * @property {StratumKey} [stratum]
 * @property {SetupPerformance} [performance]
 */

/**
 * The share of tens, with Wilson's interval adjusted for differences between rounds.
 * @typedef {object} TenRateEstimate
 * @property {number} [rate] 0 to 1
 * @property {string} [arrowCount]
 * @property {string} [roundCount]
 * @property {number} [designEffect] at least 1
 * @property {number} [lower] of 95 %; absent with fewer than two rounds
 * @property {number} [upper]
 */

/**
 * @typedef {object} CompareRequestInit
 * @property {ComparedSetupInit[]} [setups] two to four different ones; the first two are A and B
 * @property {RangeChoiceInit} [range] absent: the stored choice
 * @property {string | bigint} [asOfMs] instead of now; 1970 to 9999
 * @property {boolean} [includeUnfinished] also rounds IN_PROGRESS and PAUSED
 * @property {InferenceMethod} [method]
 * @property {string | bigint} [seed] of the bootstrap; the same request gives the same answer
 * @property {boolean} [includeShots] the positions, for drawing
 * @property {StratumAspect[]} [ignoreConditions] PLACE, WEATHER, WIND and LIGHT that make no strata, although all rounds state them.
 */

/**
 * @typedef {object} CompareResponse
 * @property {ShownRange} [range]
 * @property {SetupResult[]} [setups] in the order of the request
 * @property {SetupPair[]} [pairs] (0, 1), (0, 2), (1, 2) and so on
 * @property {StratumResult[]} [strata] by distance in metres, diameter and face
 */

/**
 * One setup of a comparison.
 * @typedef {object} SetupResult
 * @property {ComparedSetup} [setup]
 * @property {SetupPerformance} [performance]
 * @property {ShotPosition[]} [shots] the latest 5,000, in no particular order
 * @property {boolean} [shotsCut] there are more
 */

/**
 * One arrow on the face.
 * @typedef {object} ShotPosition
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [value]
 * @property {number} [diameterCm]
 */

/**
 * The setups of a comparison at one stratum.
 * @typedef {object} StratumResult
 * @property {StratumKey} [stratum]
 * @property {SetupPerformance[]} [performances] of the setups, in the order of the request
 * @property {SetupPair[]} [pairs]
 */

/**
 * Two setups: B minus A.
 * @typedef {object} SetupPair
 * @property {number} [a] places in the list of setups, from 0
 * @property {number} [b]
 * @property {PairDeltas} [deltas] absent if a side has no arrows
 * @property {PairInference} [inference] absent if none was requested
 */

/**
 * The plain differences of two setups over all their arrows.
 * @typedef {object} PairDeltas
 * @property {ShownDelta} [averageScore]
 * @property {ShownDelta} [accuracy]
 * @property {ShownDelta} [consistency]
 * @property {string} [arrowCount]
 * @property {string} [arrowCountText] with a sign
 */

/**
 * The text is the value rounded half-even; the direction is that of the text.
 * @typedef {object} ShownDelta
 * @property {number} [value]
 * @property {string} [text] for example +1.25, -0.50 and 0.00
 * @property {DeltaDirection} [direction]
 */

/**
 * The tests of the differences between two setups.
 * @typedef {object} PairInference
 * @property {MetricInference[]} [metrics] average score, accuracy, consistency
 * @property {TenRateDifference} [tenRate] absent if a side has fewer than two rounds
 * @property {PlaceInference[]} [places] by diameter of the face
 * @property {MetricInference} [handicap] Of the integer handicaps of complete rounds; smaller is better; absent if a side has none.
 * @property {boolean} [conditionsDiffer] The setups' shares of distances and faces differ by more than 5 %, so points cannot be compared and metrics name no winner.
 * @property {MetricInference[]} [pooled] Average score, accuracy and consistency over the strata that both setups shot: differences within each stratum, weighted by precision. Present if conditions differ and there are such strata.
 * @property {StratumKey[]} [pooledStrata] by distance in metres, diameter and face
 * @property {string} [overallWords] The result of all tests of the pair together, after Holm's correction; empty if no test was made.
 * @property {StratumAspect[]} [differing] By what the conditions differ, each by itself. If place, weather, wind or light are among them, the handicap names no winner either: it makes distances and faces alike, but no weather.
 */

/**
 * Of the mean of round means: each round has the same weight.
 * @typedef {object} MetricInference
 * @property {ComparisonMetric} [metric] unspecified: the handicap
 * @property {number} [meanA]
 * @property {number} [meanB]
 * @property {number} [roundCountA]
 * @property {number} [roundCountB]
 * @property {number} [difference] B minus A; absent if a side has fewer than two rounds.
 * @property {number} [standardError]
 * @property {number} [degreesOfFreedom]
 * @property {number} [lower] of 95 %
 * @property {number} [upper]
 * @property {number} [p] two-sided
 * @property {number} [adjustedP] Holm's, over all pairs of the comparison
 * @property {number} [hedgesG]
 * @property {number} [detectableDifference] found in 8 of 10 comparisons of this size
 * @property {ComparisonVerdict} [verdict]
 * @property {string} [words] the verdict in words
 */

/**
 * B minus A, with Newcombe's interval of 95 %.
 * @typedef {object} TenRateDifference
 * @property {number} [difference]
 * @property {number} [lower]
 * @property {number} [upper]
 */

/**
 * Hotelling's test of the rounds' centroids on faces of one diameter.
 * @typedef {object} PlaceInference
 * @property {number} [diameterCm]
 * @property {number} [roundCountA]
 * @property {number} [roundCountB]
 * @property {number} [tSquared] absent if there are too few rounds
 * @property {number} [p]
 * @property {PlaceVerdict} [verdict]
 * @property {string} [words]
 */

/**
 * @typedef {object} GetArrowNumbersRequestInit
 * @property {ComparedSetupInit} [setup]
 * @property {RangeChoiceInit} [range]
 * @property {string | bigint} [asOfMs]
 * @property {boolean} [includeUnfinished]
 * @property {boolean} [byShaft] numbers of shafts instead; arrows whose shaft is not known are left out
 */

/**
 * @typedef {object} GetArrowNumbersResponse
 * @property {ShownRange} [range]
 * @property {ArrowNumber[]} [numbers] from 1
 */

/**
 * The statistics of the arrows of one number.
 * @typedef {object} ArrowNumber
 * @property {number} [number] within its end, from 1; or of its shaft
 * @property {SetupPerformance} [performance]
 */

/**
 * @typedef {object} GetRangeRequest
 */

/**
 * @typedef {object} SetRangeRequestInit
 * @property {RangeChoiceInit} [range]
 */

/**
 * @typedef {object} GetHandicapScoreRequestInit
 * @property {FormatReferenceInit} [format]
 * @property {number} [handicap] -75 to 300
 */

/**
 * @typedef {object} GetHandicapScoreResponse
 * @property {number} [score]
 * @property {number} [maximumScore]
 * @property {string} [formatName]
 */

/**
 * @typedef {object} GetScoreHandicapRequestInit
 * @property {FormatReferenceInit} [format]
 * @property {number} [score] 1 to the maximum
 */

/**
 * @typedef {object} GetScoreHandicapResponse
 * @property {number} [handicap]
 * @property {number} [maximumScore]
 * @property {string} [formatName]
 */

/**
 * @typedef {object} GetClassificationRequestInit
 * @property {FormatReferenceInit} [format]
 * @property {number} [score] 0 to the maximum; absent: only the table is answered
 * @property {Bowstyle} [bowstyle] unspecified: the profile's, as for the next two
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 */

/**
 * @typedef {object} GetClassificationResponse
 * @property {ClassificationThreshold[]} [thresholds] highest class first
 * @property {string} [code] the highest class that the score gives, for example B1; empty: none
 * @property {string} [name] for example Bowman 1st Class; empty: none
 * @property {number} [maximumScore]
 * @property {string} [formatName]
 * @property {Bowstyle} [bowstyle] The category of the table.
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 */

/**
 * The score from which a round gives a class.
 * @typedef {object} ClassificationThreshold
 * @property {string} [code]
 * @property {string} [name]
 * @property {ClassificationTier} [tier]
 * @property {number} [handicap] that the class stands for
 * @property {number} [score] absent: the round cannot give the class
 * @property {number} [arrowsRequired] An award asks for rounds of this many arrows together; 0: field archery asks for rounds.
 */

/**
 * What a device says of itself. The server shows it and decides nothing by it.
 * @typedef {object} DeviceReport
 * @property {number} [waitingOperations] that it has not been able to send
 * @property {string} [waitingSinceMs] by its clock; 0: nothing waits
 * @property {string} [pageVersion] at most 50 characters
 * @property {number} [batteryPercent] at most 100; absent: not known
 */

/**
 * What a device says of itself. The server shows it and decides nothing by it.
 * @typedef {object} DeviceReportInit
 * @property {number} [waitingOperations] that it has not been able to send
 * @property {string | bigint} [waitingSinceMs] by its clock; 0: nothing waits
 * @property {string} [pageVersion] at most 50 characters
 * @property {number} [batteryPercent] at most 100; absent: not known
 */

/**
 * @typedef {object} ReportDeviceRequestInit
 * @property {DeviceReportInit} [report]
 */

/**
 * @typedef {object} ReportDeviceResponse
 */

/**
 * A scoring device that has joined with a secret of its own.
 * @typedef {object} EventDevice
 * @property {string} [tournamentId]
 * @property {string} [principalId]
 * @property {string} [device] as it named itself when it joined last
 * @property {string} [joinedAtMs] for the first time
 * @property {string} [lastCallAtMs] exact to an hour
 * @property {string} [endedAtMs] 0: it may score; later operations of it are LATE for 7 days
 * @property {DeviceReport} [report] absent: none
 * @property {string} [reportedAtMs] 0: not yet
 * @property {number} [leaseCount]
 */

/**
 * @typedef {object} ListEventDevicesRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListEventDevicesResponse
 * @property {EventDevice[]} [devices] by principal id; at most 2,000
 */

/**
 * @typedef {object} EndDeviceRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [principalId]
 */

/**
 * @typedef {object} EndDeviceResponse
 */

/**
 * What is open at the target of a plate.
 * @typedef {object} TargetChoice
 * @property {string} [sessionId] 0: a match
 * @property {string} [matchId] 0: a session
 * @property {string} [name] of the session, or of both sides of the match
 * @property {string} [startsAtMs] 0: not known
 */

/**
 * @typedef {object} SinkResponse
 * @property {string} [messageCount]
 * @property {string} [payloadBytes] of all payloads
 */

/**
 * @typedef {object} SourceRequestInit
 * @property {number[]} [sizes] of the payloads, in order; at most 10,000 of them
 * @property {string | bigint} [count] without sizes: this many messages, numbered from 1
 * @property {number} [size] of the payload of each of those, at most 4 MiB
 * @property {number} [intervalMs] between two messages, at most 600,000; 0: no pause
 */

/**
 * @typedef {object} ConnectionsRequest
 */

/**
 * @typedef {object} ConnectionsResponse
 * @property {ConnectionEntry[]} [connections] oldest first, at most 1,000
 * @property {number} [total]
 */

/**
 * One connection of the caller's principal.
 * @typedef {object} ConnectionEntry
 * @property {string} [id]
 * @property {string} [address]
 * @property {string} [openedMsAgo]
 * @property {number} [openCalls]
 * @property {boolean} [isThis]
 */

/**
 * The request and the response of an echo.
 * @typedef {object} EchoMessage
 * @property {string} [payload]
 * @property {string} [text]
 * @property {string} [number]
 */

/**
 * The request and the response of an echo.
 * @typedef {object} EchoMessageInit
 * @property {string | Uint8Array} [payload]
 * @property {string} [text]
 * @property {string | bigint} [number]
 */

/**
 * @typedef {object} DelayRequest
 * @property {number} [delayMs] at most 600,000
 */

/**
 * @typedef {object} DelayResponse
 * @property {number} [timeLeftMs] The time left until the deadline when the handler started; absent without a deadline.
 */

/**
 * @typedef {object} FailRequestInit
 * @property {number} [code] 1 to 16; others are INVALID_ARGUMENT
 * @property {string} [message]
 * @property {boolean} [notProcessed]
 * @property {number} [retryAfterMs]
 * @property {DetailInit[]} [details]
 * @property {MetadataInit[]} [metadata]
 * @property {number} [afterMessages] of a reply stream: number of empty messages before the status, at most 10,000
 */

/**
 * @typedef {object} FailResponse
 */

/**
 * The state of an event.
 * @typedef {"TOURNAMENT_STATUS_UNSPECIFIED" | "TOURNAMENT_STATUS_OPEN" | "TOURNAMENT_STATUS_IN_PROGRESS" | "TOURNAMENT_STATUS_COMPLETED" | "TOURNAMENT_STATUS_CANCELLED" | (string & {})} TournamentStatus
 */

/**
 * How the name of an archer is shown to who has no part in an event: to spectators, and to accounts that see it
 * because everybody may watch it. Organisers, officials, scorers, participants and devices that score read names
 * in full.
 * - PUBLIC_NAME_INITIALS: the first letter of each word
 * - PUBLIC_NAME_BIB: without a bib a neutral name
 * @typedef {"PUBLIC_NAME_UNSPECIFIED" | "PUBLIC_NAME_FULL" | "PUBLIC_NAME_INITIALS" | "PUBLIC_NAME_BIB" | (string & {})} PublicName
 */

/**
 * Who must agree to the correction or retraction of an arrow in an end that has all its arrows, on the first or
 * the second card of a qualification, or in a match.
 * - CORRECTION_CONSENT_WITNESS: another archer, or an organiser or a judge, whom it names
 * - CORRECTION_CONSENT_JUDGE: an organiser or a judge, who makes it
 * @typedef {"CORRECTION_CONSENT_UNSPECIFIED" | "CORRECTION_CONSENT_NOBODY" | "CORRECTION_CONSENT_WITNESS" | "CORRECTION_CONSENT_JUDGE" | (string & {})} CorrectionConsent
 */

/**
 * How a match is scored.
 * - MATCH_SYSTEM_INDIVIDUAL_SETS: sets of 3 arrows, at most 5; 6 set points win
 * - MATCH_SYSTEM_TEAM_SETS: sets of 6 arrows by 3 archers, at most 4; 5 set points win
 * - MATCH_SYSTEM_MIXED_TEAM_SETS: sets of 4 arrows by 2 archers, at most 4; 5 set points win
 * - MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE: 15 arrows; the higher total wins
 * - MATCH_SYSTEM_TEAM_CUMULATIVE: 24 arrows by 3 archers
 * - MATCH_SYSTEM_MIXED_TEAM_CUMULATIVE: 16 arrows by 2 archers
 * @typedef {"MATCH_SYSTEM_UNSPECIFIED" | "MATCH_SYSTEM_INDIVIDUAL_SETS" | "MATCH_SYSTEM_TEAM_SETS" | "MATCH_SYSTEM_MIXED_TEAM_SETS" | "MATCH_SYSTEM_INDIVIDUAL_CUMULATIVE" | "MATCH_SYSTEM_TEAM_CUMULATIVE" | "MATCH_SYSTEM_MIXED_TEAM_CUMULATIVE" | (string & {})} MatchSystem
 */

/**
 * How a tie was decided.
 * @typedef {"TIE_DECISION_UNSPECIFIED" | "TIE_DECISION_SHOOT_OFF" | "TIE_DECISION_COIN_TOSS" | (string & {})} TieDecision
 */

/**
 * What the archers of a team have in common.
 * @typedef {"TEAM_GROUP_UNSPECIFIED" | "TEAM_GROUP_CLUB" | "TEAM_GROUP_COUNTRY" | (string & {})} TeamGroup
 */

/**
 * How far a match is.
 * - MATCH_STATE_WAITING: for its archers
 * - MATCH_STATE_BYE: one archer has no opponent
 * - MATCH_STATE_MEASURING: a shoot-off is tied: a distance or a judge's mark is needed
 * @typedef {"MATCH_STATE_UNSPECIFIED" | "MATCH_STATE_WAITING" | "MATCH_STATE_BYE" | "MATCH_STATE_SCHEDULED" | "MATCH_STATE_SHOOTING" | "MATCH_STATE_SHOOT_OFF" | "MATCH_STATE_MEASURING" | "MATCH_STATE_FINISHED" | "MATCH_STATE_CONFIRMED" | (string & {})} MatchState
 */

/**
 * What decided a match.
 * @typedef {"MATCH_DECISION_UNSPECIFIED" | "MATCH_DECISION_ARROWS" | "MATCH_DECISION_SHOOT_OFF" | "MATCH_DECISION_DISTANCE" | "MATCH_DECISION_JUDGES_MARK" | "MATCH_DECISION_FORFEIT" | "MATCH_DECISION_BYE" | (string & {})} MatchDecision
 */

/**
 * What became of an operation.
 * - MATCH_VERDICT_SAME: It was stored before, whoever may score the match now, or the same arrows are there.
 * - MATCH_VERDICT_CONFLICT: other arrows are there
 * - MATCH_VERDICT_NOT_YET: No device has joined the target, or the operation that it replaces has not arrived; send it again later.
 * - MATCH_VERDICT_LATE: The device had lost its lease, and other arrows are there: an official sees these.
 * @typedef {"MATCH_VERDICT_UNSPECIFIED" | "MATCH_VERDICT_STORED" | "MATCH_VERDICT_SAME" | "MATCH_VERDICT_CONFLICT" | "MATCH_VERDICT_REFUSED" | "MATCH_VERDICT_NOT_YET" | "MATCH_VERDICT_LATE" | (string & {})} MatchVerdict
 */

/**
 * @typedef {object} CutCategoryRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {number} [size] 2 to 128: how many advance
 * @property {MatchSystem} [system] individual ones only
 * @property {boolean} [noBronzeMatch] the losers of the semifinals share rank 3
 * @property {string | bigint} [seed] of the lots; 0: a new one
 * @property {number} [exemptSeeds] How many of the first seeds shoot from 1/16 on: 8 for 57 to 104 who advance, as World Archery's brackets; 0: none. Seeds 9 to 56 then shoot 1/48 against 113 less their seed.
 */

/**
 * @typedef {object} DecideTieRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {(string | bigint)[]} [participantIds] 2 to 128: all who share a rank, best first
 * @property {TieDecision} [decision]
 * @property {TieShots[]} [shots] Of a shoot-off, of each participant in their order; none: only the order is known. An order that the arrows and distances contradict is INVALID_ARGUMENT.
 * @property {string | bigint} [expectedDecidedAtMs] When the tie was decided, as it was read, 0 if it was not: another time is ABORTED. Absent: any.
 */

/**
 * What one archer shot in a shoot-off of the qualification.
 * @typedef {object} TieShots
 * @property {MatchArrow[]} [arrows] 1 to 20, in their order
 * @property {number[]} [distances] From the centre, in tenths of a millimetre, of the arrows from the first on; 0: not measured.
 */

/**
 * @typedef {object} DecideTieResponse
 */

/**
 * @typedef {object} ListStagesRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListStagesResponse
 * @property {EliminationStage[]} [stages] by id
 */

/**
 * @typedef {object} DeleteStageRequestInit
 * @property {string | bigint} [stageId]
 * @property {string | bigint} [expectedRevision] Of the bracket, as it was read: a bracket that differs is ABORTED, with the bracket. 0: any.
 */

/**
 * @typedef {object} DeleteStageResponse
 */

/**
 * An elimination or the groups of a category, or of teams.
 * @typedef {object} EliminationStage
 * @property {string} [id] from the server
 * @property {string} [tournamentId]
 * @property {string} [categoryId]
 * @property {string} [categoryCode]
 * @property {number} [size] places of the bracket: a power of two
 * @property {number} [entrantCount]
 * @property {MatchSystem} [system]
 * @property {number} [ruleDay] the day whose rules apply: days since 1970-01-01
 * @property {boolean} [bronzeMatch]
 * @property {string} [seed] of the lots
 * @property {string} [createdAtMs]
 * @property {string} [secondCategoryId] of mixed teams; 0: none
 * @property {TeamGroup} [teamGroup] unspecified: single archers
 * @property {number} [groupCount] 0: a bracket
 * @property {string} [fromStageId] the groups from which it was cut; 0: the qualification
 * @property {number} [exemptSeeds] How many of the first seeds shoot from 1/16 on; 0: none. With 8 the size is 128: round size 128 is 1/48 and has 48 matches, at 48 of its 64 indices; the exempt seeds have byes in round size 64, 1/24; the losers of 1/48 have rank 57.
 * @property {Face} [face] on which the arrows of its matches are valid
 * @property {MatchArrow} [repeatedMaximum] What both sides must have in a first shoot-off for it to be shot again; absent: nothing.
 */

/**
 * An archer of a team.
 * @typedef {object} TeamMember
 * @property {string} [participantId]
 * @property {string} [displayName]
 */

/**
 * @typedef {object} GetBracketRequestInit
 * @property {string | bigint} [stageId]
 */

/**
 * A stage with its matches.
 * @typedef {object} EliminationBracket
 * @property {EliminationStage} [stage]
 * @property {EliminationMatch[]} [matches] the first rounds first; without cards
 * @property {EliminationRank[]} [ranks] of all entrants, by rank, then by seed
 * @property {string} [revision] of its entrants and matches: another one for another content; not 0
 */

/**
 * An archer or a team of a stage with its rank.
 * @typedef {object} EliminationRank
 * @property {number} [seed]
 * @property {string} [participantId] 0: a team
 * @property {string} [displayName]
 * @property {number} [rank] 0: not decided; in groups that of the group so far
 * @property {TeamMember[]} [members] of a team
 * @property {number} [group] from 1; 0: a bracket
 * @property {number} [playedCount] In groups: confirmed matches, those won with 2 points for each, and the sums of all of them.
 * @property {number} [wonCount]
 * @property {number} [points]
 * @property {number} [setPoints]
 * @property {number} [total]
 */

/**
 * A match of a bracket.
 * @typedef {object} EliminationMatch
 * @property {string} [id] from the server
 * @property {string} [stageId]
 * @property {number} [roundSize] 8: quarterfinals, 2: medal matches; 0: a match of a group
 * @property {number} [index] from 0; of the medal matches 0 is for gold, 1 for bronze
 * @property {MatchState} [state]
 * @property {MatchSideCard[]} [sides] two
 * @property {number} [winner] 1 or 2; 0: none
 * @property {MatchDecision} [decision]
 * @property {number} [nextEnd] while it is shot: the index of the next end or shoot-off
 * @property {string} [revision] from 1
 * @property {string} [tournamentId]
 * @property {string} [startsAtMs] 0: not known
 * @property {number} [group] from 1; 0: a match of a bracket
 * @property {number} [groupRound] from 1
 * @property {CorrectionConsent} [correctionConsent] Who must agree to its corrections; absent where the cards are not shown.
 * @property {EliminationStage} [stage] only where the cards are shown
 */

/**
 * One side of a match with its card.
 * @typedef {object} MatchSideCard
 * @property {number} [seed] 0: nobody, or not known yet
 * @property {string} [participantId] 0: a team
 * @property {string} [displayName]
 * @property {number} [setPoints]
 * @property {number} [total] of the ends that count
 * @property {boolean} [confirmed]
 * @property {boolean} [forfeited]
 * @property {MatchCardEntry[]} [entries] not in a bracket: by end, then by shoot-off
 * @property {boolean} [mayScore] of GetMatch and WatchMatch only; also who holds the lease on the target
 * @property {number} [target] 0: none
 * @property {TeamMember[]} [members] of a team; of GetMatch only
 */

/**
 * The arrows of an end or of a shoot-off.
 * @typedef {object} MatchCardEntry
 * @property {boolean} [shootOff]
 * @property {number} [index] from 0; a match has at most 20 shoot-offs
 * @property {MatchArrow[]} [arrows]
 * @property {number[]} [distances] of a shoot-off: from the centre, in tenths of a millimetre
 * @property {boolean} [isCloser] of a shoot-off: the mark of a judge, or of an organiser
 * @property {string} [operationId] that stored it; from the server
 * @property {string} [operationClientId] from the server
 * @property {string} [witnessId] From the server: who agreed to the correction that it has, by one of these; 0: nobody was named.
 * @property {string} [judgeId]
 * @property {string} [witnessName] as the caller may see it; at most 200 characters
 */

/**
 * The arrows of an end or of a shoot-off.
 * @typedef {object} MatchCardEntryInit
 * @property {boolean} [shootOff]
 * @property {number} [index] from 0; a match has at most 20 shoot-offs
 * @property {MatchArrow[]} [arrows]
 * @property {number[]} [distances] of a shoot-off: from the centre, in tenths of a millimetre
 * @property {boolean} [isCloser] of a shoot-off: the mark of a judge, or of an organiser
 * @property {string | bigint} [operationId] that stored it; from the server
 * @property {string | Uint8Array} [operationClientId] from the server
 * @property {string | bigint} [witnessId] From the server: who agreed to the correction that it has, by one of these; 0: nobody was named.
 * @property {string | bigint} [judgeId]
 * @property {string} [witnessName] as the caller may see it; at most 200 characters
 */

/**
 * One arrow of a match.
 * @typedef {object} MatchArrow
 * @property {number} [value]
 * @property {boolean} [isX]
 */

/**
 * @typedef {object} GetMatchRequestInit
 * @property {string | bigint} [matchId]
 */

/**
 * Records all arrows of an end or a shoot-off, or replaces what another operation recorded.
 * @typedef {object} MatchOperationInit
 * @property {string | Uint8Array} [clientId] UUIDv7, unique per principal
 * @property {string | bigint} [matchId]
 * @property {number} [side] 1 or 2
 * @property {MatchCardEntryInit} [entry] no arrows: empties it, with replaces_client_id
 * @property {string | Uint8Array} [replacesClientId] the operation whose entry is corrected
 * @property {string} [reason] of a correction: 1 to 200 characters
 * @property {string | bigint} [scoredAtMs] by the client's clock; 0, or more than 5 minutes ahead: now
 * @property {string | bigint} [participantId] Whose arrows these are, from the side's card. Another archer on the side is FAILED_PRECONDITION: a bracket can change while a device is offline. 0: not checked.
 * @property {string} [device] at most 200 characters; in an event that demands leases that of the lease
 * @property {string | bigint} [witnessId] Who agreed to a correction, by one of these: a participant of the event who is not on the side, or an organiser or a judge. An event may demand one (TournamentEvent.correction_consent) of those who change arrows, or distances that were entered; a distance that is added needs nobody.
 * @property {string | bigint} [judgeId]
 */

/**
 * @typedef {object} ApplyMatchOperationsRequestInit
 * @property {MatchOperationInit[]} [operations] 1 to 50
 */

/**
 * @typedef {object} ApplyMatchOperationsResponse
 * @property {MatchOperationVerdict[]} [verdicts] one for each, in their order
 */

/**
 * @typedef {object} MatchOperationVerdict
 * @property {string} [clientId]
 * @property {MatchVerdict} [verdict]
 * @property {number} [code] of CONFLICT, NOT_YET and REFUSED: the status code
 * @property {string} [message]
 * @property {EliminationMatch} [match] after the operation; absent if the caller may not see it
 */

/**
 * @typedef {object} ConfirmMatchCardRequestInit
 * @property {string | bigint} [matchId]
 * @property {number} [side] 1 or 2
 * @property {string | bigint} [revision] that was read: what is confirmed
 */

/**
 * @typedef {object} ForfeitMatchRequestInit
 * @property {string | bigint} [matchId]
 * @property {number} [side] 1 or 2
 * @property {string} [reason] 1 to 200 characters
 * @property {string | bigint} [expectedRevision] Of the match, as it was read: a match that differs is ABORTED, with the match. 0: any.
 */

/**
 * @typedef {object} ReopenMatchRequestInit
 * @property {string | bigint} [matchId]
 * @property {string} [reason] 1 to 200 characters
 * @property {boolean} [voidLater] empties the later matches that depend on it
 * @property {string | bigint} [expectedRevision] Of the match, as it was read: a match that differs is ABORTED, with the match. 0: any.
 */

/**
 * @typedef {object} WatchBracketRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [stageId]
 */

/**
 * @typedef {object} WatchBracketResponse
 * @property {WatchSpan} [span]
 * @property {EliminationBracket} [bracket] at first: all matches; then the changed ones and all ranks
 */

/**
 * @typedef {object} PlaceMatchesRequestInit
 * @property {string | bigint} [stageId]
 * @property {number} [roundSize] 8: quarterfinals, 2: medal matches
 * @property {number} [firstTarget] of the first side of the first match; 0: no targets; at most 9,999
 * @property {number} [targetsPerMatch] 1: both sides shoot on one target, 2: each on its own
 * @property {string | bigint} [startsAtMs] of all; 0: not known
 * @property {number} [groupRound] the round of all groups, from 1, instead of round_size
 * @property {string | bigint} [expectedRevision] Of the bracket, as it was read: a bracket that differs is ABORTED, with the bracket. 0: any.
 */

/**
 * @typedef {object} PlaceMatchRequestInit
 * @property {string | bigint} [matchId]
 * @property {number} [firstTarget] of the first side; 0: no targets; at most 9,999
 * @property {number} [targetsPerMatch] 1: both sides shoot on one target, 2: each on its own
 * @property {string | bigint} [startsAtMs] 0: not known
 */

/**
 * @typedef {object} CutTeamsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {string | bigint} [secondCategoryId] of mixed teams the category of the other gender; else 0
 * @property {number} [size] 2 to 128: how many teams advance
 * @property {MatchSystem} [system] of teams or mixed teams
 * @property {TeamGroup} [group]
 * @property {boolean} [noBronzeMatch] the losers of the semifinals share rank 3
 * @property {string | bigint} [seed] of the lots; 0: a new one
 * @property {string[]} [tieOrder] All teams that share the rank across the cut, best first, as the tie was decided; else none.
 * @property {TieDecision} [tieDecision] with tie_order
 */

/**
 * @typedef {object} SubstituteTeamMemberRequestInit
 * @property {string | bigint} [stageId]
 * @property {number} [seed] of the team
 * @property {string | bigint} [participantId] who leaves the team
 * @property {string | bigint} [substituteId] who comes instead
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} DrawGroupsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {number} [size] 2 to 128: how many advance
 * @property {number} [groupCount] each gets 2 to 16 archers
 * @property {MatchSystem} [system] individual ones only
 * @property {string | bigint} [seed] of the lots; 0: a new one
 */

/**
 * @typedef {object} CutGroupsRequestInit
 * @property {string | bigint} [stageId] of groups
 * @property {number} [perGroup] 1 to 16: how many of each group advance; 2 to 128 of all
 * @property {MatchSystem} [system] individual ones only
 * @property {boolean} [noBronzeMatch] the losers of the semifinals share rank 3
 */

/**
 * @typedef {object} WatchMatchRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [matchId]
 */

/**
 * @typedef {object} WatchMatchResponse
 * @property {WatchSpan} [span]
 * @property {EliminationMatch} [match]
 */

/**
 * The length of limbs as they are sold.
 * @typedef {"LIMB_LENGTH_UNSPECIFIED" | "LIMB_LENGTH_SHORT" | "LIMB_LENGTH_MEDIUM" | "LIMB_LENGTH_LONG" | (string & {})} LimbLength
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Limbs
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [poundageLb] above 0, at most 200
 * @property {LimbLength} [limbLength]
 * @property {number} [lengthIn] above 0, at most 100
 * @property {string} [material] at most 200 characters
 * @property {number} [tillerMm] -100 to 100
 * @property {number} [installedOn] days since 1970-01-01, of the years 1 to 9999
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} LimbsInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [poundageLb] above 0, at most 200
 * @property {LimbLength} [limbLength]
 * @property {number} [lengthIn] above 0, at most 100
 * @property {string} [material] at most 200 characters
 * @property {number} [tillerMm] -100 to 100
 * @property {number} [installedOn] days since 1970-01-01, of the years 1 to 9999
 */

/**
 * @typedef {object} CreateLimbsRequestInit
 * @property {LimbsInit} [limbs] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetLimbsRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateLimbsRequestInit
 * @property {LimbsInit} [limbs] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteLimbsRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteLimbsResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveLimbsRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreLimbsRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * How a plunger is adjusted.
 * @typedef {"PLUNGER_ADJUSTMENT_UNSPECIFIED" | "PLUNGER_ADJUSTMENT_MICRO" | "PLUNGER_ADJUSTMENT_CLICK" | (string & {})} PlungerAdjustment
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Plunger
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [tension] at most 200 characters; in the manufacturer's units
 * @property {PlungerAdjustment} [adjustment]
 * @property {number} [positionMm] -200 to 200
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} PlungerInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [tension] at most 200 characters; in the manufacturer's units
 * @property {PlungerAdjustment} [adjustment]
 * @property {number} [positionMm] -200 to 200
 */

/**
 * @typedef {object} CreatePlungerRequestInit
 * @property {PlungerInit} [plunger] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetPlungerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdatePlungerRequestInit
 * @property {PlungerInit} [plunger] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeletePlungerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeletePlungerResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchivePlungerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestorePlungerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * How a rest holds the arrow.
 * @typedef {"REST_TYPE_UNSPECIFIED" | "REST_TYPE_MAGNETIC" | "REST_TYPE_FLIPPER" | "REST_TYPE_BLADE" | "REST_TYPE_DROP_AWAY" | "REST_TYPE_OTHER" | (string & {})} RestType
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Rest
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {RestType} [type]
 * @property {number} [verticalPositionMm] -200 to 200; up is positive
 * @property {number} [horizontalPositionMm] -200 to 200; away from the riser is positive
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} RestInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {RestType} [type]
 * @property {number} [verticalPositionMm] -200 to 200; up is positive
 * @property {number} [horizontalPositionMm] -200 to 200; away from the riser is positive
 */

/**
 * @typedef {object} CreateRestRequestInit
 * @property {RestInit} [rest] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetRestRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateRestRequestInit
 * @property {RestInit} [rest] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteRestRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteRestResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveRestRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreRestRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Riser
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [lengthIn] above 0, at most 100
 * @property {string} [material] at most 200 characters
 * @property {number} [weightG] 0 to 100,000
 * @property {string} [gripType] at most 200 characters
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} RiserInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [lengthIn] above 0, at most 100
 * @property {string} [material] at most 200 characters
 * @property {number} [weightG] 0 to 100,000
 * @property {string} [gripType] at most 200 characters
 */

/**
 * @typedef {object} CreateRiserRequestInit
 * @property {RiserInit} [riser] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetRiserRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateRiserRequestInit
 * @property {RiserInit} [riser] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteRiserRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteRiserResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveRiserRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreRiserRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Sight
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [type] at most 200 characters
 * @property {string} [material] at most 200 characters
 * @property {string} [adjustments] at most 4,000 characters
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} SightInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [type] at most 200 characters
 * @property {string} [material] at most 200 characters
 * @property {string} [adjustments] at most 4,000 characters
 */

/**
 * @typedef {object} CreateSightRequestInit
 * @property {SightInit} [sight] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetSightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateSightRequestInit
 * @property {SightInit} [sight] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteSightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteSightResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveSightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreSightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Where a stabilizer is mounted.
 * @typedef {"STABILIZER_POSITION_UNSPECIFIED" | "STABILIZER_POSITION_LONG" | "STABILIZER_POSITION_SIDE" | "STABILIZER_POSITION_EXTENDER" | "STABILIZER_POSITION_VBAR" | (string & {})} StabilizerPosition
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Stabilizer
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [weightG] 0 to 100,000
 * @property {number} [straightness] 1 to 10; default 5
 * @property {StabilizerPosition} [position]
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} StabilizerInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] required, 1 to 200 characters
 * @property {string} [model] required, 1 to 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {number} [lengthIn] above 0, at most 100
 * @property {number} [weightG] 0 to 100,000
 * @property {number} [straightness] 1 to 10; default 5
 * @property {StabilizerPosition} [position]
 */

/**
 * @typedef {object} CreateStabilizerRequestInit
 * @property {StabilizerInit} [stabilizer] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetStabilizerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateStabilizerRequestInit
 * @property {StabilizerInit} [stabilizer] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteStabilizerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteStabilizerResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveStabilizerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreStabilizerRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} Weight
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string} [createdAtMs]
 * @property {string} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [location] required, 1 to 200 characters; the display_brand
 * @property {string} [name] required, 1 to 200 characters; the display_model
 * @property {number} [ounces] 0 to 1,000
 */

/**
 * Fields 1 to 15 are the same in every type of equipment. Strings are trimmed. An absent number is unknown.
 * @typedef {object} WeightInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional; cannot be changed
 * @property {string} [brand] at most 200 characters
 * @property {string} [model] at most 200 characters
 * @property {string} [notes] at most 4,000 characters
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [updatedAtMs]
 * @property {boolean} [archived]
 * @property {string | bigint} [revision] from 1; an update names the revision that it read
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {number} [setupUseCount] number of setups whose latest version contains it
 * @property {string} [location] required, 1 to 200 characters; the display_brand
 * @property {string} [name] required, 1 to 200 characters; the display_model
 * @property {number} [ounces] 0 to 1,000
 */

/**
 * @typedef {object} CreateWeightRequestInit
 * @property {WeightInit} [weight] fields that the server sets, and archived, are ignored
 */

/**
 * By id or by client_id.
 * @typedef {object} GetWeightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 */

/**
 * @typedef {object} UpdateWeightRequestInit
 * @property {WeightInit} [weight] with id (or client_id) and the revision that was read
 * @property {string[]} [updateMask] names of fields; a field that is named and absent is cleared
 */

/**
 * @typedef {object} DeleteWeightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 * @property {boolean} [detach] An item in a bow setup is FAILED_PRECONDITION, with the setups in the message and in a detail (HeldBySetups). With detach, these setups get a new version without the item instead.
 */

/**
 * @typedef {object} DeleteWeightResponse
 */

/**
 * Archives the item: lists omit it unless they include archived items; setups keep it. Archiving an archived item
 * changes nothing.
 * @typedef {object} ArchiveWeightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * Restores an archived item. Restoring an item that is not archived changes nothing.
 * @typedef {object} RestoreWeightRequestInit
 * @property {string | bigint} [id]
 * @property {string | Uint8Array} [clientId]
 * @property {string | bigint} [revision] 0: any revision
 */

/**
 * The three groups of the hub.
 * @typedef {"EQUIPMENT_GROUP_UNSPECIFIED" | "EQUIPMENT_GROUP_BOW_COMPONENTS" | "EQUIPMENT_GROUP_STRING_AND_STABILIZATION" | "EQUIPMENT_GROUP_ARROWS_AND_ACCESSORIES" | (string & {})} EquipmentGroup
 */

/**
 * @typedef {object} GetHubRequest
 */

/**
 * @typedef {object} GetHubResponse
 * @property {HubGroup[]} [groups] all three groups, in the hub's order
 * @property {number} [total] items of all types, without archived ones
 * @property {number} [archivedTotal]
 * @property {number} [setupCount] active bow setups
 * @property {number} [inactiveSetupCount]
 */

/**
 * One of the three groups of types.
 * @typedef {object} HubGroup
 * @property {EquipmentGroup} [group]
 * @property {string} [label] in English, for example "Bow components"
 * @property {HubCount[]} [counts] every type of the group, in the hub's order
 * @property {number} [total] without archived ones
 */

/**
 * The number of items of one type.
 * @typedef {object} HubCount
 * @property {EquipmentType} [type]
 * @property {string} [label] in English, singular, for example "Arrow Set"
 * @property {string} [pluralLabel] for example "Arrows"
 * @property {number} [count] without archived and deleted ones
 * @property {number} [archivedCount]
 */

/**
 * @typedef {object} ListItemsRequest
 * @property {EquipmentType} [type] unspecified: all types
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same type, include_archived and principal
 * @property {boolean} [includeArchived]
 */

/**
 * @typedef {object} ListItemsResponse
 * @property {EquipmentItem[]} [items]
 * @property {string} [nextPageToken] empty: this was the last page
 */

/**
 * An item of equipment as lists show it.
 * @typedef {object} EquipmentItem
 * @property {string} [id]
 * @property {EquipmentType} [type]
 * @property {string} [displayBrand]
 * @property {string} [displayModel]
 * @property {boolean} [archived]
 * @property {string} [clientId]
 * @property {string} [revision]
 */

/**
 * @typedef {object} WatchHubRequest
 */

/**
 * @typedef {object} WatchHubResponse
 * @property {WatchSpan} [span]
 * @property {GetHubResponse} [hub]
 */

/**
 * @typedef {object} WatchItemsRequest
 * @property {EquipmentType} [type] unspecified: all of them
 * @property {boolean} [includeArchived]
 */

/**
 * @typedef {object} WatchItemsResponse
 * @property {WatchSpan} [span]
 * @property {EquipmentItem[]} [changed] new or changed, in their current state; at most 500
 * @property {string[]} [removedIds] no longer in the list
 */

/**
 * @typedef {object} WatchBowSetupsRequest
 * @property {boolean} [includeInactive]
 */

/**
 * @typedef {object} WatchBowSetupsResponse
 * @property {WatchSpan} [span]
 * @property {BowSetupItem[]} [changed] new or changed, in their current state; at most 500
 * @property {string[]} [removedIds] no longer in the list
 */

/**
 * A step of the organiser's day. Replies have them in the order of the day, with those from 8 on before and
 * behind FINALISE.
 * - EVENT_STEP_KIND_SESSIONS: not needed for scores
 * - EVENT_STEP_KIND_DRAW: not needed for scores
 * - EVENT_STEP_KIND_CHECK_IN: not needed for scores
 * - EVENT_STEP_KIND_DISPUTES: a judge rules on the ends on which two cards differ
 * - EVENT_STEP_KIND_CUT: not needed for scores
 * - EVENT_STEP_KIND_MATCHES: not needed for scores
 * - EVENT_STEP_KIND_LATE_OPERATIONS: after FINALISE
 * - EVENT_STEP_KIND_SECOND_CARDS: Once an archer has a second card, all who have shot need one with all ends.
 * - EVENT_STEP_KIND_CONFIRMATIONS: Once archer or scorer have confirmed a card, both confirm those of all who have shot.
 * - EVENT_STEP_KIND_TYPED_COUNTS: Where archers share a rank because a paper lacks a count: it is typed, or the tie is decided.
 * @typedef {"EVENT_STEP_KIND_UNSPECIFIED" | "EVENT_STEP_KIND_ENTRIES" | "EVENT_STEP_KIND_SESSIONS" | "EVENT_STEP_KIND_DRAW" | "EVENT_STEP_KIND_CHECK_IN" | "EVENT_STEP_KIND_START" | "EVENT_STEP_KIND_QUALIFICATION" | "EVENT_STEP_KIND_FINALISE" | "EVENT_STEP_KIND_DISPUTES" | "EVENT_STEP_KIND_CUT" | "EVENT_STEP_KIND_MATCHES" | "EVENT_STEP_KIND_LATE_OPERATIONS" | "EVENT_STEP_KIND_SECOND_CARDS" | "EVENT_STEP_KIND_CONFIRMATIONS" | "EVENT_STEP_KIND_TYPED_COUNTS" | (string & {})} EventStepKind
 */

/**
 * @typedef {object} EventStep
 * @property {EventStepKind} [kind]
 * @property {boolean} [done]
 * @property {string} [missing] a sentence in English; empty: done
 */

/**
 * The keys of a policy break ties of the total, in order. Rows that are equal in all keys share a rank.
 * - TIE_POLICY_UNSPECIFIED: the default, or the event's own
 * - TIE_POLICY_X_FIRST: score, X, 10
 * - TIE_POLICY_WA_OUTDOOR_2026: score, X, 10
 * - TIE_POLICY_WA_OUTDOOR_LEGACY: score, 10 with X, X
 * - TIE_POLICY_WA_INDOOR: score, 10, 9
 * - TIE_POLICY_WA_FIELD: score, 6, 5
 * - TIE_POLICY_WA_3D: score, 11, 10
 * - TIE_POLICY_IMPERIAL: score, hits, golds
 * @typedef {"TIE_POLICY_UNSPECIFIED" | "TIE_POLICY_X_FIRST" | "TIE_POLICY_WA_OUTDOOR_2026" | "TIE_POLICY_WA_OUTDOOR_LEGACY" | "TIE_POLICY_WA_INDOOR" | "TIE_POLICY_WA_FIELD" | "TIE_POLICY_WA_3D" | "TIE_POLICY_IMPERIAL" | "TIE_POLICY_SCORE_ONLY" | (string & {})} TiePolicy
 */

/**
 * What a key of a policy counts.
 * - RANK_KEY_KIND_COUNT: of arrows of exactly one value, X included in 10
 * - RANK_KEY_KIND_HITS: of arrows above 0
 * - RANK_KEY_KIND_GOLDS: of arrows of the face's top value
 * - RANK_KEY_KIND_ENDS_COMPLETED: the last key while an event is IN_PROGRESS
 * @typedef {"RANK_KEY_KIND_UNSPECIFIED" | "RANK_KEY_KIND_SCORE" | "RANK_KEY_KIND_X" | "RANK_KEY_KIND_COUNT" | "RANK_KEY_KIND_HITS" | "RANK_KEY_KIND_GOLDS" | "RANK_KEY_KIND_ENDS_COMPLETED" | (string & {})} RankKeyKind
 */

/**
 * The state of a participant.
 * @typedef {"PARTICIPANT_STATUS_UNSPECIFIED" | "PARTICIPANT_STATUS_ACTIVE" | "PARTICIPANT_STATUS_WITHDRAWN" | "PARTICIPANT_STATUS_DISQUALIFIED" | "PARTICIPANT_STATUS_COMPLETED" | (string & {})} ParticipantStatus
 */

/**
 * One key of a policy.
 * @typedef {object} RankKey
 * @property {RankKeyKind} [kind]
 * @property {number} [value] of COUNT
 */

/**
 * A policy in the form that is in force from a day. An event keeps the form under which it was shot.
 * @typedef {object} TiePolicyInfo
 * @property {TiePolicy} [policy]
 * @property {string} [name] for example WA_INDOOR
 * @property {RankKey[]} [keys]
 * @property {number} [inForceFromDay] days since 1970-01-01
 * @property {number} [inForceUntilDay] the last day; absent: still in force
 */

/**
 * One participant on a leaderboard.
 * @typedef {object} LeaderboardRow
 * @property {string} [participantId]
 * @property {number} [rank] From 1; 0: withdrawn or disqualified; in a watch only of a part of the event.
 * @property {string} [displayName]
 * @property {number} [total]
 * @property {number} [xCount]
 * @property {number} [tenCount]
 * @property {number} [endsCompleted]
 * @property {string} [lastActiveAtMs]
 * @property {boolean} [guest]
 * @property {boolean} [isCaller] not set in a watch
 * @property {number} [difference] The first row's total minus this one's; 0 in rows without a rank. Not set in a watch.
 * @property {ParticipantStatus} [status]
 * @property {number[]} [counts] of arrows by value, from 0 to 11
 * @property {number} [goldCount]
 * @property {number} [arrowCount]
 * @property {boolean} [typed] a part of the card is typed from a paper
 * @property {number} [missingCounts] The counts that a paper does not have, as bits: 0 to 11 for the arrows of that value, where 0 is also hits, 12 for X and 13 for golds. The row shares its rank with those of equal keys before the count.
 */

/**
 * @typedef {object} ListTiePoliciesRequest
 */

/**
 * @typedef {object} ListTiePoliciesResponse
 * @property {TiePolicyInfo[]} [policies]
 */

/**
 * @typedef {object} GetStandingsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {TiePolicy} [policy] unspecified: the event's
 * @property {string | bigint} [asOfMs] The state after the last commit at or before this instant; absent: the current state.
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same other fields and caller
 */

/**
 * Ranked rows by rank, then by id; then withdrawn, then disqualified participants.
 * @typedef {object} GetStandingsResponse
 * @property {LeaderboardRow[]} [rows]
 * @property {string} [nextPageToken]
 * @property {TiePolicyInfo} [policy]
 * @property {boolean} [inProgress] ends completed are the last key
 * @property {number} [participantCount]
 * @property {string} [sequence] the latest commit that it shows; 0 with an instant
 */

/**
 * @typedef {object} RankUnderPolicyRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {TiePolicy} [policy]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * The rows whose rank differs under the policy, by their rank under it, then by id.
 * @typedef {object} RankUnderPolicyResponse
 * @property {RankMove[]} [moves]
 * @property {string} [nextPageToken]
 * @property {number} [movedCount]
 */

/**
 * A row whose rank differs.
 * @typedef {object} RankMove
 * @property {LeaderboardRow} [row] under the policy
 * @property {number} [rankBefore] under the event's policy
 */

/**
 * @typedef {object} ExplainRankRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [participantId]
 * @property {string | bigint} [otherParticipantId]
 * @property {TiePolicy} [policy] unspecified: the event's
 */

/**
 * @typedef {object} ExplainRankResponse
 * @property {number} [order] -1: the participant is above the other, 1: below, 0: they share a rank
 * @property {RankKey} [key] The first key that differs; absent if they share a rank or one is unranked.
 * @property {number} [value]
 * @property {number} [otherValue]
 * @property {string} [text] in English
 */

/**
 * @typedef {object} GetResultsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * Of a finalised event, under the policy in force when it was shot.
 * @typedef {object} GetResultsResponse
 * @property {LeaderboardRow[]} [rows]
 * @property {string} [nextPageToken]
 * @property {TiePolicyInfo} [policy]
 * @property {string} [finalisedAtMs]
 * @property {number} [lateCount] operations that wait for a decision of the organiser
 * @property {EventStep[]} [openSteps] What is not finished: as in GetCategoryStandings, and MATCHES; empty: nothing. Of all pages.
 */

/**
 * A window of the leaderboard: the first rows, those around a participant, or those of a part of the event, which
 * are ranked among themselves as by Events.GetCategoryStandings.
 * @typedef {object} WatchLeaderboardRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [top] number of rows from the first, at most 200; 0: 50, unless the next is given
 * @property {string | bigint} [aroundParticipantId] the rows around this one
 * @property {number} [around] number of rows on each side, at most 100; 0: 5
 * @property {string | bigint} [categoryId] The next four, of which one is given, are a part: top rows of it from first_row on. 0: all
 * @property {string | bigint} [sessionId] 0: all
 * @property {string} [club] empty: all; at most 100 characters
 * @property {number} [firstRow] from 0
 */

/**
 * A window, then its changes: only rows with another total, counts or status, and rows that entered the window.
 * To resume, ask for the same window; a position without history is OUT_OF_RANGE. The client sorts the rows by
 * the policy's keys, while the event is in progress by ends_completed last, and then by id. The first row has
 * first_rank; a row that does not share the rank of the previous one has its position on the whole leaderboard as
 * its rank. The rows of a part have ranks, under the policy of the category and with decided ties: they are in
 * the order of their ranks, then of ids. What is said of the whole leaderboard is then said of the part. A
 * position from before a restart is OUT_OF_RANGE.
 * @typedef {object} WatchLeaderboardResponse
 * @property {WatchSpan} [span]
 * @property {LeaderboardRow[]} [rows] without difference and is_caller; with a rank only of a part
 * @property {string[]} [removedIds] participants that left the window
 * @property {number} [rowsBefore] on the whole leaderboard, before the window
 * @property {number} [firstRank]
 * @property {number} [firstTotal] of the whole leaderboard's first row
 * @property {number} [participantCount]
 * @property {TiePolicy} [policy]
 * @property {RankKey[]} [keys] of the policy, without the one of an event in progress
 * @property {boolean} [inProgress]
 * @property {TournamentStatus} [status] of the event
 */

/**
 * What an event of a usual kind consists of. An event is created from it by the calls that create events,
 * categories and sessions; each part can be another one then.
 * @typedef {object} EventTemplate
 * @property {string} [key] for example wa18
 * @property {string} [name] as people call it, in English
 * @property {TiePolicy} [tiePolicy]
 * @property {number} [archersPerTarget] 1 to 4
 * @property {string[]} [details] Who shoots together: the letters of each detail, in the order of the first end.
 * @property {EventTemplateCategory[]} [categories] the first one has the round of the event
 */

/**
 * A category of a template.
 * @typedef {object} EventTemplateCategory
 * @property {string} [code] for example RM
 * @property {string} [name]
 * @property {Bowstyle} [bowstyle]
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 * @property {string} [format] the codename of its round
 * @property {number} [arrowsPerEnd] of the first distance
 * @property {MatchSystem} [matchSystem] How the matches are scored that follow; unspecified: usually none follow.
 * @property {MatchSystem} [teamSystem] the same of teams
 */

/**
 * @typedef {object} ListEventTemplatesRequest
 */

/**
 * @typedef {object} ListEventTemplatesResponse
 * @property {EventTemplate[]} [templates]
 */

/**
 * How the two cards of an end compare. The order of the arrows does not count.
 * - CARD_END_STATE_UNSPECIFIED: the second card does not have the end
 * - CARD_END_STATE_WAITING: the first card does not have all arrows of the end
 * - CARD_END_STATE_RULED: by a judge, or by the rule set after both confirmations
 * @typedef {"CARD_END_STATE_UNSPECIFIED" | "CARD_END_STATE_WAITING" | "CARD_END_STATE_AGREED" | "CARD_END_STATE_DISPUTED" | "CARD_END_STATE_RULED" | (string & {})} CardEndState
 */

/**
 * Who confirms a card.
 * @typedef {"CARD_ROLE_UNSPECIFIED" | "CARD_ROLE_ARCHER" | "CARD_ROLE_SCORER" | (string & {})} CardRole
 */

/**
 * How far a card is checked.
 * - CARD_STATUS_PROVISIONAL: There is one card, or two that are not compared in all ends or are in dispute.
 * - CARD_STATUS_AGREED: two cards agree in all ends of the round, or a judge has ruled
 * - CARD_STATUS_CONFIRMED: archer and scorer have confirmed
 * @typedef {"CARD_STATUS_UNSPECIFIED" | "CARD_STATUS_PROVISIONAL" | "CARD_STATUS_AGREED" | "CARD_STATUS_CONFIRMED" | (string & {})} CardStatus
 */

/**
 * A rule of shooting by which a judge changes the arrows of an end.
 * - END_RULE_TOO_MANY_ARROWS: of all arrows that were shot the lowest count
 * - END_RULE_OUT_OF_TIME: for each shot out of time the highest arrow of the end is a miss
 * - END_RULE_OUT_OF_ORDER: the same for shots out of order
 * - END_RULE_MISSED_ENDS: what an archer who came late did not shoot are misses
 * @typedef {"END_RULE_UNSPECIFIED" | "END_RULE_TOO_MANY_ARROWS" | "END_RULE_OUT_OF_TIME" | "END_RULE_OUT_OF_ORDER" | "END_RULE_MISSED_ENDS" | (string & {})} EndRule
 */

/**
 * Records all arrows of an end on the second card, or replaces what another operation recorded.
 * @typedef {object} CardOperationInit
 * @property {string | Uint8Array} [clientId] UUIDv7, unique per principal
 * @property {string | bigint} [participantId]
 * @property {number} [endIndex] from 0, through all passes
 * @property {MatchArrow[]} [arrows] none: empties the end, with replaces_client_id
 * @property {string | Uint8Array} [replacesClientId] the operation whose end is corrected
 * @property {string} [reason] of a correction: 1 to 200 characters
 * @property {string | bigint} [scoredAtMs] by the client's clock; 0, or more than 5 minutes ahead: now
 * @property {string} [device] at most 200 characters; in an event that demands leases that of the lease
 * @property {string | bigint} [witnessId] Who agreed to a correction, by one of these: another participant, or an organiser or a judge.
 * @property {string | bigint} [judgeId]
 */

/**
 * @typedef {object} ApplyCardOperationsRequestInit
 * @property {CardOperationInit[]} [operations] 1 to 50
 */

/**
 * @typedef {object} ApplyCardOperationsResponse
 * @property {CardOperationVerdict[]} [verdicts] one for each, in their order
 */

/**
 * @typedef {object} CardOperationVerdict
 * @property {string} [clientId]
 * @property {Verdict} [verdict] STORED, SAME (it was stored before, whoever may score now, or the same arrows are there), NOT_YET (the event has not started or is paused, no device has joined the target, or the operation that it replaces has not arrived; send it again later), CONFLICT (other arrows are there), LATE (the device had lost its lease, and other arrows are there: an official sees these) or REFUSED.
 * @property {number} [code] of NOT_YET, CONFLICT and REFUSED: the status code
 * @property {string} [message]
 * @property {ComparedEnd} [end] after the operation, without the first card; absent if it has no arrows
 */

/**
 * The comparison of the cards of a participant.
 * @typedef {object} CardSummary
 * @property {CardStatus} [status]
 * @property {number} [confirmedEnds] on which both cards agree, or which were ruled
 * @property {number} [disputedEnds]
 * @property {number} [ruledEnds]
 * @property {number} [secondEnds] ends of the second card
 * @property {boolean} [archerConfirmed]
 * @property {boolean} [scorerConfirmed]
 * @property {number} [paperTotal] absent: none was typed
 * @property {number} [deducted] The points by which the total on paper is lower than the arrows, once it counts: the total of the participant is without them.
 * @property {PartSums} [paper] the total on paper with its counts; absent: none was typed
 * @property {PartSums} [deductions] By what each sum on paper is lower, once they count; absent: by nothing.
 */

/**
 * An end of both cards.
 * @typedef {object} ComparedEnd
 * @property {number} [endIndex]
 * @property {MatchArrow[]} [first] of the card that RecordArrow and the like score
 * @property {MatchArrow[]} [second]
 * @property {CardEndState} [state]
 * @property {string} [operationClientId] that stored the second card's end; from the server
 * @property {string} [ruledBy] the name of the judge; empty: nobody, or the rule set
 * @property {string} [ruledAtMs]
 * @property {string} [reason] of the ruling
 * @property {string} [witnessId] Who agreed to the correction that the second card has, by one of these; 0: nobody was named.
 * @property {string} [judgeId]
 * @property {string} [witnessName] as the caller may see it; at most 200 characters
 */

/**
 * Who confirmed a card.
 * @typedef {object} CardConfirmation
 * @property {CardRole} [role]
 * @property {string} [principalId] whose token it was
 * @property {string} [displayName]
 * @property {string} [confirmedAtMs]
 * @property {boolean} [signed]
 * @property {string} [signature] only for organisers, judges and the archer
 * @property {number} [part] the number of a distance, from 1; 0: the whole card
 */

/**
 * Both cards of a participant.
 * @typedef {object} ComparedCard
 * @property {string} [participantId]
 * @property {string} [tournamentId]
 * @property {string} [displayName]
 * @property {string} [revision] changes with each operation on one of the cards; 0: nothing is recorded
 * @property {number} [total] that counts
 * @property {number} [secondTotal] of the arrows of the second card
 * @property {CardSummary} [summary] absent: there is neither a second card nor a confirmation
 * @property {ComparedEnd[]} [ends] those in which a card has arrows
 * @property {CardConfirmation[]} [confirmations] of the whole card
 * @property {string} [rule] of the event, for cards that differ in total
 * @property {CardPart[]} [parts] by their numbers; each is by arrows or typed
 * @property {CardConfirmation[]} [partConfirmations] of single distances, by their numbers
 * @property {boolean} [paperDiffers] A sum of the whole card on paper is another one than that of the card, or, while arrows are missing, a lower one.
 * @property {CorrectionConsent} [correctionConsent] Who must agree to the correction of an end; unspecified: nobody.
 * @property {OwedArrows[]} [owed] by their ends
 */

/**
 * Arrows of an end that an archer owes after an equipment failure, until they are shot.
 * @typedef {object} OwedArrows
 * @property {number} [endIndex] of the card, from 0
 * @property {number} [arrowCount] at most as many as the end lacks
 * @property {string} [callId] the call from the target that told of them
 */

/**
 * A part of a card: a distance, or the whole round where that is typed.
 * @typedef {object} CardPart
 * @property {number} [part] the number of a distance, from 1; 0: the whole round
 * @property {number} [arrowCount] of the round
 * @property {number} [maximumScore]
 * @property {PartSums} [arrows] that are recorded
 * @property {PartSums} [typed] counts instead of the arrows; absent: the part is by arrows
 * @property {string} [typedId] 0: the part is by arrows
 * @property {boolean} [differs] The arrows of a typed part show more than its sums, or all of them show something else.
 * @property {boolean} [archerConfirmed] Of a distance: whether it was confirmed by itself, the total on paper (absent: none was typed), and the points by which that is lower, once it counts. They are part of CardSummary.deducted.
 * @property {boolean} [scorerConfirmed]
 * @property {number} [paperTotal]
 * @property {number} [deducted]
 * @property {PartSums} [paper] The total of a distance on paper with its counts (absent: none was typed), by what each of them is lower, once they count (absent: by nothing), and whether one is another one than that of the part, or, while arrows are missing, a lower one.
 * @property {PartSums} [deductions]
 * @property {boolean} [paperDiffers]
 */

/**
 * The sums of a part of a card that an official typed from a paper.
 * @typedef {object} TypedTotal
 * @property {string} [id] from the server
 * @property {string} [tournamentId]
 * @property {string} [participantId]
 * @property {number} [part] the number of a distance, from 1; 0: the whole round
 * @property {PartSums} [sums]
 * @property {string} [shotAtMs]
 * @property {string} [typedBy] the id of the official
 * @property {string} [typedByName]
 * @property {string} [typedAtMs]
 * @property {string} [endedAtMs] when it was corrected or removed; 0: it counts
 * @property {string} [paper]
 * @property {string} [reason] of a correction of the one before
 * @property {string} [displayName] of the participant
 */

/**
 * @typedef {object} SetTypedTotalRequestInit
 * @property {string | bigint} [participantId]
 * @property {number} [part] The number of a distance, from 1; 0: the whole round, where the qualification has one round.
 * @property {PartSums} [sums] arrow_count is not read
 * @property {string | bigint} [shotAtMs] 0: now; not more than 5 minutes ahead
 * @property {string} [paper] which paper it is from; at most 200 characters
 * @property {string | bigint} [replacesId] the total that is corrected; 0: there is none yet
 * @property {string} [reason] of a correction: 1 to 200 characters
 */

/**
 * @typedef {object} ListTypedTotalsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [participantId] 0: of all
 * @property {boolean} [withEnded] also those that were corrected or removed
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * @typedef {object} ListTypedTotalsResponse
 * @property {TypedTotal[]} [totals] by id
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} RemoveTypedTotalRequestInit
 * @property {string | bigint} [participantId]
 * @property {string | bigint} [id] of the typed total
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} RemoveTypedTotalResponse
 */

/**
 * @typedef {object} GetComparedCardRequestInit
 * @property {string | bigint} [participantId]
 */

/**
 * @typedef {object} SetPaperTotalRequestInit
 * @property {string | bigint} [participantId]
 * @property {number} [total] at most that of the part; absent: removes it with its counts
 * @property {number} [part] the number of a distance, from 1; 0: the whole card
 * @property {number} [hits] The counts that the paper has too, as in PartSums. They need a total, which need not be the one that they allow.
 * @property {number} [golds]
 * @property {number} [xCount]
 * @property {string | bigint} [expectedRevision] Of the card, as it was read: a card that differs is ABORTED, with the card. Absent: any.
 */

/**
 * @typedef {object} ConfirmScoreCardRequestInit
 * @property {string | bigint} [participantId]
 * @property {CardRole} [role]
 * @property {string | bigint} [revision] that was read: what is confirmed
 * @property {string | Uint8Array} [signature] A drawing in a format of the client's, at most 16,384 bytes. It must be given where another token than the archer's confirms for the archer.
 * @property {number} [part] the number of a distance, from 1; 0: the whole card
 */

/**
 * @typedef {object} RuleOnEndRequestInit
 * @property {string | bigint} [participantId]
 * @property {number} [endIndex]
 * @property {MatchArrow[]} [arrows] all of the end, as they count
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} ApplyEndRuleRequestInit
 * @property {string | bigint} [participantId]
 * @property {number} [endIndex] from 0, through all passes
 * @property {EndRule} [rule]
 * @property {MatchArrow[]} [arrows] Of TOO_MANY_ARROWS: all that were shot, more than the end has and at most twice as many.
 * @property {number} [count] of shots out of time or order, and of missed ends from end_index on; 0: 1
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} MoveEndsRequestInit
 * @property {string | bigint} [participantId]
 * @property {number} [firstEnd] from 0, through all passes
 * @property {number} [count] of ends, which are of one distance; 0: 1
 * @property {string | bigint} [otherParticipantId] with whose ends they are exchanged; 0: they are moved
 * @property {boolean} [earlier] moved to the end before; else to the one after. That one must be empty
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} MoveEndsResponse
 * @property {ComparedCard[]} [cards] of the participant, and of the other one
 */

/**
 * @typedef {object} ReopenScoreCardRequestInit
 * @property {string | bigint} [participantId]
 * @property {string} [reason] 1 to 200 characters
 * @property {number} [part] the number of a distance, from 1; 0: the whole card, with its distances
 * @property {string | bigint} [expectedRevision] Of the card, as it was read: a card that differs is ABORTED, with the card. 0: any.
 */

/**
 * @typedef {object} ListCardDisputesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * @typedef {object} ListCardDisputesResponse
 * @property {CardDispute[]} [disputes] by participant, then by end
 * @property {string} [nextPageToken]
 */

/**
 * An end on which two cards differ.
 * @typedef {object} CardDispute
 * @property {string} [participantId]
 * @property {string} [displayName]
 * @property {string} [bib]
 * @property {string} [sessionId] 0: none
 * @property {number} [target] 0: no place
 * @property {string} [letter]
 * @property {number} [endIndex]
 * @property {MatchArrow[]} [first]
 * @property {MatchArrow[]} [second]
 */

/**
 * What a target asks for.
 * - TARGET_CALL_KIND_ABSENT_ARCHER: names the archer
 * - TARGET_CALL_KIND_ARCHER_STOPPED: names the archer
 * - TARGET_CALL_KIND_EQUIPMENT_FAILURE: names the archer, with the arrows that it owes
 * - TARGET_CALL_KIND_UNDECIDED_ARROW: names the archer
 * - TARGET_CALL_KIND_LATE_ARROWS: From the server: a device that had lost its lease sent arrows of a second card or of a match where others are. The text has them; they count nothing until an official enters them.
 * @typedef {"TARGET_CALL_KIND_UNSPECIFIED" | "TARGET_CALL_KIND_JUDGE" | "TARGET_CALL_KIND_ABSENT_ARCHER" | "TARGET_CALL_KIND_ARCHER_STOPPED" | "TARGET_CALL_KIND_EQUIPMENT_FAILURE" | "TARGET_CALL_KIND_UNDECIDED_ARROW" | "TARGET_CALL_KIND_HELP" | "TARGET_CALL_KIND_LATE_ARROWS" | (string & {})} TargetCallKind
 */

/**
 * A call from a target.
 * @typedef {object} TargetCall
 * @property {string} [id] from the server; a later call has a greater one
 * @property {string} [tournamentId]
 * @property {string} [sessionId] 0: the target of matches
 * @property {number} [target]
 * @property {TargetCallKind} [kind]
 * @property {string} [participantId] 0: of nobody alone
 * @property {string} [displayName] of the participant
 * @property {number} [owedArrows] of EQUIPMENT_FAILURE
 * @property {string} [text] at most 300 characters, without control characters
 * @property {string} [raisedAtMs]
 * @property {string} [raisedById] the principal
 * @property {string} [raisedBy] the name of the device or of the official
 * @property {string} [resolvedAtMs] 0: open
 * @property {string} [resolvedBy] the name of the official
 * @property {string} [decision] what was decided: at most 300 characters
 * @property {string} [clientId] UUIDv7 from the client; optional
 * @property {number} [endIndex] in which arrows are owed, from 0; absent: it is not known
 */

/**
 * @typedef {object} RaiseTargetCallRequestInit
 * @property {string | Uint8Array} [clientId] UUIDv7, optional; the same one again is the same call
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId] 0: the target of matches
 * @property {number} [target]
 * @property {TargetCallKind} [kind] not LATE_ARROWS
 * @property {string | bigint} [participantId] who stands there; 0: nobody alone
 * @property {number} [owedArrows] of EQUIPMENT_FAILURE, at most 36; else 0
 * @property {string} [text] at most 300 characters, without control characters
 * @property {number} [endIndex] With owed_arrows on a target of a session: the end of the card in which they are owed, from 0; absent: the first end that lacks arrows.
 */

/**
 * @typedef {object} ListTargetCallsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {boolean} [includeResolved]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same other fields
 */

/**
 * @typedef {object} ListTargetCallsResponse
 * @property {TargetCall[]} [calls] newest first
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} WatchTargetCallsRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} WatchTargetCallsResponse
 * @property {WatchSpan} [span]
 * @property {TargetCall[]} [calls] in a snapshot those that are open; then each that changes
 */

/**
 * @typedef {object} ResolveTargetCallRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [callId]
 * @property {string} [decision] 1 to 300 characters, without control characters
 */

/**
 * The state of an entry. The first four are set by officials; an entry that shoots, has withdrawn or is
 * disqualified shows that.
 * - EVENT_ENTRY_STATE_DID_NOT_START: not ranked
 * @typedef {"EVENT_ENTRY_STATE_UNSPECIFIED" | "EVENT_ENTRY_STATE_ENTERED" | "EVENT_ENTRY_STATE_CHECKED_IN" | "EVENT_ENTRY_STATE_DID_NOT_START" | "EVENT_ENTRY_STATE_DID_NOT_FINISH" | "EVENT_ENTRY_STATE_ACTIVE" | "EVENT_ENTRY_STATE_WITHDRAWN" | "EVENT_ENTRY_STATE_DISQUALIFIED" | (string & {})} EventEntryState
 */

/**
 * The faces of one archer.
 * - FACE_LAYOUT_TRIPLE: three below each other
 * @typedef {"FACE_LAYOUT_UNSPECIFIED" | "FACE_LAYOUT_SINGLE" | "FACE_LAYOUT_TRIPLE" | (string & {})} FaceLayout
 */

/**
 * How entries are drawn to places.
 * - DRAW_METHOD_RANDOM: the archers of a club on as many targets as possible
 * - DRAW_METHOD_RANKING: the best on the first target; equal ones by their ids
 * @typedef {"DRAW_METHOD_UNSPECIFIED" | "DRAW_METHOD_RANDOM" | "DRAW_METHOD_RANKING" | (string & {})} DrawMethod
 */

/**
 * What an official may do. The organiser who created the event has all rights.
 * - EVENT_ROLE_ORGANISER: changes the structure, and all that the others do
 * - EVENT_ROLE_JUDGE: states and places of entries, disqualifications, notices and pauses
 * - EVENT_ROLE_SCORER: sees a private event, and scores all archers and matches
 * - EVENT_ROLE_RESULTS: sees a private event, and licences
 * - EVENT_ROLE_CHECK_IN: sees a private event and licences, and notes who has come
 * @typedef {"EVENT_ROLE_UNSPECIFIED" | "EVENT_ROLE_ORGANISER" | "EVENT_ROLE_JUDGE" | "EVENT_ROLE_SCORER" | "EVENT_ROLE_RESULTS" | "EVENT_ROLE_CHECK_IN" | (string & {})} EventRole
 */

/**
 * What a document is. Papers are HTML files that need no other file, run nothing, and have styles for print on
 * A4. Texts of users are escaped; control characters are spaces in them, and embeddings and overrides of the
 * direction of text are left out. Files of comma-separated values are UTF-8 without a byte order mark, have a
 * line of column names, and end lines with CR LF (RFC 4180). A text of a user that begins with =, +, -, (at), a
 * tab or a carriage return, also after apostrophes, has one more apostrophe before it, so that no spreadsheet
 * calculates it; quiver event import removes it.
 * - EVENT_DOCUMENT_KIND_START_LIST: the entries by category and name
 * - EVENT_DOCUMENT_KIND_TARGET_LIST: the entries by session and target
 * - EVENT_DOCUMENT_KIND_SCORE_CARDS: A card for each entry of a session that has a target, with a QR code of the target: quiver:event/1/session/2/target/3; with link_base, link_base#CODE with the code with which devices join, for an organiser of an event that demands leases, else link_base?event=1&session=2&target=3.
 * - EVENT_DOCUMENT_KIND_STANDINGS: by category
 * - EVENT_DOCUMENT_KIND_BRACKETS: of all elimination stages
 * - EVENT_DOCUMENT_KIND_MEDALS: From the latest bracket of a category; without one from its standings. Then those of teams.
 * - EVENT_DOCUMENT_KIND_RESULT_BOOK: standings, brackets, medals and pauses of the shooting
 * - EVENT_DOCUMENT_KIND_DIPLOMAS: a page for each archer or team that has one of the first ranks
 * - EVENT_DOCUMENT_KIND_ENTRIES_CSV: bib, name, club, country, licence, category (its code), session (its id), target, letter, state
 * - EVENT_DOCUMENT_KIND_STANDINGS_CSV: category, rank (empty: not ranked), bib, name, club, country, total, x, then how many arrows of 11, 10 and so on to 1 and miss (an X is also in its value's), ends, state, rounds (the totals of several rounds, as in 651 648)
 * - EVENT_DOCUMENT_KIND_MATCHES_CSV: category, stage, match, place, state, decision, winner (1, 2 or empty), and for each side, with _1 and _2 at the end of the names: seed, bib, name, club, set_points, total, score, ends and shoot_offs (as in X 10 9 | 9 9 8)
 * - EVENT_DOCUMENT_KIND_SESSIONS_CALENDAR: iCalendar (RFC 5545) of the sessions with a time; FAILED_PRECONDITION if none has one.
 * @typedef {"EVENT_DOCUMENT_KIND_UNSPECIFIED" | "EVENT_DOCUMENT_KIND_START_LIST" | "EVENT_DOCUMENT_KIND_TARGET_LIST" | "EVENT_DOCUMENT_KIND_SCORE_CARDS" | "EVENT_DOCUMENT_KIND_STANDINGS" | "EVENT_DOCUMENT_KIND_BRACKETS" | "EVENT_DOCUMENT_KIND_MEDALS" | "EVENT_DOCUMENT_KIND_RESULT_BOOK" | "EVENT_DOCUMENT_KIND_DIPLOMAS" | "EVENT_DOCUMENT_KIND_ENTRIES_CSV" | "EVENT_DOCUMENT_KIND_STANDINGS_CSV" | "EVENT_DOCUMENT_KIND_MATCHES_CSV" | "EVENT_DOCUMENT_KIND_SESSIONS_CALENDAR" | (string & {})} EventDocumentKind
 */

/**
 * @typedef {object} DeliverOperationsRequest
 * @property {string} [text] qr_ and the base64url (RFC 4648, without padding) of the bytes of RescuedOperations and of a tag of 16 bytes: the first ones of HMAC-SHA-256 over "quiver rescue 1", a zero byte and those bytes, with SHA-256 of the text of the device's token as the key. At most 32,768 characters.
 */

/**
 * Without what is stored at the places of the operations.
 * @typedef {object} DeliverOperationsResponse
 * @property {string} [tournamentId]
 * @property {string} [device] as it named itself when it joined
 * @property {OperationVerdict[]} [verdicts] in the order of the operations
 * @property {CardOperationVerdict[]} [cardVerdicts]
 * @property {MatchOperationVerdict[]} [matchVerdicts]
 */

/**
 * A part of an event that is ranked by itself.
 * @typedef {object} EventCategory
 * @property {string} [id] from the server
 * @property {string} [tournamentId]
 * @property {string} [code] 1 to 16 characters, for example RM or CU18W; unique in the event
 * @property {string} [name] at most 200 characters
 * @property {Bowstyle} [bowstyle] optional
 * @property {ArcherGender} [gender] optional
 * @property {AgeGroup} [ageGroup] optional
 * @property {RoundFormat} [format] from the server
 * @property {boolean} [ownFormat] from the server; false: the format of the event
 * @property {TiePolicy} [tiePolicy] unspecified: the event's
 * @property {number} [entryCount] from the server
 * @property {boolean} [isFirst] from the server; participants without a category are in it
 * @property {string} [revision] from 1
 * @property {QualificationRound[]} [rounds] From the server; in their order, at least one. The format has all of them, one after another.
 */

/**
 * A part of an event that is ranked by itself.
 * @typedef {object} EventCategoryInit
 * @property {string | bigint} [id] from the server
 * @property {string | bigint} [tournamentId]
 * @property {string} [code] 1 to 16 characters, for example RM or CU18W; unique in the event
 * @property {string} [name] at most 200 characters
 * @property {Bowstyle} [bowstyle] optional
 * @property {ArcherGender} [gender] optional
 * @property {AgeGroup} [ageGroup] optional
 * @property {RoundFormatInit} [format] from the server
 * @property {boolean} [ownFormat] from the server; false: the format of the event
 * @property {TiePolicy} [tiePolicy] unspecified: the event's
 * @property {number} [entryCount] from the server
 * @property {boolean} [isFirst] from the server; participants without a category are in it
 * @property {string | bigint} [revision] from 1
 * @property {QualificationRound[]} [rounds] From the server; in their order, at least one. The format has all of them, one after another.
 */

/**
 * A round of the qualification of a category: a part of the card of an archer. Which session an entry shoots it
 * in is in the entry.
 * @typedef {object} QualificationRound
 * @property {number} [number] from 1
 * @property {number} [firstEnd] the index of its first end on the card, from 0
 * @property {number} [endCount]
 * @property {number} [arrowCount]
 * @property {number} [maximumScore]
 */

/**
 * @typedef {object} AddQualificationRoundRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {string | bigint} [revision] of the category, as it was read
 * @property {FormatReferenceInit} [format]
 * @property {number} [before] the number of the round before which it is shot; 0: after all of them
 */

/**
 * @typedef {object} RemoveQualificationRoundRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {string | bigint} [revision] of the category, as it was read
 * @property {number} [number] from 1
 */

/**
 * @typedef {object} CreateEventCategoryRequestInit
 * @property {EventCategoryInit} [category]
 * @property {FormatReferenceInit} [format] absent: the format of the event
 */

/**
 * @typedef {object} UpdateEventCategoryRequestInit
 * @property {EventCategoryInit} [category] with its id, its tournament_id and the revision that was read
 */

/**
 * @typedef {object} DeleteEventCategoryRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {string | bigint} [expectedRevision] Of the category, as it was read: a category that differs is ABORTED, with the category. 0: any.
 */

/**
 * @typedef {object} DeleteEventCategoryResponse
 */

/**
 * @typedef {object} ListEventCategoriesRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListEventCategoriesResponse
 * @property {EventCategory[]} [categories] by id; at most 200
 */

/**
 * A participant as an entry of an event.
 * @typedef {object} EventEntry
 * @property {string} [participantId]
 * @property {string} [tournamentId]
 * @property {string} [displayName]
 * @property {string} [bib] at most 16 characters; unique in the event; may be empty
 * @property {string} [club] at most 100 characters
 * @property {string} [country] at most 100 characters
 * @property {string} [licence] at most 100 characters; only for officials of the event
 * @property {string} [categoryId]
 * @property {string} [categoryCode]
 * @property {string} [sessionId] Of the first round; of the entries of a session, and in replies that place them, of that session. 0: none
 * @property {number} [target] 0: no place
 * @property {string} [letter] A to D
 * @property {EventEntryState} [state]
 * @property {EventRoundPlace[]} [laterPlaces] of the rounds after the first; from the server
 * @property {Bowstyle} [bowstyle] Of the archer, for classes and records; unspecified: that of the category. Gender and age group only for who has a part in the event.
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 * @property {FaceLayout} [faceLayout] unspecified: as the round says
 * @property {PublicName} [publicName] unspecified: as the event says; only for who has a part in the event
 * @property {string} [publicDisplayName] if not the name; only for who has a part in the event
 * @property {boolean} [fixedPlace] draws leave its place to it
 * @property {boolean} [wheelchair] it is drawn to a target for wheelchairs; only for officials and the archer
 * @property {string} [revision] Of all of it but its arrows: another one for another content; not 0. Only for officials.
 */

/**
 * A participant as an entry of an event.
 * @typedef {object} EventEntryInit
 * @property {string | bigint} [participantId]
 * @property {string | bigint} [tournamentId]
 * @property {string} [displayName]
 * @property {string} [bib] at most 16 characters; unique in the event; may be empty
 * @property {string} [club] at most 100 characters
 * @property {string} [country] at most 100 characters
 * @property {string} [licence] at most 100 characters; only for officials of the event
 * @property {string | bigint} [categoryId]
 * @property {string} [categoryCode]
 * @property {string | bigint} [sessionId] Of the first round; of the entries of a session, and in replies that place them, of that session. 0: none
 * @property {number} [target] 0: no place
 * @property {string} [letter] A to D
 * @property {EventEntryState} [state]
 * @property {EventRoundPlaceInit[]} [laterPlaces] of the rounds after the first; from the server
 * @property {Bowstyle} [bowstyle] Of the archer, for classes and records; unspecified: that of the category. Gender and age group only for who has a part in the event.
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 * @property {FaceLayout} [faceLayout] unspecified: as the round says
 * @property {PublicName} [publicName] unspecified: as the event says; only for who has a part in the event
 * @property {string} [publicDisplayName] if not the name; only for who has a part in the event
 * @property {boolean} [fixedPlace] draws leave its place to it
 * @property {boolean} [wheelchair] it is drawn to a target for wheelchairs; only for officials and the archer
 * @property {string | bigint} [revision] Of all of it but its arrows: another one for another content; not 0. Only for officials.
 */

/**
 * The session and the place of an entry in one round.
 * @typedef {object} EventRoundPlace
 * @property {number} [round] from 2
 * @property {string} [sessionId]
 * @property {number} [target] 0: no place
 * @property {string} [letter] A to D
 */

/**
 * The session and the place of an entry in one round.
 * @typedef {object} EventRoundPlaceInit
 * @property {number} [round] from 2
 * @property {string | bigint} [sessionId]
 * @property {number} [target] 0: no place
 * @property {string} [letter] A to D
 */

/**
 * An entry to add.
 * @typedef {object} EventEntryDraftInit
 * @property {string | Uint8Array} [clientId] UUIDv7 of the participant from the client; optional
 * @property {string} [name] 1 to 50 characters
 * @property {string} [bib]
 * @property {string} [club]
 * @property {string} [country]
 * @property {string} [licence]
 * @property {string} [categoryCode] empty: the first category
 * @property {string | bigint} [sessionId] 0: none
 * @property {number} [target] in the session; 0: it waits for a draw
 * @property {string} [letter] A to D; with a target
 * @property {Bowstyle} [bowstyle] Of the archer, for classes and records; unspecified: that of the category.
 * @property {ArcherGender} [gender]
 * @property {AgeGroup} [ageGroup]
 * @property {FaceLayout} [faceLayout] unspecified: as the round says
 * @property {PublicName} [publicName] unspecified: as the event says
 * @property {boolean} [fixedPlace] draws leave its place to it
 * @property {boolean} [wheelchair] it is drawn to a target for wheelchairs first
 */

/**
 * @typedef {object} ImportEventEntriesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {EventEntryDraftInit[]} [entries] 1 to 1,000
 */

/**
 * @typedef {object} ImportEventEntriesResponse
 * @property {EventEntry[]} [entries] in the order of the request
 */

/**
 * @typedef {object} UpdateEventEntryRequestInit
 * @property {EventEntryInit} [entry] with its participant_id
 * @property {string[]} [updateMask] Names of display_name, bib, club, country, licence, category_id, session_id, bowstyle, gender, age_group, face_layout, public_name, fixed_place and wheelchair. A session has the round in which it is the session of the entry; 0 is none, in all rounds.
 * @property {string | bigint} [expectedRevision] Of the entry, as it was read: an entry that differs is ABORTED, with the entry. 0: any.
 */

/**
 * @typedef {object} ListEventEntriesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId] 0: all
 * @property {string | bigint} [sessionId] 0: all
 * @property {string} [club] empty: all
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same other fields
 */

/**
 * @typedef {object} ListEventEntriesResponse
 * @property {EventEntry[]} [entries]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} SetEventEntryStateRequestInit
 * @property {string | bigint} [participantId]
 * @property {EventEntryState} [state] ENTERED, CHECKED_IN, DID_NOT_START or DID_NOT_FINISH
 * @property {string} [reason] at most 200 characters
 * @property {string | bigint} [expectedRevision] Of the entry, as it was read: an entry that differs is ABORTED, with the entry. 0: any.
 */

/**
 * A session of an event: the archers who shoot at the same time.
 * @typedef {object} EventSession
 * @property {string} [id] from the server
 * @property {string} [tournamentId]
 * @property {string} [name] 1 to 200 characters
 * @property {string} [startsAtMs] 0: not known
 * @property {number} [firstTarget] from 1
 * @property {number} [lastTarget] at most 9,999, and 200 targets in all
 * @property {number} [archersPerTarget] 1 to 4; with 3 or 4 they shoot as AB and CD
 * @property {string} [drawSeed] from the server; of the latest draw at random
 * @property {string} [drawnAtMs] from the server; 0: not yet
 * @property {number} [entryCount] from the server
 * @property {string} [revision] from 1
 * @property {number} [round] Which round of its category an entry shoots in it, from 1 to 8; 0: 1. An entry has one session in a round, and not one that starts before that of an earlier round.
 * @property {string[]} [blockedPlaces] From the server; SetSessionPlaces sets them. places as 4C, and targets as 4
 * @property {number[]} [wheelchairTargets] archers in wheelchairs are drawn to them first
 */

/**
 * A session of an event: the archers who shoot at the same time.
 * @typedef {object} EventSessionInit
 * @property {string | bigint} [id] from the server
 * @property {string | bigint} [tournamentId]
 * @property {string} [name] 1 to 200 characters
 * @property {string | bigint} [startsAtMs] 0: not known
 * @property {number} [firstTarget] from 1
 * @property {number} [lastTarget] at most 9,999, and 200 targets in all
 * @property {number} [archersPerTarget] 1 to 4; with 3 or 4 they shoot as AB and CD
 * @property {string | bigint} [drawSeed] from the server; of the latest draw at random
 * @property {string | bigint} [drawnAtMs] from the server; 0: not yet
 * @property {number} [entryCount] from the server
 * @property {string | bigint} [revision] from 1
 * @property {number} [round] Which round of its category an entry shoots in it, from 1 to 8; 0: 1. An entry has one session in a round, and not one that starts before that of an earlier round.
 * @property {string[]} [blockedPlaces] From the server; SetSessionPlaces sets them. places as 4C, and targets as 4
 * @property {number[]} [wheelchairTargets] archers in wheelchairs are drawn to them first
 */

/**
 * @typedef {object} CreateEventSessionRequestInit
 * @property {EventSessionInit} [session]
 */

/**
 * @typedef {object} UpdateEventSessionRequestInit
 * @property {EventSessionInit} [session] with its id, its tournament_id and the revision that was read
 */

/**
 * Which places of a session nobody gets, and which targets are for archers in wheelchairs first. Both lists
 * replace those of the session.
 * @typedef {object} SetSessionPlacesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId]
 * @property {string[]} [blockedPlaces] places as 4C, and targets as 4; at most 1,000
 * @property {number[]} [wheelchairTargets] at most 200
 * @property {string | bigint} [expectedRevision] Of the session, as it was read: a session that differs is ABORTED, with the session. 0: any.
 */

/**
 * @typedef {object} DeleteEventSessionRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId]
 * @property {string | bigint} [expectedRevision] Of the session, as it was read: a session that differs is ABORTED, with the session. 0: any.
 */

/**
 * @typedef {object} DeleteEventSessionResponse
 */

/**
 * @typedef {object} ListEventSessionsRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListEventSessionsResponse
 * @property {EventSession[]} [sessions] at most 100
 */

/**
 * @typedef {object} DrawTargetsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId]
 * @property {string | bigint} [categoryId] 0: all entries of the session
 * @property {DrawMethod} [method]
 * @property {number} [firstTarget] 0: the first of the session
 * @property {number} [lastTarget] 0: the last of the session
 * @property {string | bigint} [seed] the same seed draws the same places for the same entries; 0: a new one
 * @property {boolean} [redraw] entries that have a place too
 * @property {boolean} [includeWaiting] entries that have no session in the round of this one too
 * @property {string | bigint} [expectedRevision] The sum of the revisions of all entries of the session, as they were read, modulo 2^64: another one is ABORTED. 0: any.
 */

/**
 * @typedef {object} DrawTargetsResponse
 * @property {EventEntry[]} [entries] those that were drawn, by target and letter
 * @property {string} [seed] 0: not at random
 * @property {MixedTarget[]} [mixedTargets] of the session, as they are now
 */

/**
 * A target whose archers cannot shoot at one butt.
 * @typedef {object} MixedTarget
 * @property {number} [target]
 * @property {boolean} [distances] they shoot at different distances
 * @property {boolean} [faces] they shoot at different faces
 */

/**
 * @typedef {object} PlaceEventEntryRequestInit
 * @property {string | bigint} [participantId]
 * @property {string | bigint} [sessionId]
 * @property {number} [target] 0: no place
 * @property {string} [letter] A to D
 * @property {boolean} [swap] who has the place gets the old one
 * @property {string | bigint} [expectedRevision] Of the entry, as it was read: an entry that differs is ABORTED, with the entry. 0: any.
 * @property {string | bigint} [otherRevision] With swap, the same of who has the place; nobody there, or somebody else, is ABORTED too. 0: anybody.
 */

/**
 * An official of an event.
 * @typedef {object} EventOfficial
 * @property {string} [tournamentId]
 * @property {string} [principalId]
 * @property {string} [displayName]
 * @property {EventRole} [role]
 * @property {boolean} [isBound] made by CreateOfficialCode: its token is for this event alone
 * @property {string} [signedInAtMs] of such a one: 0: not yet
 * @property {string} [lastCallAtMs] of such a one, exact to an hour; before it signed in, when its code was made
 * @property {string} [endsAtMs] of such a one: unless it calls before, or signs in
 */

/**
 * @typedef {object} CreateOfficialCodeRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {EventRole} [role]
 * @property {string} [displayName] 1 to 50 characters
 */

/**
 * @typedef {object} CreateOfficialCodeResponse
 * @property {EventOfficial} [official]
 * @property {string} [code] U- and 16 characters in groups of four; case and hyphens do not matter
 */

/**
 * @typedef {object} SignInOfficialRequestInit
 * @property {string} [code]
 * @property {string | Uint8Array} [deviceSecret] 32 random bytes
 */

/**
 * @typedef {object} SetEventOfficialRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [principalId]
 * @property {EventRole} [role]
 * @property {string} [principalCode] instead of principal_id
 * @property {EventRole} [expectedRole] The role that the principal has, as it was read, or unspecified for none: another one is ABORTED. Absent: any.
 */

/**
 * @typedef {object} RemoveEventOfficialRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [principalId]
 * @property {EventRole} [expectedRole] as it was read: another one is ABORTED; unspecified: any
 */

/**
 * @typedef {object} RemoveEventOfficialResponse
 */

/**
 * @typedef {object} ListEventOfficialsRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListEventOfficialsResponse
 * @property {EventOfficial[]} [officials] by principal id; at most 200
 */

/**
 * @typedef {object} GetCategoryStandingsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId] 0: all
 * @property {string | bigint} [sessionId] 0: all
 * @property {string} [club] empty: all
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same other fields
 */

/**
 * Ranked rows by rank, then by id; then those who withdrew or did not start, then disqualified ones.
 * @typedef {object} GetCategoryStandingsResponse
 * @property {CategoryStandingsRow[]} [rows]
 * @property {string} [nextPageToken]
 * @property {TiePolicyInfo} [policy] of the category; without one that of the event
 * @property {boolean} [provisional] the event is not finalised
 * @property {number} [rowCount] of all pages
 * @property {number} [shootingCount] Ranked entries that have not shot all arrows and have not stopped; of all pages. 0: their ranks change by corrections, rulings and decided ties only.
 * @property {number} [unconfirmedCount] Ranked entries whose card archer and scorer have not confirmed; of all pages.
 * @property {EventStep[]} [openSteps] Of a finalised event: what is not finished of its qualification, such as QUALIFICATION, SECOND_CARDS, DISPUTES, CONFIRMATIONS, TYPED_COUNTS and LATE_OPERATIONS; empty: nothing.
 */

/**
 * A row with its entry.
 * @typedef {object} CategoryStandingsRow
 * @property {LeaderboardRow} [row] with the rank and the difference among these rows
 * @property {EventEntry} [entry]
 * @property {TieDecision} [tieDecision] How a tie with rows of equal keys was decided; their rank is split in that order. Unspecified: it was not decided, and equal rows share their rank.
 * @property {string} [decidedBy] the name of the official
 * @property {string} [decidedAtMs]
 * @property {CardSummary} [card] absent: there is one card, and nobody has confirmed it
 * @property {RoundTotal[]} [rounds] empty if the category has one round
 * @property {RankKey} [missingKey] The count that a paper of somebody with equal keys does not have, so that they share their rank; absent: all counts are known.
 * @property {TieShots} [tieShots] of the shoot-off that decided the tie; absent: not known, or there was none
 */

/**
 * What an archer has shot in one round.
 * @typedef {object} RoundTotal
 * @property {number} [round] from 1
 * @property {number} [total] of the arrows, without a deduction
 * @property {number} [xCount]
 * @property {number} [tenCount] Xs included
 * @property {number} [arrowCount]
 * @property {boolean} [typed] a part of it is typed from a paper
 */

/**
 * What is missing before an event is started or finalised; the detail of an error of Tournament.StartTournament
 * and FinaliseTournament.
 * @typedef {object} OpenEventSteps
 * @property {EventStep[]} [steps] none of them is done
 */

/**
 * @typedef {object} GetEventDocumentRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {EventDocumentKind} [kind]
 * @property {string | bigint} [categoryId] 0: all
 * @property {string | bigint} [sessionId] 0: all; only for lists of entries, score cards and the calendar
 * @property {string} [timeZone] IANA name of the zone of the times on papers; empty: UTC
 * @property {string} [linkBase] Of score cards: begins with https:// or http://, at most 200 characters of ASCII; optional.
 * @property {string} [pageToken] From the previous part; valid only with the same first four fields, diploma_ranks and both_scorers.
 * @property {string} [diplomaText] Of diplomas: lines of text, of which the first is the heading. {event}, {name}, {members} (of a team), {club}, {country}, {category}, {rank} (as in 1), {place} (as in 1st) and {date} (as in 2026-05-23) stand for values; a line whose values are all empty is left out, another word in braces is INVALID_ARGUMENT. At most 2,000 bytes; empty: a text in English.
 * @property {number} [diplomaRanks] the last rank that gets a diploma, at most 1,000; 0: 3
 * @property {boolean} [bothScorers] of score cards: two for each entry, one for each scorer
 * @property {number} [cardsPerPage] of score cards: 1, 2 or 4; 0: 1
 * @property {string} [language] Of papers, for the words of this program: en, de, fr or it; empty: en. Lists for programs have none.
 */

/**
 * The contents of all parts one after another are the document.
 * @typedef {object} GetEventDocumentResponse
 * @property {string} [content] UTF-8; ends early at about 512 KiB
 * @property {string} [nextPageToken]
 * @property {string} [mediaType] text/html, text/csv or text/calendar, with charset=utf-8
 * @property {string} [fileName] ASCII letters, digits, hyphens and a point
 */

/**
 * @typedef {object} GetEventProgressRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} GetEventProgressResponse
 * @property {EventStep[]} [steps] in their order
 * @property {ShootingPause[]} [pauses] of the event, newest first; at most 200
 */

/**
 * @typedef {object} GetTeamStandingsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [categoryId]
 * @property {string | bigint} [secondCategoryId] of mixed teams the category of the other gender; else 0
 * @property {MatchSystem} [system] of teams or mixed teams: it has the number of archers
 * @property {TeamGroup} [group]
 */

/**
 * @typedef {object} GetTeamStandingsResponse
 * @property {TeamStandingsRow[]} [rows] best first; at most 500
 * @property {number} [rowCount] of all teams
 * @property {TiePolicyInfo} [policy] of the category; without one that of the event
 */

/**
 * A team with its sums.
 * @typedef {object} TeamStandingsRow
 * @property {number} [rank] from 1; equal teams share it
 * @property {string} [name] the club or the country
 * @property {TeamMember[]} [members] best first; of a mixed team the woman first
 * @property {number} [total]
 * @property {number} [xCount]
 * @property {number} [tenCount] Xs included
 * @property {boolean} [typed] a part of a member's card is typed from a paper
 * @property {RankKey} [missingKey] The count that a paper lacks, so that teams with equal keys share their rank; absent: none.
 */

/**
 * The lease of a scoring device on a card of a target.
 * @typedef {object} TargetLease
 * @property {string} [tournamentId]
 * @property {string} [sessionId] 0: the target of matches
 * @property {number} [target]
 * @property {number} [card] 1: the first card, 2: the second one
 * @property {string} [principalId]
 * @property {string} [displayName]
 * @property {string} [device] as operations name it
 * @property {string} [joinedAtMs]
 * @property {string} [expiresAtMs]
 * @property {EventEntry[]} [entries] of JoinTarget: who shoots there, without licences
 * @property {string} [takenOverAtMs] 0: it was not taken over from another device
 * @property {string} [takenOverFrom] the name of that device
 */

/**
 * @typedef {object} SetEventLeasesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {boolean} [demanded]
 * @property {boolean} [newCodes] the codes so far are not valid any more
 * @property {string | bigint} [expectedRevision] that of ListTargetLeases, as it was read: another one is ABORTED; 0: any
 */

/**
 * @typedef {object} SetEventLeasesResponse
 */

/**
 * @typedef {object} ListTargetCodesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId] 0: the targets of matches
 * @property {number} [firstTarget] of matches, from 1
 * @property {number} [lastTarget] of matches; at most 200 targets
 */

/**
 * @typedef {object} ListTargetCodesResponse
 * @property {TargetCode[]} [codes] by target
 */

/**
 * What a QR code of a target has.
 * @typedef {object} TargetCode
 * @property {number} [target]
 * @property {string} [code] who has it may score the target; ASCII letters, digits, hyphens, underscores
 */

/**
 * @typedef {object} JoinTargetRequestInit
 * @property {string} [code] of a target, or of a plate
 * @property {string} [device] 1 to 200 characters; operations name it
 * @property {number} [card] 1: the first card, 2: the second one
 * @property {boolean} [takeOver] From another device: by an organiser, or by a device from one that has been silent for 3 minutes.
 * @property {string | Uint8Array} [deviceSecret] 32 random bytes, without a token; qd_ and their base64url are the token of the device afterwards.
 * @property {string | bigint} [sessionId] Which of the choices of a plate: a session, or a match; both 0: the one that is open.
 * @property {string | bigint} [matchId]
 */

/**
 * The fields up to 10 are those of the lease, for clients from before there was the field.
 * @typedef {object} JoinTargetResponse
 * @property {string} [tournamentId]
 * @property {string} [sessionId]
 * @property {number} [target]
 * @property {number} [card]
 * @property {string} [principalId] of the lease; with a secret that of the device
 * @property {string} [displayName]
 * @property {string} [device]
 * @property {string} [joinedAtMs]
 * @property {string} [expiresAtMs]
 * @property {EventEntry[]} [entries]
 * @property {TargetLease} [lease] absent: nothing is leased; see choices
 * @property {TargetChoice[]} [choices] What is open at the target of the plate, where that is more than one. Ask again with one of them.
 */

/**
 * @typedef {object} CreatePlateCodesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [firstTarget] 0: the targets of all sessions and matches
 * @property {number} [lastTarget] at most 200 targets
 */

/**
 * @typedef {object} CreatePlateCodesResponse
 * @property {TargetCode[]} [codes] by target
 */

/**
 * @typedef {object} WatchTargetsRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} WatchTargetsResponse
 * @property {WatchSpan} [span]
 * @property {WatchedEvent} [event] absent: unchanged
 * @property {WatchedTarget[]} [targets] changed ones, each as a whole
 * @property {EventNotice[]} [notices] new ones, newest first; in a snapshot all kept ones
 * @property {TargetCall[]} [calls] of these targets; in a snapshot those that are open
 * @property {boolean} [allTargets] The targets are all that the caller leases now: others are not its targets any more.
 */

/**
 * The state of an event.
 * @typedef {object} WatchedEvent
 * @property {string} [tournamentId]
 * @property {string} [name]
 * @property {TournamentStatus} [status]
 * @property {boolean} [paused] operations are NOT_YET
 * @property {ShootingPause} [shootingPause] absent: there is none now
 * @property {boolean} [leasesDemanded]
 * @property {CorrectionConsent} [correctionConsent] Who must agree to the correction of an arrow in an end that has all its arrows.
 * @property {boolean} [scorersTypePapers] whether the holder of a lease types sums on paper (SetPaperTotal)
 */

/**
 * A target that the caller leases.
 * @typedef {object} WatchedTarget
 * @property {TargetLease} [lease] without entries
 * @property {EventSession} [session] absent: the target of matches
 * @property {WatchedEntry[]} [entries] by letter; all of the target
 * @property {EliminationMatch[]} [matches] placed there and not confirmed, with their cards
 * @property {number} [endsAhead] By how many ends all of its archers are ahead of more than half of the other targets of the session that shoot the same round, where each of its archers has as many arrows; 0: by none.
 */

/**
 * Who shoots at a target.
 * @typedef {object} WatchedEntry
 * @property {EventEntry} [entry] with its place in this session, without its licence
 * @property {RoundFormat} [format] of all rounds of its card
 * @property {QualificationRound} [round] that is shot in this session
 * @property {Score} [score]
 * @property {ScoredArrow[]} [arrows] Of a lease on the first card: the slots of the round, in their order.
 * @property {ComparedEnd[]} [ends] Both cards of the round, end by end: the other card's arrows only where both have the end.
 * @property {CardSummary} [card] absent: there is one card, and nobody has confirmed it
 * @property {string} [cardRevision] what ConfirmScoreCard needs
 * @property {boolean} [mayScore]
 * @property {number} [handicap] Of a lease on the first card, once all arrows of the card are shot; by the tables of Archery GB. absent: the round has none, or the score is 0
 * @property {string} [classCode] for example B1; empty: none, or the archer's category is not known
 * @property {string} [className] for example Bowman 1st Class
 * @property {OwedArrows[]} [owed] of the round, by their ends
 * @property {CardPart[]} [parts] Of the round, by their numbers; of a lease on the second card without sums.
 */

/**
 * @typedef {object} LeaveTargetRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [sessionId] 0: the target of matches
 * @property {number} [target]
 * @property {number} [card] 1: the first card, 2: the second one
 */

/**
 * @typedef {object} LeaveTargetResponse
 */

/**
 * @typedef {object} ListTargetLeasesRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListTargetLeasesResponse
 * @property {boolean} [demanded] whether the event demands leases
 * @property {TargetLease[]} [leases] by session, target and card; at most 2,000
 * @property {string} [revision] of what SetEventLeases sets; not 0
 */

/**
 * A short text for those who take part in an event.
 * @typedef {object} EventNotice
 * @property {string} [id] from the server; a later notice has a greater one
 * @property {string} [tournamentId]
 * @property {string} [text] 1 to 300 characters, none of them a control character
 * @property {boolean} [isPublic] everybody who sees the event sees it
 * @property {string} [sessionId] For whom it is; others who take part see it too. 0: for all. The session may have been deleted since.
 * @property {number} [firstTarget] of the session; 0: all of its targets
 * @property {number} [lastTarget]
 * @property {EventRole} [authorRole] ORGANISER or JUDGE
 * @property {string} [sentAtMs]
 */

/**
 * @typedef {object} SendEventNoticeRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string} [text] 1 to 300 characters, without control characters
 * @property {boolean} [isPublic]
 * @property {string | bigint} [sessionId] 0: for all
 * @property {number} [firstTarget] of the session; 0: all of its targets
 * @property {number} [lastTarget] 0: the first one only
 */

/**
 * @typedef {object} ListEventNoticesRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListEventNoticesResponse
 * @property {EventNotice[]} [notices] newest first; at most 50
 */

/**
 * A time in which nobody shoots. Arrows that were shot before are entered meanwhile.
 * @typedef {object} ShootingPause
 * @property {string} [id] from the server
 * @property {string} [tournamentId]
 * @property {string} [reason] 1 to 200 characters, without control characters
 * @property {string} [startedAtMs]
 * @property {string} [startedBy] the name of the official
 * @property {EventRole} [startedByRole] ORGANISER or JUDGE
 * @property {string} [endedAtMs] 0: not yet
 * @property {string} [endedBy] empty: not yet
 */

/**
 * A time in which nobody shoots. Arrows that were shot before are entered meanwhile.
 * @typedef {object} ShootingPauseInit
 * @property {string | bigint} [id] from the server
 * @property {string | bigint} [tournamentId]
 * @property {string} [reason] 1 to 200 characters, without control characters
 * @property {string | bigint} [startedAtMs]
 * @property {string} [startedBy] the name of the official
 * @property {EventRole} [startedByRole] ORGANISER or JUDGE
 * @property {string | bigint} [endedAtMs] 0: not yet
 * @property {string} [endedBy] empty: not yet
 */

/**
 * @typedef {object} PauseShootingRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string} [reason] 1 to 200 characters, without control characters
 */

/**
 * @typedef {object} ResumeShootingRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [pauseId] the pause that was read: another one is ABORTED, with that pause; 0: any
 */

/**
 * Whether a server or a service accepts calls.
 * - SERVING_STATUS_NOT_SERVING: draining, or the store cannot write
 * - SERVING_STATUS_SERVICE_UNKNOWN: only from Watch
 * @typedef {"SERVING_STATUS_UNSPECIFIED" | "SERVING_STATUS_SERVING" | "SERVING_STATUS_NOT_SERVING" | "SERVING_STATUS_SERVICE_UNKNOWN" | (string & {})} ServingStatus
 */

/**
 * @typedef {object} HealthCheckRequest
 * @property {string} [service] for example quiver.v1.Equipment; empty: the whole server
 */

/**
 * @typedef {object} HealthCheckResponse
 * @property {ServingStatus} [status]
 * @property {string} [reason] why it is not serving, for people; empty otherwise
 */

/**
 * Which sides of a call are streams.
 * @typedef {"METHOD_KIND_UNSPECIFIED" | "METHOD_KIND_UNARY" | "METHOD_KIND_CLIENT_STREAMING" | "METHOD_KIND_SERVER_STREAMING" | "METHOD_KIND_BIDIRECTIONAL" | (string & {})} MethodKind
 */

/**
 * @typedef {object} DescribeRequestInit
 * @property {string | Uint8Array} [knownFingerprint] The fingerprint of an answer that the caller has. If it is current, the answer contains only the fingerprint and `unchanged`.
 */

/**
 * @typedef {object} DescribeResponse
 * @property {string} [fingerprint] SHA-256 of file_descriptor_set
 * @property {boolean} [unchanged]
 * @property {string} [fileDescriptorSet] google.protobuf.FileDescriptorSet
 * @property {MethodEntry[]} [methods] by id
 */

/**
 * @typedef {object} MethodEntry
 * @property {number} [id]
 * @property {string} [name] quiver.v1.Equipment/CreateRiser
 * @property {MethodKind} [kind]
 * @property {string} [requestType]
 * @property {string} [responseType]
 * @property {boolean} [mutating] changes stored data; a unary call then takes an idempotency key
 * @property {boolean} [anonymous] needs no token
 */

/**
 * The kind of a participant.
 * - PARTICIPANT_KIND_GUEST: added by a user
 * - PARTICIPANT_KIND_ENTRY: without an account, added by the organiser
 * @typedef {"PARTICIPANT_KIND_UNSPECIFIED" | "PARTICIPANT_KIND_USER" | "PARTICIPANT_KIND_GUEST" | "PARTICIPANT_KIND_ENTRY" | (string & {})} ParticipantKind
 */

/**
 * One event.
 * @typedef {object} TournamentEvent
 * @property {string} [id] from the server
 * @property {string} [clientId] UUIDv7 from the client; optional
 * @property {string} [name] 1 to 200 characters
 * @property {RoundFormat} [format]
 * @property {TournamentStatus} [status]
 * @property {boolean} [paused] by PauseTournament: operations are NOT_YET
 * @property {boolean} [isPublic] listed, watchable and joinable; in an update it sets all three
 * @property {string} [joinCode] 16 characters of Crockford's base32 in four groups; only for the organiser
 * @property {number} [maxParticipants]
 * @property {number} [participantCount]
 * @property {TiePolicy} [tiePolicy]
 * @property {number} [tiePolicyDay] the day whose form of the policy applies: days since 1970-01-01
 * @property {string} [organiserId]
 * @property {string} [organiserName]
 * @property {number} [guestsPerUser]
 * @property {number} [guestLimit] of all users together
 * @property {number} [lateCount] operations that wait for a decision of the organiser
 * @property {string} [createdAtMs]
 * @property {string} [startedAtMs] 0: not yet
 * @property {string} [finalisedAtMs] 0: not yet, or reopened
 * @property {string} [revision] from 1; joins, arrows and pauses of the shooting do not change it
 * @property {string} [participantId] the caller's own; 0: none
 * @property {ShootingPause} [shootingPause] absent: there is none now
 * @property {boolean} [listed] in the list of public events
 * @property {boolean} [watchable] Everybody may watch it, until the last day of its boards. Whoever watches it knows its code: with it an account joins only an event that is joinable.
 * @property {boolean} [joinable] everybody who sees or knows it may join without the code
 * @property {PublicName} [publicNames] of archers, for who has no part in the event; unspecified: FULL
 * @property {PublicName} [juniorNames] Of archers under 18, unless public_names shows less; unspecified: INITIALS. Their age group is that of the entry, else of the category, else of the account.
 * @property {number} [lastBoardDay] The last day on which everybody may watch, in days since 1970-01-01; it ends when it has ended everywhere. 0: it does not end.
 * @property {CorrectionConsent} [correctionConsent] Who must agree to corrections and retractions of arrows in an end that has all its arrows; unspecified: NOBODY. Organisers and judges correct without others.
 * @property {boolean} [scorersTypePapers] Whether who scores an archer, but not the archer itself, types its sums on paper, too (SetPaperTotal).
 */

/**
 * One event.
 * @typedef {object} TournamentEventInit
 * @property {string | bigint} [id] from the server
 * @property {string | Uint8Array} [clientId] UUIDv7 from the client; optional
 * @property {string} [name] 1 to 200 characters
 * @property {RoundFormatInit} [format]
 * @property {TournamentStatus} [status]
 * @property {boolean} [paused] by PauseTournament: operations are NOT_YET
 * @property {boolean} [isPublic] listed, watchable and joinable; in an update it sets all three
 * @property {string} [joinCode] 16 characters of Crockford's base32 in four groups; only for the organiser
 * @property {number} [maxParticipants]
 * @property {number} [participantCount]
 * @property {TiePolicy} [tiePolicy]
 * @property {number} [tiePolicyDay] the day whose form of the policy applies: days since 1970-01-01
 * @property {string | bigint} [organiserId]
 * @property {string} [organiserName]
 * @property {number} [guestsPerUser]
 * @property {number} [guestLimit] of all users together
 * @property {number} [lateCount] operations that wait for a decision of the organiser
 * @property {string | bigint} [createdAtMs]
 * @property {string | bigint} [startedAtMs] 0: not yet
 * @property {string | bigint} [finalisedAtMs] 0: not yet, or reopened
 * @property {string | bigint} [revision] from 1; joins, arrows and pauses of the shooting do not change it
 * @property {string | bigint} [participantId] the caller's own; 0: none
 * @property {ShootingPauseInit} [shootingPause] absent: there is none now
 * @property {boolean} [listed] in the list of public events
 * @property {boolean} [watchable] Everybody may watch it, until the last day of its boards. Whoever watches it knows its code: with it an account joins only an event that is joinable.
 * @property {boolean} [joinable] everybody who sees or knows it may join without the code
 * @property {PublicName} [publicNames] of archers, for who has no part in the event; unspecified: FULL
 * @property {PublicName} [juniorNames] Of archers under 18, unless public_names shows less; unspecified: INITIALS. Their age group is that of the entry, else of the category, else of the account.
 * @property {number} [lastBoardDay] The last day on which everybody may watch, in days since 1970-01-01; it ends when it has ended everywhere. 0: it does not end.
 * @property {CorrectionConsent} [correctionConsent] Who must agree to corrections and retractions of arrows in an end that has all its arrows; unspecified: NOBODY. Organisers and judges correct without others.
 * @property {boolean} [scorersTypePapers] Whether who scores an archer, but not the archer itself, types its sums on paper, too (SetPaperTotal).
 */

/**
 * @typedef {object} CreateTournamentRequestInit
 * @property {string | Uint8Array} [clientId]
 * @property {string} [name]
 * @property {FormatReferenceInit} [format]
 * @property {boolean} [isPublic]
 * @property {number} [maxParticipants] 0: 50; at most 20,000
 * @property {TiePolicy} [tiePolicy] unspecified: X_FIRST
 * @property {number} [guestsPerUser] absent: 2
 * @property {number} [guestLimit] absent: 10
 * @property {boolean} [joins] the organiser participates too
 * @property {boolean} [listed] absent: as is_public
 * @property {boolean} [watchable] absent: as is_public
 * @property {boolean} [joinable] absent: as is_public
 * @property {PublicName} [publicNames]
 * @property {PublicName} [juniorNames]
 * @property {number} [lastBoardDay] days since 1970-01-01; 0: none
 * @property {CorrectionConsent} [correctionConsent] unspecified: NOBODY
 * @property {boolean} [scorersTypePapers]
 */

/**
 * @typedef {object} GetTournamentRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} ListTournamentsRequest
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page; valid only with the same filter and principal
 * @property {boolean} [publicOnly] all public events instead of the caller's events
 */

/**
 * @typedef {object} ListTournamentsResponse
 * @property {TournamentEvent[]} [tournaments]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} UpdateTournamentRequestInit
 * @property {TournamentEventInit} [tournament] with its id and the revision that was read
 * @property {string[]} [updateMask] Names of name, is_public, listed, watchable, joinable, public_names, junior_names, last_board_day, max_participants, guests_per_user, guest_limit, correction_consent and scorers_type_papers, and while OPEN of tie_policy.
 */

/**
 * @typedef {object} DeleteTournamentRequestInit
 * @property {string | bigint} [id]
 */

/**
 * @typedef {object} DeleteTournamentResponse
 */

/**
 * @typedef {object} StartTournamentRequestInit
 * @property {string | bigint} [id]
 * @property {boolean} [anyway] although steps are open
 * @property {string | bigint} [expectedRevision] Of the event, as it was read: an event that differs is ABORTED, with the event. 0: any.
 */

/**
 * @typedef {object} PauseTournamentRequestInit
 * @property {string | bigint} [id]
 * @property {string | bigint} [expectedRevision] Of the event, as it was read: an event that differs is ABORTED, with the event. 0: any.
 */

/**
 * @typedef {object} FinaliseTournamentRequestInit
 * @property {string | bigint} [id]
 * @property {boolean} [anyway] although steps are open
 * @property {string | bigint} [expectedRevision] Of the event, as it was read: an event that differs is ABORTED, with the event. 0: any.
 */

/**
 * @typedef {object} ReopenTournamentRequestInit
 * @property {string | bigint} [id]
 * @property {string} [reason] 1 to 200 characters
 * @property {string | bigint} [expectedRevision] Of the event, as it was read: an event that differs is ABORTED, with the event. 0: any.
 */

/**
 * @typedef {object} CancelTournamentRequestInit
 * @property {string | bigint} [id]
 * @property {string} [reason] at most 200 characters
 * @property {string | bigint} [expectedRevision] Of the event, as it was read: an event that differs is ABORTED, with the event. 0: any.
 */

/**
 * A person who is scored at an event.
 * @typedef {object} Participant
 * @property {string} [id]
 * @property {string} [clientId]
 * @property {string} [tournamentId]
 * @property {ParticipantKind} [kind]
 * @property {string} [displayName]
 * @property {string} [principalId] of USER: the user; else: who added it
 * @property {string} [scorerId] the assigned scorer's principal; 0: none
 * @property {ParticipantStatus} [status]
 * @property {string} [joinedAtMs]
 * @property {Score} [score]
 * @property {boolean} [mayScore] whether the caller may score for this participant
 */

/**
 * @typedef {object} JoinTournamentRequestInit
 * @property {string} [joinCode] or the next, of a public event
 * @property {string | bigint} [tournamentId]
 * @property {string | Uint8Array} [clientId] of the participant; optional
 * @property {string | bigint} [setupId] the setup; its latest version unless one is named
 * @property {string | Uint8Array} [setupClientId]
 * @property {number} [setupVersion]
 */

/**
 * @typedef {object} AddGuestRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | Uint8Array} [clientId]
 * @property {string} [name] 1 to 50 characters
 */

/**
 * @typedef {object} AddEntriesRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {EntryDraftInit[]} [entries] 1 to 1,000
 */

/**
 * An entry to add.
 * @typedef {object} EntryDraftInit
 * @property {string | Uint8Array} [clientId]
 * @property {string} [name] 1 to 50 characters
 * @property {string | bigint} [scorerId] an appointed scorer; 0: none
 */

/**
 * @typedef {object} AddEntriesResponse
 * @property {Participant[]} [participants] in the order of the entries
 */

/**
 * @typedef {object} ListParticipantsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 * @property {boolean} [mineOnly] Only those that the caller is, has added, or scores by assignment or by a lease. A scorer of the event scores all.
 */

/**
 * @typedef {object} ListParticipantsResponse
 * @property {Participant[]} [participants]
 * @property {string} [nextPageToken]
 */

/**
 * @typedef {object} WithdrawParticipantRequestInit
 * @property {string | bigint} [participantId]
 * @property {string} [reason] at most 200 characters
 * @property {string | bigint} [expectedRevision] Of the entry (EventEntry), as it was read: an entry that differs is ABORTED, with the entry for officials. 0: any.
 */

/**
 * @typedef {object} DisqualifyParticipantRequestInit
 * @property {string | bigint} [participantId]
 * @property {string} [reason] 1 to 200 characters
 * @property {string | bigint} [expectedRevision] Of the entry (EventEntry), as it was read: an entry that differs is ABORTED, with the entry for officials. 0: any.
 */

/**
 * @typedef {object} ReinstateParticipantRequestInit
 * @property {string | bigint} [participantId]
 * @property {string} [reason] 1 to 200 characters
 * @property {string | bigint} [expectedRevision] Of the entry (EventEntry), as it was read: an entry that differs is ABORTED, with the entry for officials. 0: any.
 */

/**
 * @typedef {object} AppointScorerRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [principalId]
 * @property {(string | bigint)[]} [participantIds] at most 1,000, in addition to those already assigned
 * @property {string | bigint} [sessionId] The entries that have places on these targets of a session are assigned too. A target without an entry is FAILED_PRECONDITION. They stay assigned when they are moved.
 * @property {number[]} [targets] with session_id 1 to 200, else none
 * @property {string} [principalCode] Instead of principal_id: see Events.SetEventOfficial, also for which ids are NOT_FOUND.
 */

/**
 * A principal whom the organiser allows to score.
 * @typedef {object} Scorer
 * @property {string} [tournamentId]
 * @property {string} [principalId]
 * @property {string} [displayName]
 * @property {number} [assignedCount]
 */

/**
 * @typedef {object} DismissScorerRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {string | bigint} [principalId]
 */

/**
 * @typedef {object} DismissScorerResponse
 */

/**
 * @typedef {object} ListScorersRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} ListScorersResponse
 * @property {Scorer[]} [scorers] by principal id; at most 500
 */

/**
 * @typedef {object} GetSpectatorTokenRequest
 * @property {string} [joinCode]
 */

/**
 * @typedef {object} GetSpectatorTokenResponse
 * @property {string} [token] sent as the token of a connection
 * @property {string} [expiresAtMs]
 * @property {string} [tournamentId]
 * @property {string} [name]
 */

/**
 * @typedef {object} ListLateOperationsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {number} [pageSize] 0: 50; above 500: 500
 * @property {string} [pageToken] from the previous page
 */

/**
 * @typedef {object} ListLateOperationsResponse
 * @property {LateOperation[]} [operations]
 * @property {string} [nextPageToken]
 */

/**
 * An operation that arrived after the event was finalised and waits for a decision of the organiser.
 * @typedef {object} LateOperation
 * @property {string} [id]
 * @property {ScoringOperation} [operation]
 * @property {string} [receivedAtMs]
 * @property {string} [principalId]
 * @property {ScoredArrow} [arrow] the content of its slot
 */

/**
 * @typedef {object} AdmitOperationsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {(string | bigint)[]} [operationIds] 1 to 1,000
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} RejectOperationsRequestInit
 * @property {string | bigint} [tournamentId]
 * @property {(string | bigint)[]} [operationIds] 1 to 1,000
 * @property {string} [reason] 1 to 200 characters
 */

/**
 * @typedef {object} RejectOperationsResponse
 */

/**
 * @typedef {object} SyncOperationsRequestInit
 * @property {string | bigint} [batch] the client's number; returned with the answer
 * @property {ScoringOperationInit[]} [operations] 1 to 1,000
 */

/**
 * @typedef {object} SyncOperationsResponse
 * @property {string} [batch]
 * @property {OperationVerdict[]} [verdicts] one for each, in their order
 */

/**
 * @typedef {object} WatchTournamentRequestInit
 * @property {string | bigint} [tournamentId]
 */

/**
 * @typedef {object} WatchTournamentResponse
 * @property {WatchSpan} [span]
 * @property {TournamentEvent} [tournament] absent: unchanged
 * @property {Participant[]} [participants] new or with another status; without scores
 * @property {EventNotice[]} [notices] New ones, newest first, that the caller may see; in a snapshot all kept ones, with the event.
 * @property {EventEntry[]} [entries] With another place, name, category or bib; not in a snapshot. Without licences.
 * @property {EventCategory[]} [categories] new or changed; not in a snapshot
 * @property {EventSession[]} [sessions] new or changed; not in a snapshot
 * @property {TargetLease[]} [leases] New or changed, for officials: who took a card over from whom; not in a snapshot.
 */

export {};
