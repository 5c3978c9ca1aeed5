/** What all bodies that have come in and are not answered yet may hold together: 64 MiB. */
const WAITING_BODIES_BYTES = 64 * 1024 * 1024;

/** Bounds the memory that bodies take while Redis does not answer: thousands of the largest come in within that second. */
export interface WaitingBodies {
  /** false: so many bytes more do not fit, and are not counted. */
  enter(bytes: number): boolean;
  leave(bytes: number): void;
}

export function createWaitingBodies(maxBytes: number = WAITING_BODIES_BYTES): WaitingBodies {
  let total = 0;
  return {
    enter(bytes) {
      if (total + bytes > maxBytes) return false;
      total += bytes;
      return true;
    },
    leave(bytes) {
      total -= bytes;
    },
  };
}
