import type { Socket } from 'node:net';
import { startTcpProxy, urlOf } from '../../support/tcp-proxy.ts';

/** A slow link to a store: everything sent to it arrives later, in order. */
export interface SlowProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface SlowProxySettings {
  /** The delay of data sent to the store, in milliseconds. Responses are not delayed. */
  readonly delayMs: number;
  /**
   * Called for each piece, in both directions: is it lost? TCP sends it again, and later data waits for that. So a loss
   * is visible only as a delay.
   */
  readonly lost?: () => boolean;
}

/** Twice the shortest time after which Linux retransmits: a loss takes one round trip to be noticed. */
const SENT_AGAIN_MS = 400;

export async function startSlowProxy(
  target: string,
  { delayMs, lost = () => false }: SlowProxySettings,
): Promise<SlowProxy> {
  const proxy = await startTcpProxy({
    target: () => new URL(target),
    carry(client, upstream) {
      carry(client, upstream, () => delayMs + (lost() ? SENT_AGAIN_MS : 0));
      carry(upstream, client, () => (lost() ? SENT_AGAIN_MS : 0));
    },
  });
  return { url: urlOf(proxy, target), close: proxy.close };
}

/** Forwards each piece after its delay, and never before the piece that arrived earlier. */
function carry(from: Socket, to: Socket, delayOf: () => number): void {
  const line: { readonly chunk: Buffer; readonly due: number }[] = [];
  const next = () => {
    const [first] = line;
    if (first === undefined) return;
    const left = first.due - Date.now();
    if (left > 0) {
      setTimeout(next, left);
      return;
    }
    line.shift();
    if (to.writable) to.write(first.chunk);
    next();
  };
  from.on('data', (chunk) => {
    line.push({ chunk, due: Math.max(line.at(-1)?.due ?? 0, Date.now() + delayOf()) });
    if (line.length === 1) next();
  });
}
