import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServiceProcess } from '../../support/service-process.ts';
import { residentMiB } from './resident-memory.ts';

/** What a flood sends on so many connections. */
export type Flood = { readonly connections: number } & (
  | {
      /** Whole requests, one after the other on each connection, repeated until stopped. */
      readonly kind: 'repeat';
      readonly requests: readonly Uint8Array[];
      /** Requests sent at once on a connection, before their responses. */
      readonly pipelined: number;
      /** Requests per second over all connections; undefined: as many as are answered. */
      readonly perSecond?: number | undefined;
    }
  | {
      /** The beginning of a request, then a few bytes every second, and never its end. */
      readonly kind: 'hold';
      readonly first: Uint8Array;
      /** undefined: the attacker ends its half of the connection, and leaves the other one open. */
      readonly drip: string | undefined;
    }
);

export type AttackSettings = { readonly port: number } & Flood;

export interface AttackSeen {
  /** Connections that were opened, and those that have closed since. */
  readonly opened: number;
  readonly closed: number;
  /** How many responses there were of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many responses had a Retry-After header. */
  readonly retryAfter: number;
}

/** A flood whose process is started. It floods from `begin` on. */
export interface Attack {
  begin(): void;
  /** The state of a moment ago. */
  seen(): AttackSeen;
  /** Ends it. The requests it has sent are answered first, unless it holds them open on purpose. */
  stop(): Promise<AttackSeen>;
}

const ATTACKER = fileURLToPath(new URL('floods-attacker.ts', import.meta.url));

/**
 * Prepares a flood in its own process. Resolves once the process has started, because starting takes a core for a
 * moment.
 */
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

/** The number of responses. */
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

/** Watches the memory of a process until `stop`, which resolves to the maximum, in MiB. */
export function watchMemory(service: ServiceProcess): { stop(): Promise<number> } {
  let most = 0;
  let looking: Promise<void> | undefined;
  const look = async () => {
    most = Math.max(most, await residentMiB(service));
  };
  const timer = setInterval(() => {
    // A busy process responds late.
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
