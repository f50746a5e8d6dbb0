import QuiverProtobuf

/// The messages of `Protos/opentelemetry/otlp.proto`: a part of OpenTelemetry's, with its names.
enum OTLP {
  struct ExportTraceServiceRequest: Message {
    var resourceSpans: [ResourceSpans] = []

    static let schema = Schema<Self>(
      "quiver.otlp.ExportTraceServiceRequest", .messages(1, "resource_spans", \.resourceSpans))
  }

  struct ExportTraceServiceResponse: Message {
    var partialSuccess: ExportTracePartialSuccess?

    static let schema = Schema<Self>(
      "quiver.otlp.ExportTraceServiceResponse",
      .message(1, "partial_success", \.partialSuccess))
  }

  struct ExportTracePartialSuccess: Message {
    var rejectedSpans: Int64 = 0
    var errorMessage = ""

    static let schema = Schema<Self>(
      "quiver.otlp.ExportTracePartialSuccess", .int64(1, "rejected_spans", \.rejectedSpans),
      .string(2, "error_message", \.errorMessage))
  }

  struct ResourceSpans: Message {
    var resource: Resource?
    var scopeSpans: [ScopeSpans] = []

    static let schema = Schema<Self>(
      "quiver.otlp.ResourceSpans", .message(1, "resource", \.resource),
      .messages(2, "scope_spans", \.scopeSpans))
  }

  struct Resource: Message {
    var attributes: [KeyValue] = []

    static let schema = Schema<Self>(
      "quiver.otlp.Resource", .messages(1, "attributes", \.attributes))
  }

  struct ScopeSpans: Message {
    var scope: InstrumentationScope?
    var spans: [Span] = []

    static let schema = Schema<Self>(
      "quiver.otlp.ScopeSpans", .message(1, "scope", \.scope), .messages(2, "spans", \.spans))
  }

  struct InstrumentationScope: Message {
    var name = ""
    var version = ""

    static let schema = Schema<Self>(
      "quiver.otlp.InstrumentationScope", .string(1, "name", \.name),
      .string(2, "version", \.version))
  }

  struct Span: Message {
    var traceID: [UInt8] = []
    var spanID: [UInt8] = []
    var parentSpanID: [UInt8] = []
    var name = ""
    var kind = SpanKind.unspecified
    var startTimeUnixNano: UInt64 = 0
    var endTimeUnixNano: UInt64 = 0
    var attributes: [KeyValue] = []
    var status: SpanStatus?

    static let schema = Schema<Self>(
      "quiver.otlp.Span", .bytes(1, "trace_id", \.traceID), .bytes(2, "span_id", \.spanID),
      .bytes(4, "parent_span_id", \.parentSpanID), .string(5, "name", \.name),
      .enum(6, "kind", \.kind), .fixed64(7, "start_time_unix_nano", \.startTimeUnixNano),
      .fixed64(8, "end_time_unix_nano", \.endTimeUnixNano),
      .messages(9, "attributes", \.attributes), .message(15, "status", \.status))
  }

  struct SpanKind: OpenEnum {
    var rawValue: Int32

    static let unspecified = Self(rawValue: 0)
    static let `internal` = Self(rawValue: 1)
    static let server = Self(rawValue: 2)

    static let schema = EnumSchema(
      "quiver.otlp.SpanKind",
      [(0, "SPAN_KIND_UNSPECIFIED"), (1, "SPAN_KIND_INTERNAL"), (2, "SPAN_KIND_SERVER")])
  }

  struct SpanStatus: Message {
    var message = ""
    var code = SpanStatusCode.unset

    static let schema = Schema<Self>(
      "quiver.otlp.SpanStatus", .string(2, "message", \.message), .enum(3, "code", \.code))
  }

  struct SpanStatusCode: OpenEnum {
    var rawValue: Int32

    static let unset = Self(rawValue: 0)
    static let ok = Self(rawValue: 1)
    static let error = Self(rawValue: 2)

    static let schema = EnumSchema(
      "quiver.otlp.SpanStatusCode",
      [(0, "STATUS_CODE_UNSET"), (1, "STATUS_CODE_OK"), (2, "STATUS_CODE_ERROR")])
  }

  struct KeyValue: Message {
    var key = ""
    var value: AnyValue?

    static let schema = Schema<Self>(
      "quiver.otlp.KeyValue", .string(1, "key", \.key), .message(2, "value", \.value))
  }

  struct AnyValue: Message {
    var stringValue: String?
    var intValue: Int64?

    static let schema = Schema<Self>(
      "quiver.otlp.AnyValue", .optionalString(1, "string_value", \.stringValue),
      .optionalInt64(3, "int_value", \.intValue))
  }
}
