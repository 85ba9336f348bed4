// Verifies a person's evidence file with golang.org/x/mod/sumdb: the notes with the given key, each
// event with its inclusion proof, and each seal with the consistency proof from the previous seal.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type line struct {
	Entry       string   `json:"entry"`
	Proof       string   `json:"proof"`
	Checkpoint  string   `json:"checkpoint"`
	Consistency []string `json:"consistency"`
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func hashes(texts []string) (found []tlog.Hash) {
	for _, text := range texts {
		bytes, err := base64.StdEncoding.DecodeString(text)
		check(err)
		found = append(found, tlog.Hash(bytes))
	}
	return found
}

func open(text string, keys note.Verifiers) tlog.Tree {
	opened, err := note.Open([]byte(text), keys)
	check(err)
	parts := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(parts[1], 10, 64)
	check(err)
	return tlog.Tree{N: size, Hash: hashes(parts[2:3])[0]}
}

func main() {
	verifier, err := note.NewVerifier(os.Args[1])
	check(err)
	keys := note.VerifierList(verifier)
	file, err := os.Open(os.Args[2])
	check(err)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	var inclusions, consistencies int
	var previous tlog.Tree
	for lines.Scan() {
		var row line
		check(json.Unmarshal(lines.Bytes(), &row))
		if row.Proof != "" {
			head, checkpoint, _ := strings.Cut(row.Proof, "\n\n")
			parts := strings.Split(head, "\n")
			index, err := strconv.ParseInt(strings.TrimPrefix(parts[1], "index "), 10, 64)
			check(err)
			tree := open(checkpoint, keys)
			check(tlog.CheckRecord(hashes(parts[2:]), tree.N, tree.Hash, index, tlog.RecordHash([]byte(row.Entry))))
			inclusions++
		}
		if row.Checkpoint != "" {
			tree := open(row.Checkpoint, keys)
			if previous.N > 0 {
				check(tlog.CheckTree(hashes(row.Consistency), tree.N, tree.Hash, previous.N, previous.Hash))
				consistencies++
			}
			previous = tree
		}
	}
	check(lines.Err())
	fmt.Printf("%d inclusion proofs, %d consistency proofs: ok\n", inclusions, consistencies)
}
