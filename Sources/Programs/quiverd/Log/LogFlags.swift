import QuiverCommandLine
import QuiverDispatch
import QuiverObservability

extension Flag {
  /// What is logged and measured, and how.
  static var logging: [Flag] { [logLevel, logFormat, slowCall, accessLog, metrics, traces] }

  private static var metrics: Flag {
    Flag(
      "--metrics", "HOST:PORT",
      "answer HTTP requests for /metrics (Prometheus), /livez and /readyz on this address, without"
        + " authentication; port 0 lets the system choose; default: nowhere"
    ) { (value, configuration) throws(UsageError) in
      guard let endpoint = Endpoint(value), !endpoint.isSecure, !endpoint.host.isEmpty else {
        throw UsageError("--metrics requires HOST:PORT or [IPv6]:PORT")
      }
      configuration.metrics = endpoint
    }
    .shown { $0.metrics.map { [$0.description] } ?? [] }
  }

  private static var traces: Flag {
    Flag(
      "--traces", "URL",
      "send the spans of calls whose callers record a trace (traceparent) to this OTLP receiver,"
        + " http://HOST[:PORT][/PATH], in protobuf; the port is 4318 and the path /v1/traces by"
        + " default; default: nowhere"
    ) { (value, configuration) throws(UsageError) in
      guard let endpoint = TraceEndpoint(value) else {
        throw UsageError("--traces requires http://HOST[:PORT][/PATH]")
      }
      configuration.traces = endpoint
    }
    .shown { $0.traces.map { [$0.description] } ?? [] }
  }

  private static var logLevel: Flag {
    Flag(
      "--log-level", "error|warning|info|debug", "which events are logged; default info",
      .reloadable
    ) { (value, configuration) throws(UsageError) in
      guard let level = LogLevel(rawValue: value) else {
        throw UsageError("--log-level requires error, warning, info or debug")
      }
      configuration.logLevel = level
    }
    .shown { [$0.logLevel.rawValue] }
  }

  private static var logFormat: Flag {
    Flag(
      "--log-format", "logfmt|json", "how events are written, one line each; default logfmt"
    ) { (value, configuration) throws(UsageError) in
      guard let format = LogFormat(rawValue: value) else {
        throw UsageError("--log-format requires logfmt or json")
      }
      configuration.logFormat = format
    }
    .shown { [$0.logFormat.rawValue] }
  }

  private static var slowCall: Flag {
    Flag(
      "--slow-call", "N",
      "log unary calls that take N milliseconds or longer, once per method and minute (0: none);"
        + " default \(Configuration().slowCallMilliseconds)"
    ) { (value, configuration) throws(UsageError) in
      configuration.slowCallMilliseconds = try number(value, upTo: 3_600_000, of: "--slow-call")
    }
    .shown { ["\($0.slowCallMilliseconds)"] }
  }

  private static var accessLog: Flag {
    Flag(
      "--access-log", "N",
      "log one of N calls, 1: each (0: none), with its method, code, time and caller; default 0"
    ) { (value, configuration) throws(UsageError) in
      configuration.loggedCallInterval = try number(value, upTo: 1_000_000_000, of: "--access-log")
    }
    .shown { ["\($0.loggedCallInterval)"] }
  }

  private static func number(
    _ text: String, upTo largest: Int, of name: String
  ) throws(UsageError) -> Int {
    guard let value = Int(text), (0...largest).contains(value) else {
      throw UsageError("\(name) requires a number from 0 to \(largest)")
    }
    return value
  }
}
