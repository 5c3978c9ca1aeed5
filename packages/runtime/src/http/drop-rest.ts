import type { IncomingMessage } from 'node:http';

/** The limits of what is read and dropped behind an early response. */
export interface DropLimits {
  /** A body up to this size is read to its end. Bytes. */
  readonly bytes: number;
  /** The longest time, however the body arrives. Milliseconds. */
  readonly totalMs: number;
  /** The longest time without a byte. A line may lose a packet and send it again. Milliseconds. */
  readonly idleMs: number;
  /** All connections together. Bytes. */
  readonly bytesPerSecond: number;
}

/** The time to read the response for a sender whose body is larger. Milliseconds. */
const LAST_MS = 1000;
/** How often the rate of the process is checked. Milliseconds. */
const RATE_MS = 100;

/**
 * Reads and drops the rest of a body after its response was written, then calls `end` once. Many clients read the response only
 * after they have sent the whole body (Java's HttpURLConnection, Apache HttpClient, Python's http.client and urllib, ureq). A
 * socket that closes with unread data is reset, which destroys the response on its way. They would send the request again. The
 * limit of bytes per second holds for all calls of the returned function.
 */
export function createDropRest(limits: DropLimits): (request: IncomingMessage, end: () => void) => void {
  let droppedAt = 0;
  let dropped = 0;

  /** Whether the process has dropped too much in this period. Several connections then take turns in the next ones. */
  function isOverRate(bytes: number): boolean {
    const now = performance.now();
    if (now - droppedAt >= RATE_MS) {
      droppedAt = now;
      dropped = 0;
    }
    dropped += bytes;
    return dropped > (limits.bytesPerSecond * RATE_MS) / 1000;
  }

  return (request, end) => {
    let size = 0;
    let resume: NodeJS.Timeout | undefined;
    let last: NodeJS.Timeout | undefined;
    const finish = () => {
      for (const timer of [total, idle, resume, last]) clearTimeout(timer);
      request.off('data', onData).off('end', finish).off('close', finish);
      // Without the pause Node would read megabytes more from a fast sender.
      request.pause();
      end();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      idle.refresh();
      if (size > limits.bytes) giveUp();
      else if (isOverRate(chunk.length)) {
        request.pause();
        resume = setTimeout(() => request.resume(), RATE_MS);
      }
    };
    /** The rest stays unread. Backpressure stops the sender, which may look for a response then. */
    const giveUp = () => {
      clearTimeout(resume);
      request.off('data', onData).pause();
      last = setTimeout(finish, LAST_MS);
    };
    const total = setTimeout(finish, limits.totalMs);
    const idle = setTimeout(finish, limits.idleMs);
    request.on('data', onData).on('end', finish).on('close', finish).resume();
  };
}
