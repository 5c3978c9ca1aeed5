import type { Socket } from 'node:net';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

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
  const isWrite = new RegExp(
    `\\x02(insert|update|delete|findAndModify)\\0.{4}(${collections.join('|')})\\0`,
    's',
  );
  let armed: (Instant & { readonly die: () => void }) | undefined;
  let [writes, isDead] = [0, false];
  /** The connection whose next reply is that to the chosen write. disarm() forgets it: that reply may come later. */
  let awaited: Socket | undefined;

  const die = () => {
    if (isDead) return;
    isDead = true;
    armed?.die();
  };

  const carry = (client: Socket, upstream: Socket) => {
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
  };
  const { host, close } = await startTcpProxy({ target: () => new URL(target), carry });
  return {
    url: `mongodb://${host}`,
    close,
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
  };
}
