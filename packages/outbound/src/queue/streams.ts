import { randomBytes } from 'node:crypto';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { APPEND, READ } from './streams.lua.ts';

/** A message for a connected program: the request that a receiver with a URL would get. */
export interface StreamMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A place in a stream. */
export interface StreamPlace {
  /** Redis's id of the entry. */
  readonly id: string;
  /** The number of the entry. It grows by 1. */
  readonly number: number;
  /** Ids grow within a series (streams.lua.ts). Empty: not known. */
  readonly series: string;
}

export const STREAM_START: StreamPlace = { id: '0-0', number: 0, series: '' };

const TEXT = /^(\d{1,15}-\d{1,15})\.(\d{1,15})(?:\.([0-9a-f]{0,16}-[0-9a-f]{8}))?$/;

/** A place as the id of a server-sent event. */
export function textOfPlace({ id, number, series }: StreamPlace): string {
  return series === '' ? `${id}.${number}` : `${id}.${number}.${series}`;
}

/** Reads what textOfPlace wrote. Any other text is the start of the stream. */
export function readPlace(text: string): StreamPlace {
  const [, id, number, series = ''] = TEXT.exec(text) ?? [];
  return id === undefined ? STREAM_START : { id, number: Number(number), series };
}

export type StreamRead =
  | {
      readonly status: 'open';
      readonly entries: readonly (StreamPlace & {
        readonly message: StreamMessage;
        /** Messages right before it that were dropped unread. */
        readonly missed: number;
      })[];
    }
  /** Nothing may be handed over any more: paused, deleted, expired, or its key is. */
  | { readonly status: 'stopped' }
  /** Redis has lost the subscription. Publish the account's subscriptions again. */
  | { readonly status: 'absent' };

/** Messages of subscriptions that a connected program reads in place of a URL. Rejects if Redis does not respond. */
export interface Streams {
  /**
   * Stores a message for the reader, unless nothing may be delivered to the subscription at this moment. `full`: Redis uses as much as
   * streams may (limits.ts).
   */
  append(
    accountId: string,
    subscriptionId: string,
    message: StreamMessage,
  ): Promise<'stored' | 'stopped' | 'full'>;
  /** The messages after a place, at most READ_AT_ONCE. */
  read(accountId: string, subscriptionId: string, after: StreamPlace): Promise<StreamRead>;
}

/** Unread messages of one subscription. */
const MOST_MESSAGES = 1000;
const MOST_BYTES = 4 * 1024 * 1024;
/** The sum over all streams of an account. */
const MOST_BYTES_OF_ACCOUNT = 8 * 1024 * 1024;
/** An unread stream is deleted after this time. The subscription has ended before. Milliseconds. */
const LIFETIME_MS = 120_000;
const READ_AT_ONCE = 50;

interface StreamCommands {
  sluiceStreamAppend(...keysAndArgs: (string | number)[]): Promise<string>;
  sluiceStreamRead(...keysAndArgs: (string | number)[]): Promise<[string, [string, string[]][]]>;
}

export function createStreams({ redis, shards }: { redis: Redis; shards: Shards }): Streams {
  const commands = withScripts<StreamCommands>(redis, {
    sluiceStreamAppend: { lua: APPEND, keys: 3 },
    sluiceStreamRead: { lua: READ, keys: 3 },
  });
  const keysOf = (accountId: string, subscriptionId: string) => {
    const keyspace = shards.of(accountId);
    return [
      ...[keyspace.mailbox(subscriptionId), keyspace.messageStream(subscriptionId)],
      keyspace.messageStreams(accountId),
    ];
  };
  return {
    async append(accountId, subscriptionId, { headers, body }) {
      const limits = [LIFETIME_MS, MOST_MESSAGES, MOST_BYTES];
      const keys = keysOf(accountId, subscriptionId);
      const nonce = randomBytes(4).toString('hex');
      const args = [...limits, JSON.stringify(headers), body, nonce, subscriptionId, MOST_BYTES_OF_ACCOUNT];
      const why = await commands.sluiceStreamAppend(...keys, ...args);
      if (why === 'full') return 'full';
      return why === '' ? 'stored' : 'stopped';
    },
    async read(accountId, subscriptionId, after) {
      const keys = keysOf(accountId, subscriptionId);
      const args = [LIFETIME_MS, after.id, READ_AT_ONCE, after.series];
      const [why, found] = await commands.sluiceStreamRead(...keys, ...args);
      if (why !== '') return { status: why === 'absent' ? 'absent' : 'stopped' };
      let before = after.number;
      const entries = found.map(([id, fields]) => {
        const number = Number(fields[1]);
        // The numbers begin again once a stream has expired. By then all of it was read.
        const missed = Math.max(0, number - before - 1);
        before = number;
        const message = { headers: JSON.parse(fields[7] ?? '{}'), body: fields[9] ?? '' };
        return { id, number, series: fields[11] ?? '', missed, message };
      });
      return { status: 'open', entries };
    },
  };
}
