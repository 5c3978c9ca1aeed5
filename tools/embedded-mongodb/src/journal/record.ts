import { crc32 } from 'node:zlib';
import { deserialize, serialize } from 'bson';
import type { Fields } from '../bson/types.ts';

/** A change of a collection. Applying it twice has the effect of once. */
export type Change =
  | { readonly kind: 'put'; readonly namespace: string; readonly bytes: Buffer }
  | { readonly kind: 'remove'; readonly namespace: string; readonly id: unknown }
  | { readonly kind: 'created' | 'dropped'; readonly namespace: string }
  | { readonly kind: 'indexed'; readonly namespace: string; readonly specification: Fields }
  | { readonly kind: 'unindexed'; readonly namespace: string; readonly name: string };

/*
 * A record: u32 length of the payload, u32 CRC-32 of the payload, payload.
 * A payload: u8 kind, u8 length of the namespace, namespace (UTF-8), one BSON document. Little-endian.
 */
/** `flushed` is of earlier versions, and skipped. */
const KINDS = ['put', 'remove', 'created', 'dropped', 'indexed', 'unindexed', 'flushed'] as const;
export const RECORD_HEAD = 8;
const SMALLEST_PAYLOAD = 2 + 3 + 5;
/** A document of 16 MiB, its namespace, and room to spare. Bytes. */
const LARGEST_PAYLOAD = 17 * 1024 * 1024;

export function encodeRecord(change: Change): Buffer {
  const document = documentOf(change);
  const { namespace } = change;
  const nameLength = Buffer.byteLength(namespace);
  const record = Buffer.allocUnsafe(RECORD_HEAD + 2 + nameLength + document.length);
  record.writeUInt32LE(record.length - RECORD_HEAD, 0);
  record[RECORD_HEAD] = KINDS.indexOf(change.kind) + 1;
  record[RECORD_HEAD + 1] = nameLength;
  record.write(namespace, RECORD_HEAD + 2);
  record.set(document, RECORD_HEAD + 2 + nameLength);
  record.writeUInt32LE(crc32(record.subarray(RECORD_HEAD)), 4);
  return record;
}

function documentOf(change: Change): Uint8Array {
  switch (change.kind) {
    case 'put':
      return change.bytes;
    case 'remove':
      return serialize({ _id: change.id });
    case 'indexed':
      return serialize(change.specification);
    case 'unindexed':
      return serialize({ name: change.name });
    case 'created':
    case 'dropped':
      return serialize({});
  }
}

/** Parses a payload with a correct CRC. A document is a view of the payload: copy it before keeping it. */
export function decodePayload(payload: Buffer): Change | undefined {
  const kind = KINDS[(payload[0] ?? 0) - 1];
  const nameEnd = 2 + (payload[1] ?? 0);
  const namespace = payload.toString('utf8', 2, nameEnd);
  const document = payload.subarray(nameEnd);
  switch (kind) {
    case 'put':
      return { kind, namespace, bytes: document };
    case 'remove':
      return { kind, namespace, id: deserialize(document)._id };
    case 'indexed':
      return {
        kind,
        namespace,
        specification: deserialize(document, { promoteValues: false, bsonRegExp: true }),
      };
    case 'unindexed':
      return { kind, namespace, name: String(deserialize(document).name) };
    case 'created':
    case 'dropped':
      return { kind, namespace };
    case 'flushed':
      return undefined;
    default:
      throw new Error(`a record of unknown kind ${payload[0]}: the journal was written by a later version`);
  }
}

/** Whether these bytes look like a record's kind. This check is cheaper than the CRC. */
export function isKind(byte: number): boolean {
  return byte >= 1 && byte <= KINDS.length;
}

/** Size of the payload after this head, or null if these bytes cannot be the head of a record. */
export function payloadLength(bytes: Buffer, at: number): number | null {
  const length = bytes.readUInt32LE(at);
  return length < SMALLEST_PAYLOAD || length > LARGEST_PAYLOAD ? null : length;
}

/** True if the record at this offset is intact. It must end within the bytes. */
export function isIntact(bytes: Buffer, at: number, length: number): boolean {
  return bytes.readUInt32LE(at + 4) === crc32(bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length));
}
