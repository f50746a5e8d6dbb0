// ttrpc's unary echo, server and load client: the peer that is nearest to Quiver in what it leaves out.
//
//	ttrpc_echo serve PORT
//	ttrpc_echo load --connect HOST:PORT --connections C --depth D …   (options as of load.c)
//
// With ttrpc_inventory.go it is the peer of tools/bench/inventory.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
)

// A call that the load client makes.
type call struct {
	service, method string
	request         interface{}
	newReply        func() interface{}
}

var loaded = call{
	"quiver.v1.Diagnostics", "Echo",
	&echoMessage{
		Payload: append([]byte("quiver"), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
		Text:    "twelve arrows.", Number: 0xFFFFFFFF},
	func() interface{} { return new(echoMessage) },
}

// What the server answers; words are those after its port.
var register = func(server *ttrpc.Server, words []string) {
	server.Register(loaded.service, map[string]ttrpc.Method{
		loaded.method: func(_ context.Context, unmarshal func(interface{}) error) (interface{}, error) {
			message := new(echoMessage)
			if err := unmarshal(message); err != nil {
				return nil, err
			}
			return message, nil
		},
	})
}

// The fields of quiver.v1.EchoMessage, with the methods that gogo's generator writes for a message.
type echoMessage struct {
	Payload []byte `protobuf:"bytes,1,opt,name=payload,proto3"`
	Text    string `protobuf:"bytes,2,opt,name=text,proto3"`
	Number  uint64 `protobuf:"varint,3,opt,name=number,proto3"`
}

var info proto.InternalMessageInfo

func (m *echoMessage) Reset()                     { *m = echoMessage{} }
func (m *echoMessage) String() string             { return proto.CompactTextString(m) }
func (*echoMessage) ProtoMessage()                {}
func (m *echoMessage) XXX_Size() int              { return info.Size(m) }
func (m *echoMessage) XXX_Unmarshal(b []byte) error { return info.Unmarshal(m, b) }
func (m *echoMessage) XXX_Marshal(b []byte, deterministic bool) ([]byte, error) {
	return info.Marshal(b, m, deterministic)
}

func fail(what interface{}) {
	fmt.Fprintln(os.Stderr, "ttrpc_echo:", what)
	os.Exit(1)
}

func serve(port string, words []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fail(err)
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		fail(err)
	}
	register(server, words)
	fail(server.Serve(context.Background(), listener))
}

// User and system time of all threads that a process has or had, in nanoseconds.
func cpuNanoseconds(pid int) int64 {
	if pid <= 0 {
		return 0
	}
	var time syscall.Timespec
	clock := uintptr(^uint32(pid)<<3 | 2)
	_, _, failed := syscall.Syscall(
		syscall.SYS_CLOCK_GETTIME, uintptr(int32(clock)), uintptr(unsafe.Pointer(&time)), 0)
	if failed != 0 {
		return 0
	}
	return time.Nano()
}

// Latencies in 64 steps to each power of two, as measure.h counts them.
type histogram struct {
	count   uint64
	buckets [64 * 64]uint64
}

func (h *histogram) add(nanoseconds uint64) {
	index := nanoseconds / 2
	if nanoseconds >= 128 {
		shift := uint64(63 - bits.LeadingZeros64(nanoseconds) - 6)
		index = shift*64 + (nanoseconds>>shift - 64)
	}
	atomic.AddUint64(&h.buckets[index], 1)
	atomic.AddUint64(&h.count, 1)
}

func (h *histogram) quantile(q float64) uint64 {
	wanted, seen := uint64(q*float64(h.count)), uint64(0)
	for index := uint64(0); index < uint64(len(h.buckets)); index++ {
		seen += h.buckets[index]
		if seen > wanted {
			if index < 64 {
				return index * 2
			}
			return (64 + index%64) << (index / 64)
		}
	}
	return 0
}

type options struct {
	address                   string
	connections, depth, pid   int
	timeoutMilliseconds       int
	seconds, warmup           float64
}

func parse(words []string) options {
	o := options{connections: 1, depth: 1, timeoutMilliseconds: 1000, seconds: 2, warmup: 0.5}
	number := func(text string) int {
		value, err := strconv.Atoi(text)
		if err != nil {
			fail(err)
		}
		return value
	}
	span := func(text string) float64 {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			fail(err)
		}
		return value
	}
	for ; len(words) >= 2; words = words[2:] {
		switch name, value := words[0], words[1]; name {
		case "--connect":
			o.address = value
		case "--connections":
			o.connections = number(value)
		case "--depth":
			o.depth = number(value)
		case "--pid":
			o.pid = number(value)
		case "--timeout-ms":
			o.timeoutMilliseconds = number(value)
		case "--seconds":
			o.seconds = span(value)
		case "--warmup":
			o.warmup = span(value)
		default:
			fail("unknown option " + name)
		}
	}
	return o
}

func load(o options) {
	var latencies histogram
	var errors uint64
	var isOpen int32
	call := func(client *ttrpc.Client) {
		reply := loaded.newReply()
		ctx, cancel := context.WithTimeout(
			context.Background(), time.Duration(o.timeoutMilliseconds)*time.Millisecond)
		defer cancel()
		began := time.Now()
		err := client.Call(ctx, loaded.service, loaded.method, loaded.request, reply)
		if atomic.LoadInt32(&isOpen) == 0 {
			return
		}
		if err != nil {
			atomic.AddUint64(&errors, 1)
			return
		}
		latencies.add(uint64(time.Since(began)))
	}
	for i := 0; i < o.connections; i++ {
		connection, err := net.Dial("tcp", o.address)
		if err != nil {
			fail(err)
		}
		client := ttrpc.NewClient(connection)
		for j := 0; j < o.depth; j++ {
			go func() {
				for {
					call(client)
				}
			}()
		}
	}
	time.Sleep(time.Duration(o.warmup * float64(time.Second)))
	began, before := time.Now(), cpuNanoseconds(o.pid)
	atomic.StoreInt32(&isOpen, 1)
	time.Sleep(time.Duration(o.seconds * float64(time.Second)))
	atomic.StoreInt32(&isOpen, 0)
	cpu := cpuNanoseconds(o.pid) - before
	_ = json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"calls": latencies.count, "errors": errors, "seconds": time.Since(began).Seconds(),
		"p50Nanoseconds": latencies.quantile(0.5), "p99Nanoseconds": latencies.quantile(0.99),
		"p999Nanoseconds": latencies.quantile(0.999), "serverCPUNanoseconds": cpu,
	})
}

func main() {
	if len(os.Args) >= 3 && os.Args[1] == "serve" {
		serve(os.Args[2], os.Args[3:])
	}
	if len(os.Args) > 1 && os.Args[1] == "load" {
		load(parse(os.Args[2:]))
		return
	}
	fmt.Fprintln(os.Stderr, "usage: ttrpc_echo serve PORT | ttrpc_echo load …")
	os.Exit(64)
}
