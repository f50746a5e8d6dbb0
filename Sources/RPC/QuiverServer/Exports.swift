// `import QuiverServer` is the only import of a program that answers calls: it brings the types of
// calls and errors, what messages are declared with, and the client.

@_exported public import QuiverClientCore
@_exported public import QuiverProtobuf
@_exported public import QuiverRPC

@_exported public import struct QuiverWire.StatusCode
