// `import QuiverClientCore` is the only import of a program that calls services: it brings the
// client, the types of calls and errors, and what messages are declared with.

@_exported public import QuiverClient
@_exported public import QuiverProtobuf
@_exported public import QuiverRPC

@_exported public import struct QuiverWire.StatusCode
