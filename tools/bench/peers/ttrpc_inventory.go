// The unary call of tools/examples/inventory by ttrpc, with the options of ttrpc_echo.go:
//
//	ttrpc_inventory serve PORT DATABASE
//	ttrpc_inventory load …
package main

import (
	"context"
	"database/sql"
	"runtime"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	_ "github.com/mattn/go-sqlite3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The fields of inventory.v1.GetItemRequest and of Item, with what gogo's generator writes.
type getItemRequest struct {
	SKU string `protobuf:"bytes,1,opt,name=sku,proto3"`
}

type item struct {
	SKU      string `protobuf:"bytes,1,opt,name=sku,proto3"`
	Quantity int64  `protobuf:"varint,2,opt,name=quantity,proto3"`
}

var requestInfo, itemInfo proto.InternalMessageInfo

func (m *getItemRequest) Reset()                       { *m = getItemRequest{} }
func (m *getItemRequest) String() string               { return proto.CompactTextString(m) }
func (*getItemRequest) ProtoMessage()                  {}
func (m *getItemRequest) XXX_Size() int                { return requestInfo.Size(m) }
func (m *getItemRequest) XXX_Unmarshal(b []byte) error { return requestInfo.Unmarshal(m, b) }
func (m *getItemRequest) XXX_Marshal(b []byte, deterministic bool) ([]byte, error) {
	return requestInfo.Marshal(b, m, deterministic)
}

func (m *item) Reset()                       { *m = item{} }
func (m *item) String() string               { return proto.CompactTextString(m) }
func (*item) ProtoMessage()                  {}
func (m *item) XXX_Size() int                { return itemInfo.Size(m) }
func (m *item) XXX_Unmarshal(b []byte) error { return itemInfo.Unmarshal(m, b) }
func (m *item) XXX_Marshal(b []byte, deterministic bool) ([]byte, error) {
	return itemInfo.Marshal(b, m, deterministic)
}

func init() {
	// One thread runs its code, as in the other servers.
	runtime.GOMAXPROCS(1)
	loaded = call{
		"inventory.v1.Inventory", "GetItem", &getItemRequest{SKU: "arrow"},
		func() interface{} { return new(item) },
	}
	register = func(server *ttrpc.Server, words []string) {
		if len(words) != 1 {
			fail("serve PORT DATABASE")
		}
		database, err := sql.Open("sqlite3", words[0])
		if err != nil {
			fail(err)
		}
		find, err := database.Prepare("SELECT sku, quantity FROM items WHERE sku = ? ORDER BY sku")
		if err != nil {
			fail(err)
		}
		server.Register(loaded.service, map[string]ttrpc.Method{
			loaded.method: func(_ context.Context, unmarshal func(interface{}) error) (interface{}, error) {
				request, found := new(getItemRequest), new(item)
				if err := unmarshal(request); err != nil {
					return nil, err
				}
				err := find.QueryRow(request.SKU).Scan(&found.SKU, &found.Quantity)
				if err == sql.ErrNoRows {
					return nil, status.Error(codes.NotFound, "sku: no such item")
				}
				return found, err
			},
		})
	}
}
