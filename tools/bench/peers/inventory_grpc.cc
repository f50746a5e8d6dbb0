// The unary call of tools/examples/inventory by gRPC C++: an asynchronous server of GetItem and its
// load client, each with one completion queue on one thread. The server reads the database of the
// example by one prepared statement. Built by tools/bench/inventory from the example's proto.
//   inventory_grpc serve PORT DATABASE
//   inventory_grpc load --connect HOST:PORT --connections C --depth D …   (options as of load.c)
#include <grpcpp/grpcpp.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "inventory.grpc.pb.h"
#include "measure.h"

using inventory::v1::GetItemRequest;
using inventory::v1::Inventory;
using inventory::v1::Item;

namespace {

class Stock {
 public:
  explicit Stock(const char *path) {
    const char *sql = "SELECT sku, quantity FROM items WHERE sku = ? ORDER BY sku";
    if (sqlite3_open(path, &database_) != SQLITE_OK ||
        sqlite3_prepare_v2(database_, sql, -1, &find_, nullptr) != SQLITE_OK) {
      fprintf(stderr, "inventory_grpc: %s\n", sqlite3_errmsg(database_));
      exit(1);
    }
  }

  grpc::Status Find(const std::string &sku, Item *item) {
    sqlite3_bind_text(find_, 1, sku.data(), (int)sku.size(), SQLITE_STATIC);
    bool found = sqlite3_step(find_) == SQLITE_ROW;
    if (found) {
      item->set_sku((const char *)sqlite3_column_text(find_, 0), sqlite3_column_bytes(find_, 0));
      item->set_quantity(sqlite3_column_int64(find_, 1));
    }
    sqlite3_reset(find_);
    return found ? grpc::Status::OK
                 : grpc::Status(grpc::StatusCode::NOT_FOUND, "sku: no such item");
  }

 private:
  sqlite3 *database_ = nullptr;
  sqlite3_stmt *find_ = nullptr;
};

// One call on the server, from waiting for it to its end; then it waits for the next.
class ServerCall {
 public:
  ServerCall(Inventory::AsyncService *service, grpc::ServerCompletionQueue *queue, Stock *stock)
      : service_(service), queue_(queue), stock_(stock) {
    service_->RequestGetItem(&context_, &request_, &responder_, queue_, queue_, this);
  }

  void Proceed(bool ok) {
    if (replied_ || !ok) {
      delete this;
      return;
    }
    replied_ = true;
    // The next call is waited for before this one is answered.
    new ServerCall(service_, queue_, stock_);
    Item item;
    grpc::Status status = stock_->Find(request_.sku(), &item);
    if (status.ok()) responder_.Finish(item, status, this);
    else responder_.FinishWithError(status, this);
  }

 private:
  Inventory::AsyncService *service_;
  grpc::ServerCompletionQueue *queue_;
  Stock *stock_;
  grpc::ServerContext context_;
  GetItemRequest request_;
  grpc::ServerAsyncResponseWriter<Item> responder_{&context_};
  bool replied_ = false;
};

int Serve(const std::string &port, const char *path) {
  Stock stock(path);
  Inventory::AsyncService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + port, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  std::unique_ptr<grpc::ServerCompletionQueue> queue = builder.AddCompletionQueue();
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;
  for (int i = 0; i < 2048; i++) new ServerCall(&service, queue.get(), &stock);
  void *tag;
  bool ok;
  while (queue->Next(&tag, &ok)) static_cast<ServerCall *>(tag)->Proceed(ok);
  return 0;
}

struct ClientCall {
  Inventory::Stub *stub;
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Item>> reader;
  Item reply;
  grpc::Status status;
  uint64_t began;

  void Start(const GetItemRequest &request, grpc::CompletionQueue *queue, unsigned timeout_ms) {
    context = std::make_unique<grpc::ClientContext>();
    if (timeout_ms)
      context->set_deadline(std::chrono::system_clock::now() +
                            std::chrono::milliseconds(timeout_ms));
    began = now_ns();
    reader = stub->AsyncGetItem(context.get(), request, queue);
    reader->Finish(&reply, &status, this);
  }
};

std::unique_ptr<Inventory::Stub> Connect(const load_options &options) {
  grpc::ChannelArguments arguments;
  // Else all channels to one address share a connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  std::string address = std::string(options.host) + ":" + std::to_string(options.port);
  auto channel =
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) {
    fprintf(stderr, "inventory_grpc: cannot connect to %s\n", address.c_str());
    exit(1);
  }
  return Inventory::NewStub(channel);
}

int Load(const load_options &options) {
  GetItemRequest request;
  request.set_sku("arrow");
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<Inventory::Stub>> stubs;
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
      fprintf(stderr, "inventory_grpc: %s\n", call->status.error_message().c_str());
    if (!load_span_tick(span.get(), now)) _exit(0);  // calls in flight go with the process
    call->Start(request, &queue, options.timeout_ms);
  }
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  std::string command = argc > 1 ? argv[1] : "";
  if (command == "serve" && argc == 4) return Serve(argv[2], argv[3]);
  if (command == "load") return Load(load_options_parse(argc - 1, argv + 1));
  fprintf(stderr, "usage: inventory_grpc serve PORT DATABASE | inventory_grpc load …\n");
  return 64;
}
