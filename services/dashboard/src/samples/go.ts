import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const go: Sample = {
  id: 'go',
  label: 'Go',
  file: 'send.go',
  run: 'go run send.go',
  code: ({ endpointUrl, secret, body }) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
${secret === null ? '\t"os"\n' : ''}	"strconv"
	"strings"
	"time"
)

func main() {
	secret := ${secret === null ? `os.Getenv("${SECRET_VARIABLE}")` : `"${secret}"`}
	body := \`${body}\`
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + body))
	signature := hex.EncodeToString(mac.Sum(nil))

	request, err := http.NewRequest("POST", "${endpointUrl}", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Service-Timestamp", timestamp)
	request.Header.Set("X-Service-Signature", "sha256="+signature)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(text))
}
`,
};
