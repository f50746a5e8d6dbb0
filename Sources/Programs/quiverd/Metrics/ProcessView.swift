import QuiverDaemon
import QuiverService

extension ServerProcessView {
  /// What Admin shows of this process.
  static var ofThisProcess: ServerProcessView {
    var view = ServerProcessView()
    view.software = "quiverd/\(Quiverd.version)"
    view.startedAtMilliseconds = Int64(ProcessMetrics.startSeconds * 1_000)
    view.use = {
      Use(
        residentBytes: ProcessMetrics.residentBytes,
        cpuNanoseconds: Int64(ProcessMetrics.cpuSeconds * 1e9))
    }
    return view
  }
}
