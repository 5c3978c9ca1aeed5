import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** How long a turn of the event loop may begin requests. Milliseconds. */
const TURN_MS = 5;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A turn of the event loop accepts one connection (libuv/libuv#3696) and reads from all that have sent something. Hundreds of busy
 * connections make it long, and a new one then waits a turn for each that came before it: for seconds, in a flood. So a turn
 * begins requests for a few milliseconds, and leaves the others to the next turns, in their order.
 */
export function inBoundedTurns(begin: RequestListener): RequestListener {
  const waiting: Waiting[] = [];
  /** Of the turn that is under way; undefined where nothing was begun in it. */
  let startedAt: number | undefined;

  const isOver = (since: number): boolean => performance.now() - since >= TURN_MS;

  // Comes once all is read that had come, just before the next turn.
  function endTurn(): void {
    const since = performance.now();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // One whose sender has gone meanwhile will never end, nor say so again.
      if (!next.request.destroyed) begin(next.request, next.response);
      if (isOver(since)) break;
    }
    startedAt = waiting.length > 0 ? since : undefined;
    if (waiting.length > 0) setImmediate(endTurn);
  }

  return (request, response) => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      setImmediate(endTurn);
    }
    if (waiting.length > 0 || isOver(startedAt)) waiting.push({ request, response });
    else begin(request, response);
  };
}
