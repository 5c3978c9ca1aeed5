/** Op codes of the MongoDB wire protocol (MongoDB specifications, "OP_MSG"; the others are obsolete). */
export const OP_REPLY = 1;
export const OP_QUERY = 2004;
export const OP_MSG = 2013;

export const HEADER_SIZE = 16;
/** The largest accepted message. hello reports it to clients. Bytes. */
export const MAX_MESSAGE_SIZE = 48_000_000;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** A server must understand bits 0 to 15 and may ignore the others. */
const REQUIRED_BITS = 0xffff;
const SMALLEST_DOCUMENT = 5;

/** A message from a client. */
export type Message =
  | {
      readonly kind: 'msg';
      readonly requestId: number;
      readonly body: Buffer;
      /** Document sequences (sections of kind 1) by the name of the field that they stand for. */
      readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
      /** The client reads no reply (an unacknowledged write). */
      readonly moreToCome: boolean;
    }
  | { readonly kind: 'query'; readonly requestId: number; readonly namespace: string; readonly body: Buffer }
  /** An invalid message, after which the connection must close. */
  | { readonly kind: 'broken'; readonly reason: string };

/** Parses one complete message with its header. Never throws for any bytes. */
export function parseMessage(message: Buffer): Message {
  const requestId = message.readInt32LE(4);
  const code = message.readInt32LE(12);
  const content = message.subarray(HEADER_SIZE);
  if (code === OP_MSG) return parseMsg(requestId, content);
  if (code === OP_QUERY) return parseQueryMessage(requestId, content);
  return broken(`op code ${code} is not supported`);
}

function parseMsg(requestId: number, content: Buffer): Message {
  if (content.length < 4) return broken('the message has no flags');
  const flags = content.readUInt32LE(0);
  if (flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME))
    return broken(`unknown required flag bits in ${flags}`);
  const end = content.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Buffer | undefined;
  const sequences = new Map<string, Buffer[]>();
  for (let at = 4; at < end; ) {
    const kind = content[at];
    const size = sizeAt(content, at + 1, end);
    if (size === null) return broken('a section does not fit into its message');
    const section = content.subarray(at + 1, at + 1 + size);
    if (kind === 0 && !body) body = section;
    else if (kind !== 1 || !addSequence(section, sequences))
      return broken(`a section of kind ${kind} is wrong or comes twice`);
    at += 1 + size;
  }
  if (!body) return broken('the message has no body');
  return { kind: 'msg', requestId, body, sequences, moreToCome: (flags & MORE_TO_COME) !== 0 };
}

/** Parses a section of kind 1: size, name, documents. False if it is malformed. */
function addSequence(section: Buffer, sequences: Map<string, Buffer[]>): boolean {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) return false;
  const name = section.toString('utf8', 4, nameEnd);
  if (sequences.has(name)) return false;
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = sizeAt(section, at, section.length);
    if (size === null) return false;
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  sequences.set(name, documents);
  return true;
}

/** Parses an OP_QUERY: flags, namespace, two numbers, the query. Old and new drivers send their first hello with it. */
function parseQueryMessage(requestId: number, content: Buffer): Message {
  const nameEnd = content.indexOf(0, 4);
  if (content.length < 4 || nameEnd < 0) return broken('the query has no namespace');
  const start = nameEnd + 9;
  const size = sizeAt(content, start, content.length);
  if (size === null) return broken('the query does not fit into its message');
  return {
    kind: 'query',
    requestId,
    namespace: content.toString('utf8', 4, nameEnd),
    body: content.subarray(start, start + size),
  };
}

/** The declared size of a document or section, or null if it exceeds the rest of the message. */
function sizeAt(bytes: Buffer, at: number, end: number): number | null {
  if (at + 4 > end) return null;
  const size = bytes.readInt32LE(at);
  return size < SMALLEST_DOCUMENT || at + size > end ? null : size;
}

function broken(reason: string): Message {
  return { kind: 'broken', reason };
}
