// gRPC's answer to the same calls: an asynchronous echo server and its load client, each with one
// completion queue on one thread. Built from Protos/quiver/v1/diagnostics.proto.
//   grpc_echo serve PORT [CERTIFICATE KEY]
//   grpc_echo load --connect HOST:PORT --connections C --depth D …   (options as of load.c)
// With a certificate, or with --ca, over TLS 1.3; which cipher is OPENSSL_CONF's.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "measure.h"
#include "quiver/v1/diagnostics.grpc.pb.h"

using quiver::v1::Diagnostics;
using quiver::v1::EchoMessage;

namespace {

// One call on the server, from waiting for it to its end; then it waits for the next.
class ServerCall {
 public:
  ServerCall(Diagnostics::AsyncService *service, grpc::ServerCompletionQueue *queue)
      : service_(service), queue_(queue) {
    Await();
  }

  void Proceed(bool ok) {
    if (!replied_ && ok) {
      replied_ = true;
      // The next call is waited for before this one is answered.
      new ServerCall(service_, queue_);
      responder_.Finish(message_, grpc::Status::OK, this);
    } else {
      delete this;
    }
  }

 private:
  void Await() {
    service_->RequestEcho(&context_, &message_, &responder_, queue_, queue_, this);
  }

  Diagnostics::AsyncService *service_;
  grpc::ServerCompletionQueue *queue_;
  grpc::ServerContext context_;
  EchoMessage message_;
  grpc::ServerAsyncResponseWriter<EchoMessage> responder_{&context_};
  bool replied_ = false;
};

std::string Contents(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!(text << file.rdbuf())) {
    fprintf(stderr, "grpc_echo: %s cannot be read\n", path.c_str());
    exit(1);
  }
  return text.str();
}

std::shared_ptr<grpc::ServerCredentials> Secured(const std::string &certificate,
                                                 const std::string &key) {
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({Contents(key), Contents(certificate)});
  return grpc::SslServerCredentials(options);
}

int Serve(const std::string &port, std::shared_ptr<grpc::ServerCredentials> credentials) {
  Diagnostics::AsyncService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + port, credentials);
  builder.RegisterService(&service);
  std::unique_ptr<grpc::ServerCompletionQueue> queue = builder.AddCompletionQueue();
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  for (int i = 0; i < 2048; i++) new ServerCall(&service, queue.get());
  void *tag;
  bool ok;
  while (queue->Next(&tag, &ok)) static_cast<ServerCall *>(tag)->Proceed(ok);
  return 0;
}

struct ClientCall {
  Diagnostics::Stub *stub;
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::ClientAsyncResponseReader<EchoMessage>> reader;
  EchoMessage reply;
  grpc::Status status;
  uint64_t began;

  void Start(const EchoMessage &request, grpc::CompletionQueue *queue, unsigned timeout_ms) {
    context = std::make_unique<grpc::ClientContext>();
    if (timeout_ms)
      context->set_deadline(std::chrono::system_clock::now() +
                            std::chrono::milliseconds(timeout_ms));
    began = now_ns();
    reader = stub->AsyncEcho(context.get(), request, queue);
    reader->Finish(&reply, &status, this);
  }
};

std::shared_ptr<grpc::ChannelCredentials> Trusting(const load_options &options) {
  if (!options.ca_file) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions trusted;
  trusted.pem_root_certs = Contents(options.ca_file);
  return grpc::SslCredentials(trusted);
}

std::unique_ptr<Diagnostics::Stub> Connect(const load_options &options) {
  grpc::ChannelArguments arguments;
  // Else all channels to one address share a connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  std::string address = std::string(options.host) + ":" + std::to_string(options.port);
  auto channel = grpc::CreateCustomChannel(address, Trusting(options), arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) {
    fprintf(stderr, "grpc_echo: cannot connect to %s\n", address.c_str());
    exit(1);
  }
  return Diagnostics::NewStub(channel);
}

int Load(const load_options &options) {
  EchoMessage request;
  if (!request.ParseFromArray(echo_message, sizeof echo_message)) return 1;
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<Diagnostics::Stub>> stubs;
  for (int i = 0; i < options.connections; i++) stubs.push_back(Connect(options));
  auto span = std::make_unique<load_span>();
  load_span_init(span.get(), &options);
  for (auto &stub : stubs)
    for (int i = 0; i < options.depth; i++)
      (new ClientCall{stub.get(), nullptr, nullptr, {}, {}, 0})
          ->Start(request, &queue, options.timeout_ms);
  void *tag;
  bool ok;
  while (queue.Next(&tag, &ok)) {
    auto *call = static_cast<ClientCall *>(tag);
    uint64_t now = now_ns();
    if (call->status.ok() && ok) load_span_add(span.get(), call->began, now);
    else if (span->errors++ == 0)
      fprintf(stderr, "grpc_echo: %s\n", call->status.error_message().c_str());
    if (!load_span_tick(span.get(), now)) _exit(0);  // calls in flight go with the process
    call->Start(request, &queue, options.timeout_ms);
  }
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "serve" && argc == 3) return Serve(argv[2], grpc::InsecureServerCredentials());
  if (command == "serve" && argc == 5) return Serve(argv[2], Secured(argv[3], argv[4]));
  if (command == "load") return Load(load_options_parse(argc - 1, argv + 1));
  fprintf(stderr, "usage: grpc_echo serve PORT [CERTIFICATE KEY] | grpc_echo load …\n");
  return 64;
}
