// What Go's net/url sees in texts ("go"), the address that net/http's client dials ("go>"), and what it would send
// ("go-sent"). The path is Path, which is decoded; "opaque:" and Opaque if that is set.
//
// go run go.go < TEXTS    one JSON string a line; prints as libraries.py does
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

func bad(e error) []interface{} {
	var ue *url.Error
	m := e.Error()
	if errors.As(e, &ue) {
		m = ue.Err.Error()
	}
	if k := strings.IndexAny(m, "\"'"); k > 0 {
		m = m[:k]
	}
	if len(m) > 50 {
		m = m[:50]
	}
	return []interface{}{"!", "error", strings.ToValidUTF8(m, "?")}
}

// dump is JSON with octets that are not UTF-8 as "\udcXX", as Python's surrogateescape has them.
func dump(v interface{}) string {
	switch x := v.(type) {
	case string:
		b := strings.Builder{}
		b.WriteByte('"')
		for len(x) > 0 {
			r, n := utf8.DecodeRuneInString(x)
			switch {
			case r == utf8.RuneError && n == 1:
				fmt.Fprintf(&b, "\\udc%02x", x[0])
			case r < 0x20 || r == '"' || r == '\\' || r == 0x7f:
				fmt.Fprintf(&b, "\\u%04x", r)
			default:
				b.WriteString(x[:n])
			}
			x = x[n:]
		}
		b.WriteByte('"')
		return b.String()
	case []interface{}:
		p := []string{}
		for _, y := range x {
			p = append(p, dump(y))
		}
		return "[" + strings.Join(p, ",") + "]"
	case map[string]interface{}:
		p := []string{}
		for k, y := range x {
			p = append(p, dump(k)+":"+dump(y))
		}
		return "{" + strings.Join(p, ",") + "}"
	}
	return "null"
}

func main() {
	s := bufio.NewScanner(os.Stdin)
	s.Buffer(make([]byte, 1<<20), 1<<24)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	dialed := ""
	tr := &http.Transport{DisableKeepAlives: true, Proxy: nil, DialContext: func(c context.Context, n, a string) (net.Conn, error) { dialed = a; return nil, errors.New("stop") }}
	cl := &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for s.Scan() {
		var t string
		json.Unmarshal(s.Bytes(), &t)
		r := map[string]interface{}{}
		u, e := url.Parse(t)
		if e != nil {
			r["go"] = bad(e)
		} else {
			var ui, port, q, f interface{}
			if u.User != nil {
				x := u.User.Username()
				if p, ok := u.User.Password(); ok {
					x += ":" + p
				}
				ui = x
			}
			if u.Port() != "" {
				port = u.Port()
			}
			if u.RawQuery != "" || u.ForceQuery {
				q = u.RawQuery
			}
			if u.Fragment != "" {
				f = u.Fragment
			}
			p := u.Path
			if u.Opaque != "" {
				p = "opaque:" + u.Opaque
			}
			r["go"] = []interface{}{u.Scheme, ui, u.Hostname(), port, p, q, f}
			r["go-sent"] = []interface{}{u.RequestURI(), u.Host, u.String()}
		}
		dialed = ""
		resp, e := cl.Get(t)
		if e == nil {
			resp.Body.Close()
		}
		if dialed == "" {
			r["go>"] = bad(e)
		} else {
			h, p, e := net.SplitHostPort(dialed)
			if e != nil {
				h = dialed
			}
			r["go>"] = []interface{}{nil, nil, h, p, nil, nil, nil}
		}
		fmt.Fprintln(w, dump(r))
	}
	fmt.Fprintf(os.Stderr, "{\"go\": %q, \"go>\": %q}\n", runtime.Version(), runtime.Version())
}
