import type { SignedWith } from '@sluice/contract/delivery';
import type { ProblemCode } from '@sluice/contract/problem';
import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { repliesOf } from './replies-of.ts';

/** Refusals that the admission script counted instead of giving each a row (design: guarantee 5). */
export interface FoldedCount {
  readonly source_id: string;
  readonly account_id: string;
  /** Start of the minute, milliseconds since the Unix epoch by Redis's clock. */
  readonly minute_ms: number;
  readonly code: ProblemCode;
  readonly signed_with?: SignedWith;
  readonly count: number;
  /** The minute is over: the count is final. */
  readonly ended: boolean;
}

export interface FoldedRefusals {
  /** All counts not settled yet. */
  read(): Promise<FoldedCount[]>;
  /** Forgets the counts of ended minutes, once they stand in the delivery log. */
  settle(counts: readonly FoldedCount[]): Promise<void>;
}

const MINUTE_MS = 60_000;

/** A minute counts as over this much later: scripts that ran in it have long answered. */
const GRACE_MS = 5_000;

export interface FoldedRefusalsDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  /** Told of counts that were settled here: of all who settle at once, each count is told to one. */
  readonly onSettled?: (counts: readonly FoldedCount[]) => void;
}

export function createFoldedRefusals({ redis, keyspace, onSettled }: FoldedRefusalsDeps): FoldedRefusals {
  const readHash = async (member: string, nowMs: number): Promise<FoldedCount[]> => {
    const [sourceId, accountId, minute] = member.split('|') as [string, string, string];
    const counts = await redis.hgetall(keyspace.folded(sourceId, Number(minute)));
    const minuteMs = Number(minute) * MINUTE_MS;
    return Object.entries(counts).map(([field, count]) => ({
      source_id: sourceId,
      account_id: accountId,
      minute_ms: minuteMs,
      ...readFoldedField(field),
      count: Number(count),
      ended: nowMs >= minuteMs + MINUTE_MS + GRACE_MS,
    }));
  };
  return {
    async read() {
      // In one pipeline, so that in a Cluster too the time is that of the server which the admission ran on.
      const pipeline = redis.pipeline().zrange(keyspace.foldedIndex, '0', '-1').time();
      const [members, [seconds]] = (await repliesOf(pipeline)) as [string[], [string | number]];
      const counts = await Promise.all(members.map((member) => readHash(member, Number(seconds) * 1000)));
      return counts.flat();
    },
    async settle(counts) {
      const ended = counts.filter((count) => count.ended);
      const members = new Set(ended.map(memberOf));
      if (members.size === 0) return;
      const transaction = redis.multi();
      for (const member of members) transaction.zrem(keyspace.foldedIndex, member);
      transaction.del(...ended.map((count) => keyspace.folded(count.source_id, count.minute_ms / MINUTE_MS)));
      const replies = (await transaction.exec()) ?? [];
      const mine = new Set([...members].filter((_, index) => replies[index]?.[1] === 1));
      onSettled?.(ended.filter((count) => mine.has(memberOf(count))));
    },
  };
}

/** What refusals are counted by in a minute: their code and, where it is known, which secret they were signed with. */
export function foldedField(code: ProblemCode, signedWith: SignedWith | undefined): string {
  return signedWith === undefined ? code : `${code}:${signedWith}`;
}

function readFoldedField(field: string): Pick<FoldedCount, 'code' | 'signed_with'> {
  const [code, signedWith] = field.split(':') as [ProblemCode, SignedWith?];
  return { code, ...(signedWith !== undefined && { signed_with: signedWith }) };
}

function memberOf({ source_id, account_id, minute_ms }: FoldedCount): string {
  return `${source_id}|${account_id}|${minute_ms / MINUTE_MS}`;
}
