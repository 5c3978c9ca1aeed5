import type { Socket } from 'node:net';
import { HEADER_SIZE, type Message, OP_MSG } from '@sluice/embedded-mongodb/wire/message';
import { createMessageBuffer } from '@sluice/embedded-mongodb/wire/message-buffer';
import { msgReply, queryReply } from '@sluice/embedded-mongodb/wire/reply';
import { mongo } from 'mongoose';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const { BSON } = mongo;

/**
 * The fates of a write that is under way when its primary steps down (MongoDB specifications, "retryable writes"):
 * - `refused`: nothing took effect, and the response is an error
 * - `interrupted`: half of its operations took effect, and the response is an error
 * - `unheard`: all of it took effect, and the response is an error
 * - `unconfirmed`: all of it took effect; the response says that it may still be rolled back (`writeConcernError`)
 * - `cut`: all of it took effect, and the connection breaks inside the response
 */
const FATES = ['refused', 'interrupted', 'unheard', 'unconfirmed', 'cut'] as const;
export type Fate = (typeof FATES)[number];

/** A replica set of one member: a MongoDB that is sometimes not primary. */
export interface SteppingDown {
  readonly url: string;
  /** How many commands had which fate so far. `not_primary` counts those that arrived while it was not primary. */
  readonly fates: ReadonlyMap<Fate | 'not_primary', number>;
  /**
   * Makes it not primary. It announces that in its `hello` responses, or only in its errors if `silently`. Resolves
   * once `writes` writes have met their fate.
   */
  stepDown(settings: { readonly silently: boolean; readonly writes: number }): Promise<void>;
  stepUp(): void;
  close(): Promise<void>;
}

/** Codes and names are MongoDB's. All carry the retryable label except the write concern timeout. */
const NOT_PRIMARY = [
  [10107, 'NotWritablePrimary'],
  [13436, 'NotPrimaryOrSecondary'],
  [91, 'ShutdownInProgress'],
] as const;
const INTERRUPTED = [
  [11602, 'InterruptedDueToReplStateChange'],
  [189, 'PrimarySteppedDown'],
  [11600, 'InterruptedAtShutdown'],
] as const;
const UNCONFIRMED = [
  [189, 'PrimarySteppedDown'],
  [91, 'ShutdownInProgress'],
  [64, 'WriteConcernFailed'],
] as const;
type Code = readonly [code: number, codeName: string];
const NOT_RETRYABLE = 64;
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

type Command = Extract<Message, { kind: 'msg' }>;
type Fields = Record<string, unknown>;

/**
 * A proxy that makes a single MongoDB look like a replica set that can lose its primary. Unlike a replica set it
 * forgets which writes it has done: a retried write is done again.
 */
