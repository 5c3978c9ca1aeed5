import type { RequestListener } from 'node:http';
import { isEnding } from '@sluice/runtime/http/last-response';

/** How long a turn of the event loop may begin requests. Milliseconds. */
const TURN_MS = 5;

/** A request that has arrived. */
export interface Beginning {
  /** What it arrived on: connections take turns. */
  readonly connection: object;
  begin(): void;
  /** Nothing may be answered on its connection any more: the sender has gone, or the last response is under way. */
  isGone(): boolean;
}

/** Begins a request, in this turn of the event loop or in a later one. */
export type BoundedTurns = (request: Beginning) => void;

/**
 * A turn of the event loop accepts one connection (libuv/libuv#3696) and reads from all that have sent something. Hundreds
 * of busy connections make it long, and a new one then waits a turn for each that came before it: for seconds, in a flood.
 * So a turn begins requests for a few milliseconds and leaves the others to later turns. Connections alternate, and each
 * keeps its own order, so that one that pipelines delays only itself. A connection has a bounded number of requests
 * (runtime: bounded-pipelines.ts), and so have the queues here.
 */
export function createBoundedTurns(): BoundedTurns {
  /** The requests of each connection, by connection, in the order of their turns. */
  const waiting = new Map<object, Beginning[]>();
  /** Of the turn that is under way; undefined where nothing was begun in it. */
  let startedAt: number | undefined;

  const isOver = (since: number): boolean => performance.now() - since >= TURN_MS;

  function queue(request: Beginning): void {
    const before = waiting.get(request.connection);
    if (before === undefined) waiting.set(request.connection, [request]);
    else before.push(request);
  }

  function beginNext(connection: object, requests: Beginning[]): void {
    waiting.delete(connection);
    const request = requests.shift() as Beginning;
    if (requests.length > 0) waiting.set(connection, requests);
    if (!request.isGone()) request.begin();
  }

  // Runs once everything that had arrived is read, just before the next turn.
  function endTurn(): void {
    const since = performance.now();
    // What is set again in the loop comes to the end of the map, and so around again.
    for (const [connection, requests] of waiting) {
      beginNext(connection, requests);
      if (isOver(since)) break;
    }
    startedAt = waiting.size > 0 ? since : undefined;
    if (waiting.size > 0) setImmediate(endTurn);
  }

  return (request) => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      setImmediate(endTurn);
    }
    if (waiting.size > 0 || isOver(startedAt)) queue(request);
    else request.begin();
  };
}

/** The requests that Node's HTTP server reads. */
export function inBoundedTurns(turns: BoundedTurns, begin: RequestListener): RequestListener {
  return (request, response) =>
    turns({
      connection: request.socket,
      begin: () => begin(request, response),
      isGone: () => request.destroyed || isEnding(request.socket),
    });
}
