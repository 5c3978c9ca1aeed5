import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a flood consists of; bytes in base64. */
export type AttackSettings = { readonly port: number; readonly connections: number } & (
  | { readonly kind: 'repeat'; readonly request: string; readonly pipelined: number }
  | { readonly kind: 'hold'; readonly first: string; readonly drip: string }
);

export interface AttackSeen {
  /** Connections that were made, and that have ended since. */
  open: number;
  closed: number;
  /** How many answers there were of each status. */
  readonly statuses: Record<string, number>;
}

/** A flood that is under way. */
export interface Attack {
  /** Resolves once all connections have been tried. */
  readonly opened: Promise<unknown>;
  seen(): Promise<AttackSeen>;
  /** Ends it; what it has sent is answered first, unless it holds on purpose. */
  stop(): Promise<AttackSeen>;
}

const ATTACKER = fileURLToPath(new URL('floods-attacker.ts', import.meta.url));

export function startAttack(settings: AttackSettings): Attack {
  const child = fork(ATTACKER, [JSON.stringify(settings)]);
  const opened = once(child, 'message');
  const ended = once(child, 'exit');
  let stopped: Promise<AttackSeen> | undefined;
  const ask = async (message: 'seen' | 'stop'): Promise<AttackSeen> => {
    await opened;
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  const end = async () => {
    const seen = await ask('stop');
    child.disconnect();
    await ended;
    return seen;
  };
  return { opened, seen: () => ask('seen'), stop: () => (stopped ??= end()) };
}

/** The bytes of a request, in base64 as attacks take them. */
export function rawRequest(
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array | string = '',
): string {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body),
  ]).toString('base64');
}

/** Watches how much memory a process really has; `most` is in MiB. */
export function watchMemory(pid: number): { most(): number; stop(): void } {
  let most = 0;
  const look = () => {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    most = Math.max(most, Math.round(Number(kib ?? 0) / 1024));
  };
  look();
  const timer = setInterval(look, 50);
  return { most: () => most, stop: () => clearInterval(timer) };
}