export async function startSteppingDown(target: string): Promise<SteppingDown> {
  const fates = new Map<Fate | 'not_primary', number>();
  let state: 'primary' | 'stepping_down' | 'secondary' = 'primary';
  let silent = false;
  let writesLeft = 0;
  let turn = 0;
  let steppedDown = () => {};

  const count = (fate: Fate | 'not_primary') => {
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
    return fates.get(fate) as number;
  };

  function hello(): Fields {
    const primary = state !== 'secondary' || silent;
    return {
      helloOk: true,
      isWritablePrimary: primary,
      ismaster: primary,
      secondary: !primary,
      setName: 'stepping-down',
      setVersion: 1,
      hosts: [host],
      me: host,
      ...(primary ? { primary: host } : {}),
      logicalSessionTimeoutMinutes: 30,
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      minWireVersion: 0,
      maxWireVersion: 21,
      ok: 1,
    };
  }

  /** The fate of the next write; undefined if it is forwarded unchanged. */
  function fateOf(name: string): Fate | 'not_primary' | undefined {
    if (state === 'secondary') return 'not_primary';
    if (state === 'primary' || !WRITES.has(name)) return undefined;
    const fate = FATES[turn++ % FATES.length] as Fate;
    writesLeft -= 1;
    if (writesLeft === 0) {
      state = 'secondary';
      steppedDown();
    }
    return fate;
  }

  function serve(client: Socket, upstream: Socket): void {
    const incoming = createMessageBuffer();
    const answers = createAnswers(upstream);
    let chain = Promise.resolve();
    client.on('data', (chunk: Buffer) => {
      incoming.push(chunk);
      for (let message = incoming.next(); message !== null; message = incoming.next()) {
        const one = message;
        chain = chain.then(() => answer(one)).catch(() => void client.destroy());
      }
    });

    async function answer(message: Message): Promise<void> {
      if (message.kind === 'broken') throw new Error(message.reason);
      if (message.kind === 'query') {
        client.write(queryReply(message.requestId, BSON.serialize(hello())));
        return;
      }
      const body = BSON.deserialize(message.body, { promoteValues: false });
      const name = Object.keys(body)[0] as string;
      const reply = (fields: Fields) => client.write(msgReply(message.requestId, BSON.serialize(fields)));
      if (/^(hello|ismaster)$/i.test(name)) return void reply(hello());
      const fate = fateOf(name);
      const times = fate === undefined ? 0 : count(fate);
      const refusal = (codes: readonly Code[]) => refusalOf(codes[times % codes.length] as Code, body);
      if (fate === 'not_primary') return void reply(refusal(NOT_PRIMARY));
      if (fate === 'refused') return void reply(refusal(INTERRUPTED));
      // Transaction numbers are for replica sets, and the MongoDB behind this proxy is standalone.
      const { txnNumber: _, ...known } = body;
      upstream.write(messageOf(message, known, fate === 'interrupted'));
      const done = await answers.next();
      if (fate === undefined) client.write(msgReply(message.requestId, done));
      else if (fate === 'interrupted' || fate === 'unheard') reply(refusal(INTERRUPTED));
      else if (fate === 'unconfirmed') {
        const [code, codeName] = UNCONFIRMED[times % UNCONFIRMED.length] as Code;
        const said = BSON.deserialize(done, { promoteValues: false });
        const writeConcernError = { code, codeName, errmsg: codeName };
        reply({ ...said, writeConcernError, ...labels(code, body) });
      } else {
        const whole = msgReply(message.requestId, done);
        client.end(whole.subarray(0, whole.length / 2));
      }
    }
  }

  const { host, close } = await startTcpProxy({ target: () => new URL(target), carry: serve });
  return {
    url: `mongodb://${host}`,
    fates,
    stepDown({ silently, writes }) {
      state = 'stepping_down';
      silent = silently;
      writesLeft = writes;
      return new Promise((resolve) => {
        steppedDown = resolve;
      });
    },
    stepUp() {
      state = 'primary';
    },
    close,
  };
}

function refusalOf([code, codeName]: Code, body: Fields): Fields {
  return { ok: 0, errmsg: codeName, code, codeName, ...labels(code, body) };
}

/** A server labels an error as retryable only if the write has a transaction number that identifies its retry. */
function labels(code: number, body: Fields): Fields {
  return body.txnNumber === undefined || code === NOT_RETRYABLE
    ? {}
    : { errorLabels: ['RetryableWriteError'] };
}

/** The command as bytes, with this body, and with all or half of its operations. */
function messageOf({ requestId, sequences }: Command, body: Fields, half: boolean): Buffer {
  const sections = [Buffer.concat([Buffer.of(0), BSON.serialize(body)])];
  for (const [field, documents] of sequences) {
    const kept = half ? documents.slice(0, Math.floor(documents.length / 2) || 1) : documents;
    const content = Buffer.concat([Buffer.from(`${field}\0`), ...kept]);
    const head = Buffer.alloc(5);
    head.writeInt8(1, 0);
    head.writeInt32LE(content.length + 4, 1);
    sections.push(head, content);
  }
  const head = Buffer.alloc(HEADER_SIZE + 4);
  const message = Buffer.concat([head, ...sections]);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(OP_MSG, 12);
  return message;
}

/** The documents that a server responds with, one after the other. */
function createAnswers(upstream: Socket): { next(): Promise<Buffer> } {
  let received = Buffer.alloc(0);
  let wake = () => {};
  upstream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  upstream.on('close', () => wake());
  const whole = () => received.length >= 4 && received.length >= received.readInt32LE(0);
  return {
    async next() {
      while (!whole()) {
        if (upstream.destroyed) throw new Error('the connection broke');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const size = received.readInt32LE(0);
      // The header, the flags, and the kind of the only section.
      const document = received.subarray(HEADER_SIZE + 5, size);
      received = received.subarray(size);
      return document;
    },
  };
}
