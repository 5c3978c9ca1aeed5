import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * HMAC-SHA256 (RFC 2104) with one key for very many short messages, as two one-shot hashes: `createHmac` takes twice as long,
 * most of it to look SHA-256 up and to set itself up (bench/speed-tried.md). Tests hold it against `createHmac` and
 * the vectors of RFC 4231. The key is in private fields, so that neither a log line nor an error can show it.
 */
export class HmacSha256 {
  /** A block of the key, as the inner hash begins with it. */
  readonly #inner: Buffer;
  /** The other block of the key, and room for the digest of the inner hash behind it. */
  readonly #outer: Buffer;

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(BLOCK_BYTES);
    block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key);
    this.#inner = block.map((byte) => byte ^ 0x36) as Buffer;
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  }

  /** Of a text (as UTF-8) and the bytes after it: 64 lower-case hex digits. */
  digest(text: string, bytes: Uint8Array): string {
    const start = BLOCK_BYTES + Buffer.byteLength(text);
    const message = Buffer.allocUnsafe(start + bytes.length);
    message.set(this.#inner);
    message.write(text, BLOCK_BYTES);
    message.set(bytes, start);
    this.#outer.write(hash('sha256', message, 'hex'), BLOCK_BYTES, 'hex');
    return hash('sha256', this.#outer, 'hex');
  }
}
