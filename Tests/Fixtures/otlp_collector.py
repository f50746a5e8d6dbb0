"""An OTLP receiver for tests: decodes requests with PyPI's opentelemetry-proto.

Prints the port, then a line of JSON for each span. The argument is the statuses that the first
requests are answered with, for example 503,503.
"""
import http.server
import json
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest, ExportTraceServiceResponse)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

refusals = [int(word) for word in sys.argv[1].split(",")] if len(sys.argv) > 1 else []


def attributes(pairs):
    values = {}
    for pair in pairs:
        kind = pair.value.WhichOneof("value")
        assert kind in ("string_value", "int_value"), kind
        values[pair.key] = getattr(pair.value, kind)
    return values


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if refusals:
            return self.answer(refusals.pop(0), b"")
        assert self.path == "/v1/traces", self.path
        assert self.headers["Content-Type"] == "application/x-protobuf"
        request = ExportTraceServiceRequest()
        request.ParseFromString(body)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    # Nothing that OpenTelemetry does not know.
                    assert len(UnknownFieldSet(span)) == 0
                    print(json.dumps({
                        "resource": attributes(resource.resource.attributes),
                        "scope": scope.scope.name,
                        "trace": span.trace_id.hex(), "id": span.span_id.hex(),
                        "parent": span.parent_span_id.hex(), "name": span.name,
                        "kind": Span.SpanKind.Name(span.kind),
                        "start": span.start_time_unix_nano, "end": span.end_time_unix_nano,
                        "attributes": attributes(span.attributes),
                        "status": Status.StatusCode.Name(span.status.code),
                    }), flush=True)
        self.answer(200, ExportTraceServiceResponse().SerializeToString())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
print(server.server_port, flush=True)
server.serve_forever()
