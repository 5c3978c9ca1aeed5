#!/usr/bin/env bash
# ureq sends JSON over several lines.
#
# Expected: `send_json` sends the text of serde_json::to_string.
# Instead: it sends that of serde_json::to_string_pretty: a line and blanks for each field.
# Versions: ureq 3.5.2 (the newest). Date: 2026-11-27.
# Hurts: a sender that signs serde_json::to_string(&event) and sends `send_json(&event)`: 401.
# In our code: docs/sending-events.md, "Sign what is sent".
# Usage: findings/ureq-pretty-json.sh [version of ureq]
set -euo pipefail
command -v cargo >/dev/null || { echo 'cargo is missing'; exit 3; }
version=${1:-3.5.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<EOF
[package]
name = "look"
version = "0.1.0"
edition = "2021"
[dependencies]
ureq = { version = "=$version", default-features = false, features = ["json"] }
serde_json = "1"
EOF
cat >src/main.rs <<'EOF'
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        String::from_utf8(body).unwrap()
    });
    let event = serde_json::json!({"action": "delete", "n": 1.0});
    ureq::post(&url).send_json(&event).unwrap();
    let body = server.join().unwrap();
    println!("{body}");
    assert_eq!(body, serde_json::to_string_pretty(&event).unwrap(), "JSON is sent on one line now");
}
EOF
cargo run --quiet
