/** Knows, without asking Redis, which client addresses have had too many bad signatures in this minute. */
export interface AddressGuard {
  /** The address is asked for only where any is blocked. */
  isBlocked(address: () => string, nowMs: number): boolean;
  /** The admission script has counted one too many. */
  block(address: string, nowMs: number): void;
}

const MINUTE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * The count itself is in Redis, so that it holds across replicas; here is only the memory of its verdict,
 * which spares a blocked address's requests the hash.
 */
export function createAddressGuard(): AddressGuard {
  const blocked = new Set<string>();
  let minute = 0;

  const turnPage = (nowMs: number) => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current === minute) return;
    minute = current;
    blocked.clear();
  };

  return {
    isBlocked(address, nowMs) {
      turnPage(nowMs);
      return blocked.size > 0 && blocked.has(address());
    },
    block(address, nowMs) {
      turnPage(nowMs);
      if (blocked.size < MAX_REMEMBERED) blocked.add(address);
    },
  };
}
