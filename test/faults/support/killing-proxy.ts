import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { pairSockets } from '../../support/pair-sockets.ts';

/** The instant at which to kill the process behind the proxy: its n-th write, before or after MongoDB has made it. */
export interface Instant {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** A proxy between a process and MongoDB that passes nothing on from an instant on, as if the process were dead. */
export interface KillingProxy {
  readonly url: string;
  /** Counts the writes from now on, and kills at the instant. Resolves once that is done; never if there are fewer writes. */
  arm(instant: Instant, kill: () => Promise<void>): Promise<void>;
  /** Passes everything on again. Returns whether the instant was reached. */
  disarm(): boolean;
  close(): Promise<void>;
}

/** `collections`: only writes of these are counted (OP_MSG contains plain BSON). */
export async function startKillingProxy(
  target: string,
  collections: readonly string[],
): Promise<KillingProxy> {
  const { hostname, port } = new URL(target);
  const isWrite = new RegExp(
    `\\x02(insert|update|delete|findAndModify)\\0.{4}(${collections.join('|')})\\0`,
    's',
  );
  const sockets = new Set<Socket>();
  let armed: (Instant & { readonly die: () => void }) | undefined;
  let [writes, isDead] = [0, false];
  /** The connection whose next reply is that to the chosen write. disarm() forgets it: that reply may come later. */
  let awaited: Socket | undefined;

  const die = () => {
    if (isDead) return;
    isDead = true;
    armed?.die();
  };

  const server = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    client.on('data', (chunk: Buffer) => {
      if (armed !== undefined && isWrite.test(chunk.toString('latin1'))) {
        writes += 1;
        if (writes === armed.write && armed.when === 'before') die();
        if (writes === armed.write) awaited = client;
      }
      if (!isDead) upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (awaited === client) die();
      if (!isDead) client.write(chunk);
    });
    pairSockets(client, upstream, sockets);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(instant, kill) {
      writes = 0;
      return new Promise((resolve, reject) => {
        armed = { ...instant, die: () => void kill().then(resolve, reject) };
      });
    },
    disarm() {
      const wasReached = isDead;
      armed = undefined;
      awaited = undefined;
      isDead = false;
      return wasReached;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
