import type { RequestListener } from 'node:http';

/** How long a turn of the event loop may begin requests. Milliseconds. */
const TURN_MS = 5;

/** A request that has come. */
export interface Beginning {
  begin(): void;
  /** Its sender has gone while it waited: it will never end, nor say so again. */
  isGone(): boolean;
}

/** Begins a request, in this turn of the event loop or in one to come; in the order in which they came. */
export type BoundedTurns = (request: Beginning) => void;

/**
 * A turn of the event loop accepts one connection (libuv/libuv#3696) and reads from all that have sent something. Hundreds of busy
 * connections make it long, and a new one then waits a turn for each that came before it: for seconds, in a flood. So a turn
 * begins requests for a few milliseconds, and leaves the others to the next turns, in their order.
 */
export function createBoundedTurns(): BoundedTurns {
  const waiting: Beginning[] = [];
  /** Of the turn that is under way; undefined where nothing was begun in it. */
  let startedAt: number | undefined;

  const isOver = (since: number): boolean => performance.now() - since >= TURN_MS;

  // Comes once all is read that had come, just before the next turn.
  function endTurn(): void {
    const since = performance.now();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!next.isGone()) next.begin();
      if (isOver(since)) break;
    }
    startedAt = waiting.length > 0 ? since : undefined;
    if (waiting.length > 0) setImmediate(endTurn);
  }

  return (request) => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      setImmediate(endTurn);
    }
    if (waiting.length > 0 || isOver(startedAt)) waiting.push(request);
    else request.begin();
  };
}

/** Those of Node's HTTP server. */
export function inBoundedTurns(turns: BoundedTurns, begin: RequestListener): RequestListener {
  return (request, response) =>
    turns({ begin: () => begin(request, response), isGone: () => request.destroyed });
}
