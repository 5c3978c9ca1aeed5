import { createHash } from 'node:crypto';
import { OUTBOUND_PARTS, type OutboundPart } from './outbound-parts.ts';

/** Another program for outbound messages. It runs already, with an endpoint for the receiver's URL. */
export interface Peer {
  readonly url: string;
  /** Further headers of a publish, such as its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a publish, with MESSAGE in place of the message. */
  readonly body: string;
  /** The port of the receiver that it delivers to. */
  readonly receiverPort: number;
  /** The header of a delivery with the id of its message, spelled as the peer sends it. */
  readonly idHeader: string;
  /** For each part a pattern of the command lines of its processes. Empty: their CPU time is not known. */
  readonly processes: Readonly<Partial<Record<OutboundPart, RegExp>>>;
}

/** The options of the bench for a peer, as text. */
export interface PeerOptions {
  readonly peer?: string | undefined;
  readonly 'peer-header': readonly string[];
  readonly 'peer-body': string;
  readonly 'peer-receiver-port': string;
  readonly 'peer-id-header': string;
  readonly 'peer-processes': readonly string[];
}

/** The message's place in the body of a publish. */
export const MESSAGE = 'MESSAGE';

/** Reads the options for a peer. Undefined without `--peer`. Throws if one is malformed. */
export function readPeer(options: PeerOptions): Peer | undefined {
  if (options.peer === undefined) return undefined;
  const body = options['peer-body'];
  if (body.split(MESSAGE).length !== 2)
    throw new Error(`--peer-body needs ${MESSAGE} once, as in {"data":MESSAGE}`);
  return {
    url: options.peer,
    headers: Object.fromEntries(options['peer-header'].map(readHeader)),
    body,
    receiverPort: Number(options['peer-receiver-port']),
    idHeader: options['peer-id-header'],
    processes: Object.fromEntries(options['peer-processes'].map(readProcesses)),
  };
}

/** Distinguishes the options in a journal. Only a hash of the headers is stored, because one may have a secret. */
export function peerForm({ url, headers, body, receiverPort, idHeader, processes }: Peer) {
  const hash = createHash('sha256').update(JSON.stringify(headers)).digest('base64url');
  const patterns = Object.entries(processes).map(([part, pattern]) => `${part}=${pattern?.source}`);
  return { url, headers: hash, body, receiverPort, idHeader, processes: patterns };
}

function readHeader(text: string): [string, string] {
  const [, name, value] = /^([^:]+):\s*(.+)$/s.exec(text) ?? [];
  // A header may have a secret, so the message does not repeat it.
  if (name === undefined || value === undefined) throw new Error('--peer-header is NAME: VALUE');
  return [name, value];
}

function readProcesses(text: string): [OutboundPart, RegExp] {
  const [, name, pattern] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const part = OUTBOUND_PARTS.find((one) => one === name);
  if (part === undefined || pattern === undefined)
    throw new Error(`--peer-processes is PART=PATTERN with one of ${OUTBOUND_PARTS.join(', ')}`);
  return [part, new RegExp(pattern)];
}
