import { MINUTE_MS } from '@sluice/contract/time/durations';

/**
 * Remembers the client addresses over their limit of bad signatures in this minute. It is used with several shards, which
 * count in one place (see open-lanes.ts). With one shard the admission script counts and decides.
 */
export interface AddressGuard {
  /** `address` is called only while an address is blocked. `nowMs` is in milliseconds since the Unix epoch. */
  isBlocked(address: () => string, nowMs: number): boolean;
  /** Redis has counted one too many in the minute of `countedMs`. Both are in milliseconds since the Unix epoch. */
  block(address: string, countedMs: number, nowMs: number): void;
}

const MAX_REMEMBERED = 10_000;

/** Redis counts for all replicas. The guard caches its verdicts until the end of their minute. */
export function createAddressGuard(): AddressGuard {
  const blocked = new Set<string>();
  let minute = Number.NEGATIVE_INFINITY;

  return {
    isBlocked(address, nowMs) {
      return blocked.size > 0 && minuteOf(nowMs) === minute && blocked.has(address());
    },
    block(address, countedMs, nowMs) {
      const counted = minuteOf(countedMs);
      // Redis may answer after the minute has turned. Such a verdict does not count for the new minute.
      if (counted !== minuteOf(nowMs)) return;
      if (counted !== minute) blocked.clear();
      minute = counted;
      if (blocked.size < MAX_REMEMBERED) blocked.add(address);
    },
  };
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);
