import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServiceProcess } from '../../support/service-process.ts';
import { residentMiB } from './resident-memory.ts';

/** What a flood consists of. */
export type AttackSettings = { readonly port: number; readonly connections: number } & (
  | {
      /** Whole requests, one after the other on each connection, over and over. */
      readonly kind: 'repeat';
      readonly requests: readonly Uint8Array[];
      /** Requests sent at once on a connection, before their answers. */
      readonly pipelined: number;
      /** In all; undefined: as many as are answered. */
      readonly perSecond?: number | undefined;
    }
  | {
      /** The beginning of a request, then a little every second, and never its end. */
      readonly kind: 'hold';
      readonly first: Uint8Array;
      /** undefined: the attacker ends its half of the connection, and leaves the other one open. */
      readonly drip: string | undefined;
    }
);

export interface AttackSeen {
  /** Connections that were made, and that have ended since. */
  readonly opened: number;
  readonly closed: number;
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many of them say when to come again. */
  readonly retryAfter: number;
}

/** A flood whose process is there; under way since `begin`. */
export interface Attack {
  begin(): void;
  /** As of a moment ago. */
  seen(): AttackSeen;
  /** Ends it. What it has sent is answered first, unless it holds on purpose. */
  stop(): Promise<AttackSeen>;
}

const ATTACKER = fileURLToPath(new URL('floods-attacker.ts', import.meta.url));

/** A flood in a process of its own, which has started when this resolves: that takes a core for a moment, and is no flood. */
export async function prepareAttack(settings: AttackSettings): Promise<Attack> {
  const child = fork(ATTACKER, { serialization: 'advanced' });
  const exited = once(child, 'exit');
  let seen: AttackSeen = { opened: 0, closed: 0, retryAfter: 0, statuses: {} };
  await Promise.race([once(child, 'message'), exited]);
  child.on('message', (news) => {
    seen = news as AttackSeen;
  });
  return {
    begin: () => void child.send(settings),
    seen: () => seen,
    async stop() {
      if (child.connected) child.send('stop');
      await exited;
      return seen;
    },
  };
}

/** How many answers there were. */
export function answersOf({ statuses }: AttackSeen): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}

/** The bytes of a request. */
export function rawRequest(
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array | string = '',
): Buffer {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body as Uint8Array),
  ]);
}

const LOOK_EVERY_MS = 200;

/** Watches the memory of a process until `stop`, which resolves to the most that it had, in MiB. */
export function watchMemory(service: ServiceProcess): { stop(): Promise<number> } {
  let most = 0;
  let looking: Promise<void> | undefined;
  const look = async () => {
    most = Math.max(most, await residentMiB(service));
  };
  const timer = setInterval(() => {
    // A process that is busy answers late.
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      await look();
      return Math.round(most);
    },
  };
}
