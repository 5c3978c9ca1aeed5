/** What all bodies that are still coming in may hold together: 64 MiB. */
export const BODY_ROOM_BYTES = 64 * 1024 * 1024;

/** A body of which a part has come. */
export interface PartialBody {
  /** It is to be given up. */
  crowdOut(): void;
}

/** Bounds the memory that senders can take who begin many bodies and end none. */
export interface BodyRoom {
  /** So many bytes more of a body have come, and it is not complete. Others may have to make room. */
  hold(body: PartialBody, bytes: number): void;
  /** The body is complete, or given up. */
  leave(body: PartialBody): void;
}

/**
 * Who has been at it for longest makes room: an honest sender's body takes milliseconds to arrive, so that is who
 * sends slowly in order to fill the memory. Refusing the newest would let a few such senders shut out everybody.
 */
export function createBodyRoom(maxBytes: number = BODY_ROOM_BYTES): BodyRoom {
  // In the order of their first bytes.
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
