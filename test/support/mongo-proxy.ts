import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { startTcpProxy } from './tcp-proxy.ts';

/** A proxy between a worker and MongoDB that tests can open, shut and listen to. */
export interface MongoProxy {
  readonly url: string;
  /** Cuts all connections and accepts no new ones. */
  shut(): void;
  open(): void;
  /**
   * Holds the first matching message, and all messages after it, until `letGo`. Resolves once there is such a message.
   */
  holdAt(pattern: RegExp): Promise<void>;
  letGo(): void;
  close(): Promise<void>;
}

/** The driver's messages that write events and delivery rows (OP_MSG contains plain BSON). */
export const EVENT_WRITE = /(insert|update)\0.{4}events\0/s;
export const LOG_WRITE = /insert\0.{4}deliveries\0/s;

/** Starts a proxy in front of the MongoDB of this URL. */
export async function startMongoProxy(target: string): Promise<MongoProxy> {
  const [, before, hostname, port = '', after] =
    /^(mongodb:\/\/(?:[^@/]*@)?)([^:/,]+):(\d+)(.*)$/.exec(target) ?? [];
  if (hostname === undefined) throw new Error(`not the URL of a single MongoDB server: ${target}`);
  const held: { to: Socket; chunk: Buffer }[] = [];
  const events = new EventEmitter();
  let shut = false;
  let pattern: RegExp | undefined;
  let holding = false;

  function pass(chunk: Buffer, to: Socket): void {
    if (!holding && pattern?.test(chunk.toString('latin1'))) {
      holding = true;
      events.emit('held');
    }
    if (holding) held.push({ to, chunk });
    else to.write(chunk);
  }

  const { host, hangUp, close } = await startTcpProxy({
    target: () => (shut ? undefined : { hostname, port }),
    carry(client, upstream) {
      client.on('data', (chunk: Buffer) => pass(chunk, upstream));
      upstream.pipe(client);
    },
  });
  return {
    url: `${before}${host}${after}`,
    close,
    shut: () => {
      shut = true;
      hangUp();
    },
    open: () => {
      shut = false;
    },
    holdAt: async (what) => {
      pattern = what;
      await once(events, 'held');
    },
    letGo: () => {
      pattern = undefined;
      holding = false;
      for (const { to, chunk } of held.splice(0)) to.write(chunk);
    },
  };
}
