#!/usr/bin/env bash
# The same secret is right in some libraries of Standard Webhooks and wrong in others: with a last newline, or without its padding.
#
# Expected: a `whsec_…` secret that one library takes is taken by all, as the specification has one form of it.
# Instead: a last newline, as `echo` and mounted secrets have it, works in Python and Go, and fails in Java. In JavaScript it works with
#   a key of 24 or 48 bytes, and fails with one of 32 ("Base64Coder: incorrect characters for decoding"), as do CR LF with any.
#   A secret without its last "=" fails in Go, and works in the others. Go also finds no headers in a map with small names.
# Versions: standardwebhooks 1.1.1 (npm), 1.1.0 (PyPI), libraries v0.0.1 (Go); com.svix:svix 1.99.1. Date: 2026-11-28.
# Hurts: teams with two receivers and one secret store: the message of the error names neither the secret nor the newline.
# In our code: packages/sdk/src/verify-webhook.ts trims the secret. docs/webhook-subscriptions.md has the rows.
set -euo pipefail
for program in node python3 go java mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts standardwebhooks@1.1.1
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0
cat >pom.xml <<'EOF'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies>
<dependency><groupId>com.svix</groupId><artifactId>svix</artifactId><version>1.99.1</version></dependency>
</dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib

cat >look.mjs <<'EOF'
import { Webhook } from 'standardwebhooks';
try {
  new Webhook(process.env.SECRET);
  console.log('right');
} catch (error) {
  console.log(error.message);
}
EOF
cat >look.py <<'EOF'
import os
from standardwebhooks import Webhook
try:
    Webhook(os.environ["SECRET"])
    print("right")
except ValueError as error:
    print(error)
EOF
cat >Look.java <<'EOF'
class Look {
  public static void main(String[] args) throws Exception {
    try {
      new com.svix.Webhook(System.getenv("SECRET"));
      System.out.println("right");
    } catch (IllegalArgumentException error) {
      System.out.println(error.getMessage());
    }
  }
}
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SECRET"))
	if err != nil {
		fmt.Println(err)
		return
	}
	now, body := time.Now(), []byte("{}")
	signature, _ := webhook.Sign("msg_1", now, body)
	seconds := strconv.FormatInt(now.Unix(), 10)
	small := http.Header{"webhook-id": {"msg_1"}, "webhook-timestamp": {seconds}, "webhook-signature": {signature}}
	fmt.Println("right; small letters:", webhook.Verify(body, small))
}
EOF
go mod init findings 2>/dev/null
go get github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1 2>/dev/null
go build -o look-go .

key=$(printf 'k%.0s' {1..32} | base64)
longer=$(printf 'k%.0s' {1..48} | base64)
for form in plain newline longer unpadded; do
  case $form in
    plain) export SECRET="whsec_$key" ;;
    newline) export SECRET="whsec_$key"$'\n' ;;
    longer) export SECRET="whsec_$longer"$'\n' ;;
    unpadded) export SECRET="whsec_${key%=}" ;;
  esac
  printf '%s\tJavaScript: %s\n' "$form" "$(node look.mjs)"
  printf '%s\tPython: %s\n' "$form" "$(venv/bin/python look.py)"
  printf '%s\tJava: %s\n' "$form" "$(java -cp 'lib/*' Look.java 2>/dev/null)"
  printf '%s\tGo: %s\n' "$form" "$(./look-go)"
done | tee seen.txt
right() { grep "^$1" seen.txt | grep -c ': right' || true; }
if [ "$(right plain) $(right newline) $(right longer) $(right unpadded)" != '4 2 3 3' ] ||
  ! grep -q '^newline.JavaScript: Base64Coder' seen.txt || ! grep -q '^unpadded.Go: unable to create webhook' seen.txt ||
  ! grep -q 'small letters: .*missing required headers' seen.txt; then
  echo 'the behaviour has changed'
  exit 1
fi
