/// Jobs for a shard that other threads add, and those that it took and has not run yet. The shard
/// locks the first part; the second is confined to the shard.
struct JobInbox {
  enum Job {
    case closure(@Sendable () -> Void)
    case task(UnownedJob)
  }

  var jobs: [Job] = []
  /// Jobs that let the others go first.
  var backgroundJobs: [Job] = []
  /// Whether the shard will take the jobs: as long as there are some here, or among those it took.
  var isScheduled = false
  /// Whether the shard waits for events: a job has to end that, and it then takes the jobs.
  var isWaiting = false

  var isEmpty: Bool { jobs.isEmpty && backgroundJobs.isEmpty }
}

/// Jobs that were taken from a ``JobInbox``, in their order.
struct JobBacklog {
  private var jobs: [JobInbox.Job] = []
  /// The jobs before it run already.
  private var index = 0

  /// The most jobs for which the memory is kept.
  private static let keptJobs = 4_096

  var isEmpty: Bool { index == jobs.count }

  /// Takes all of `new`, unless there are jobs left.
  mutating func refill(_ new: inout [JobInbox.Job]) {
    guard isEmpty, !new.isEmpty else { return }
    jobs.removeAll(keepingCapacity: jobs.count <= Self.keptJobs)
    index = 0
    swap(&jobs, &new)
  }

  mutating func popFirst() -> JobInbox.Job? {
    guard index < jobs.count else { return nil }
    defer { index += 1 }
    return jobs[index]
  }

  /// Releases the jobs if all of them have run.
  mutating func release() {
    guard isEmpty, !jobs.isEmpty else { return }
    jobs.removeAll(keepingCapacity: jobs.count <= Self.keptJobs)
    index = 0
  }
}
