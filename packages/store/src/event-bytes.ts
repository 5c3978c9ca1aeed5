import { mongo } from 'mongoose';
import type { EventDocument } from './event-document.ts';

type Fields = Record<string, unknown>;

/** What is read from the bytes; a field that is not there stays undefined. */
interface Shape {
  /** All fields at once, so that V8 keeps a place for each: an object of as many that come one by one becomes a hash table. */
  readonly blank: () => Fields;
  readonly names: readonly { readonly name: string; readonly encoded: Buffer }[];
}

/** In the order in which they are written, see event-conversion.ts: the next one is nearly always the one looked for. */
const EVENT = shapeOf(() => ({
  _id: undefined,
  schema_version: undefined,
  source_id: undefined,
  account_id: undefined,
  title: undefined,
  starts_at: undefined,
  location: undefined,
  status: undefined,
  exists: undefined,
  state: undefined,
  revision: undefined,
  outcomes: undefined,
  recent: undefined,
  created_at: undefined,
  updated_at: undefined,
  ends_at: undefined,
  description: undefined,
  url: undefined,
  price: undefined,
  recurring: undefined,
  origin: undefined,
  expires_at: undefined,
}));
const STATE = shapeOf(() => ({
  content: undefined,
  status: undefined,
  deleted: undefined,
  created: undefined,
}));

function shapeOf(blank: () => Fields): Shape {
  return { blank, names: Object.keys(blank()).map((name) => ({ name, encoded: Buffer.from(`${name}\0`) })) };
}

/** As connection.ts has the driver do it. */
const UNCHECKED: mongo.BSON.DeserializeOptions = { validation: { utf8: false } };

/** A document as it came from the server, at less than half of what the driver takes for one of so many fields. */
export function documentFromBytes(bytes: Buffer): EventDocument {
  return (readFields(bytes, EVENT) ?? mongo.BSON.deserialize(bytes, UNCHECKED)) as unknown as EventDocument;
}

/** Before the first element of a document stands its size, after the last one a zero (bsonspec.org). */
const FIRST_ELEMENT = 4;
const EMPTY_ARRAY_BYTES = 5;

/** null where there is what most events do not have: what an import remembers, a list of outcomes, a field that is not known. */
function readFields(bytes: Buffer, shape: Shape): Fields | null {
  const fields = shape.blank();
  const end = bytes.length - 1;
  let next = 0;
  for (let at = FIRST_ELEMENT; at < end; ) {
    const place = placeOf(bytes, at + 1, shape, next);
    const field = shape.names[place];
    if (field === undefined) return null;
    next = place + 1;
    const value = at + 1 + field.encoded.length;
    switch (bytes[at]) {
      case 1: // double
        fields[field.name] = bytes.readDoubleLE(value);
        at = value + 8;
        break;
      case 2: // string: its bytes with a zero behind them
        at = value + 4 + bytes.readInt32LE(value);
        fields[field.name] = bytes.toString('utf8', value + 4, at - 1);
        break;
      case 3: {
        // document
        at = value + bytes.readInt32LE(value);
        if (field.name !== 'state') return null;
        const state = readFields(bytes.subarray(value, at), STATE);
        if (state === null) return null;
        fields[field.name] = state;
        break;
      }
      case 4: // array
        if (bytes.readInt32LE(value) !== EMPTY_ARRAY_BYTES) return null;
        fields[field.name] = [];
        at = value + EMPTY_ARRAY_BYTES;
        break;
      case 8: // boolean
        fields[field.name] = bytes[value] === 1;
        at = value + 1;
        break;
      case 9: // milliseconds since the Unix epoch
        fields[field.name] = new Date(bytes.readInt32LE(value + 4) * 2 ** 32 + bytes.readUInt32LE(value));
        at = value + 8;
        break;
      case 10: // null
        fields[field.name] = null;
        at = value;
        break;
      case 16: // 32-bit integer
        fields[field.name] = bytes.readInt32LE(value);
        at = value + 4;
        break;
      default:
        return null;
    }
  }
  return fields;
}

/** Which of the names stands there, looked for from `next` on and then from the first; -1: none. */
function placeOf(bytes: Buffer, at: number, { names }: Shape, next: number): number {
  for (let i = next; i < names.length; i++) if (stands(names[i]?.encoded as Buffer, bytes, at)) return i;
  for (let i = 0; i < next; i++) if (stands(names[i]?.encoded as Buffer, bytes, at)) return i;
  return -1;
}

function stands(name: Buffer, bytes: Buffer, at: number): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}
