// Verifies one message a line of standard input, and prints "verified" or "rejected" for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type message struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one message
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		webhook, err := standardwebhooks.NewWebhook(one.Secret)
		if err != nil {
			panic(err)
		}
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		if webhook.Verify([]byte(one.Body), headers) == nil {
			fmt.Println("verified")
		} else {
			fmt.Println("rejected")
		}
	}
}
