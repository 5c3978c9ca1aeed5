import { serialize } from 'bson';

/** Bytes of an encoded document that go into another document unchanged. */
export class RawDocument {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Encoded documents that go into another document as an array. */
export class RawArray {
  readonly documents: readonly Uint8Array[];
  constructor(documents: readonly Uint8Array[]) {
    this.documents = documents;
  }
}

/** The fields of a document to be encoded; a value may be raw, and a RawFields is a document with raw values inside. */
export type RawFields = ReadonlyArray<readonly [name: string, value: unknown]>;

const EMBEDDED_DOCUMENT = 3;
const ARRAY = 4;
const END = Buffer.of(0);

/** Encodes a document without decoding the raw parts in it (BSON specification, bsonspec.org). */
export function encodeDocument(fields: RawFields): Buffer {
  const parts: Uint8Array[] = [END];
  for (const [name, value] of fields) pushElement(parts, name, value);
  return finish(parts);
}

function pushElement(parts: Uint8Array[], name: string, value: unknown): void {
  if (value instanceof RawDocument) {
    parts.push(elementHead(EMBEDDED_DOCUMENT, name), value.bytes);
  } else if (value instanceof RawArray) {
    parts.push(elementHead(ARRAY, name), encodeArray(value.documents));
  } else {
    const encoded = serialize({ [name]: value });
    parts.push(encoded.subarray(4, encoded.length - 1));
  }
}

function encodeArray(documents: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [END];
  documents.forEach((document, index) => {
    parts.push(elementHead(EMBEDDED_DOCUMENT, String(index)), document);
  });
  return finish(parts);
}

function elementHead(type: number, name: string): Buffer {
  const head = Buffer.allocUnsafe(Buffer.byteLength(name) + 2);
  head[0] = type;
  head.write(name, 1);
  head[head.length - 1] = 0;
  return head;
}

/** Joins the elements after their total length. The first part is a placeholder for the length. */
function finish(parts: Uint8Array[]): Buffer {
  const length = Buffer.allocUnsafe(4);
  parts[0] = length;
  parts.push(END);
  const document = Buffer.concat(parts);
  document.writeInt32LE(document.length, 0);
  return document;
}
