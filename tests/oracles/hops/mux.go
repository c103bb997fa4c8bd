// A ServeMux whose rules answer with the segments that it compares. Argument: the address to listen at.
package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// matched returns the decoded segments of the path; a "/" inside one is written "%2F".
func matched(r *http.Request) string {
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, segment := range segments {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segments[i] = strings.ReplaceAll(decoded, "/", "%2F")
		}
	}
	return strings.Join(segments, "/")
}

func says(letter string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, letter+matched(r)) }
}

func main() {
	log.SetOutput(io.Discard)
	mux := http.NewServeMux()
	mux.HandleFunc("/admin", says("A"))
	mux.HandleFunc("/admin/", says("A"))
	mux.HandleFunc("/", says("O"))
	http.ListenAndServe(os.Args[1], mux)
}
