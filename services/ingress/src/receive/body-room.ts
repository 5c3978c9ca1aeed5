/** The total size of all incomplete bodies: 64 MiB. */
export const BODY_ROOM_BYTES = 64 * 1024 * 1024;

/** A body of which a part has arrived. */
export interface PartialBody {
  /** Stops reading the body. */
  crowdOut(): void;
}

/** Bounds the memory of senders that begin many bodies and complete none. */
export interface BodyRoom {
  /** Counts more bytes of an incomplete body. Other bodies may be crowded out. */
  hold(body: PartialBody, bytes: number): void;
  /** The body is complete, or will not be read further. */
  leave(body: PartialBody): void;
}

/**
 * The body that began first is crowded out first. An honest sender's body arrives within milliseconds, so the oldest one
 * belongs to a sender that fills the memory slowly. Rejecting the newest would let a few such senders shut out all others.
 */
export function createBodyRoom(maxBytes: number = BODY_ROOM_BYTES): BodyRoom {
  // A Map keeps the order of their first bytes.
  const held = new Map<PartialBody, number>();
  let total = 0;

  function leave(body: PartialBody): void {
    total -= held.get(body) ?? 0;
    held.delete(body);
  }

  return {
    hold(body, bytes) {
      held.set(body, (held.get(body) ?? 0) + bytes);
      total += bytes;
      for (const oldest of held.keys()) {
        if (total <= maxBytes) return;
        leave(oldest);
        oldest.crowdOut();
      }
    },
    leave,
  };
}
