import {
  type IgnoredCode,
  SIGNED_WITH,
  type SignedWith,
  UNAPPLIED,
} from '@sluice/contract/delivery/delivery';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import { repliesOf } from '@sluice/redis/replies-of';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';

/** Rejected requests that the admission script counted instead of giving each a row (docs/guarantees.md). */
export interface FoldedCount {
  readonly source_id: string;
  readonly account_id: string;
  /** Start of the minute, milliseconds since the Unix epoch by Redis's clock. */
  readonly minute_ms: number;
  readonly code: ProblemCode | IgnoredCode;
  readonly signed_with?: SignedWith;
  readonly count: number;
  /** The minute is over: the count is final. */
  readonly ended: boolean;
}

export interface FoldedRefusals {
  /** Reads all counts that are not settled yet. Counts of fields that only a newer version knows are left for it. */
  read(): Promise<FoldedCount[]>;
  /** Deletes the counts of ended minutes. Call it once they are in the delivery log. */
  settle(counts: readonly FoldedCount[]): Promise<void>;
}

/** How long after its end a minute counts as over. By then all scripts of that minute have ended. */
const GRACE_MS = 5_000;

export interface FoldedRefusalsDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  /** Called once for each count, by whichever worker settles it. */
  readonly onSettled?: (counts: readonly FoldedCount[]) => void;
  /** Called at each read for each field of a newer ingress, such as an unknown code. */
  readonly onNewer?: (field: string) => void;
}

// KEYS[1] the index  KEYS[2] a hash   ARGV[1] its member of the index  [2…] the fields that are settled
// Other fields of the hash stay, and then it stays in the index too. Returns 1 for each field that existed, else 0.
const SETTLE = `
local settled = {}
for n = 2, #ARGV do settled[n - 1] = redis.call('HDEL', KEYS[2], ARGV[n]) end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('ZREM', KEYS[1], ARGV[1]) end
return settled
`;

interface SettleCommand {
  sluiceSettle(index: string, hash: string, member: string, ...fields: string[]): Promise<(0 | 1)[]>;
}

export function createFoldedRefusals({
  redis,
  keyspace,
  onSettled,
  onNewer,
}: FoldedRefusalsDeps): FoldedRefusals {
  const command = withScripts<SettleCommand>(redis, { sluiceSettle: { lua: SETTLE, keys: 2 } });
  const readHash = async (member: string, nowMs: number): Promise<FoldedCount[]> => {
    const [sourceId, accountId, minute] = member.split('|') as [string, string, string];
    const counts = await redis.hgetall(keyspace.folded(sourceId, Number(minute)));
    const minuteMs = Number(minute) * MINUTE_MS;
    const ended = nowMs >= minuteMs + MINUTE_MS + GRACE_MS;
    return Object.entries(counts).flatMap(([field, count]) => {
      const counted = readFoldedField(field);
      if (counted === undefined) onNewer?.(field);
      const of = { source_id: sourceId, account_id: accountId, minute_ms: minuteMs };
      return counted === undefined ? [] : [{ ...of, ...counted, count: Number(count), ended }];
    });
  };
  const settleHash = async (member: string, counts: readonly FoldedCount[]): Promise<FoldedCount[]> => {
    const [sourceId, , minute] = member.split('|') as [string, string, string];
    const hash = keyspace.folded(sourceId, Number(minute));
    const fields = counts.map(({ code, signed_with }) => foldedField(code, signed_with));
    const settled = await command.sluiceSettle(keyspace.foldedIndex, hash, member, ...fields);
    return counts.filter((_, index) => settled[index] === 1);
  };
  return {
    async read() {
      // One pipeline, so that the time is that of the server with the admission, also in a Cluster.
      const pipeline = redis.pipeline().zrange(keyspace.foldedIndex, '0', '-1').time();
      const [members, [seconds]] = (await repliesOf(pipeline)) as [string[], [string | number]];
      const counts = await Promise.all(members.map((member) => readHash(member, Number(seconds) * 1000)));
      return counts.flat();
    },
    async settle(counts) {
      const byHash = new Map<string, FoldedCount[]>();
      for (const count of counts.filter(({ ended }) => ended)) {
        const member = memberOf(count);
        byHash.set(member, [...(byHash.get(member) ?? []), count]);
      }
      const mine = await Promise.all([...byHash].map(([member, ended]) => settleHash(member, ended)));
      if (mine.some(({ length }) => length > 0)) onSettled?.(mine.flat());
    },
  };
}

/** The field that counts rejected requests in a minute: their code and, if it is known, which secret signed them. */
export function foldedField(code: FoldedCount['code'], signedWith: SignedWith | undefined): string {
  return signedWith === undefined ? code : `${code}:${signedWith}`;
}

/** Undefined if only a newer version knows the field. */
function readFoldedField(field: string): Pick<FoldedCount, 'code' | 'signed_with'> | undefined {
  const [code = '', secret, ...more] = field.split(':');
  if (!isFolded(code) || more.length > 0) return undefined;
  if (secret === undefined) return { code };
  const signed_with = SIGNED_WITH.find((one) => one === secret);
  return signed_with && { code, signed_with };
}

/** Whether the code is that of an ignored request, which got a 200, and not that of a rejection. */
export function isIgnored(code: string): code is IgnoredCode {
  return (UNAPPLIED as Readonly<Record<string, string>>)[code] === 'ignored';
}

const isFolded = (code: string): code is FoldedCount['code'] =>
  Object.hasOwn(PROBLEMS, code) || isIgnored(code);

function memberOf({ source_id, account_id, minute_ms }: FoldedCount): string {
  return `${source_id}|${account_id}|${minute_ms / MINUTE_MS}`;
}
