import { connect } from 'node:net';
import { parseRedisUrl } from './redis-address.ts';

/** A Redis that is there and will not have us: waiting does not help. */
export interface RedisRefusal {
  /** Its own words. */
  readonly said: string;
  /** What to do about it, in a sentence. */
  readonly advice: string;
}

const ADVICE: readonly (readonly [begins: RegExp, advice: string])[] = [
  [/^NOAUTH /, 'It wants a password: put it into REDIS_URL, before the host (redis://:PASSWORD@host:6379).'],
  [/^WRONGPASS /, 'It knows no such user with that password: correct REDIS_URL.'],
  [
    /^NOPERM /,
    'Its user may not do this: allow it all commands and channels, on the keys of SLUICE_NAMESPACE (redis-cli ACL SETUSER USER "~{NAMESPACE:*" "&*" +@all).',
  ],
  [
    /^DENIED /,
    'It is in protected mode: without a password it takes connections from its own machine only. Give it one (requirepass) and put it into REDIS_URL, or start it with --protected-mode no where nobody else can reach it.',
  ],
  [
    /^ERR (?:DB index is out of range|invalid DB index)/,
    'It has no database of that number: correct what stands behind the last / of REDIS_URL, or raise its `databases`.',
  ],
  [
    /^ERR max number of clients reached/,
    'It has no room for another connection: raise its maxclients, or see who holds them (redis-cli client list).',
  ],
];

/** No refusal of a connection, and it may pass: after a failover an address leads to the new primary before long. */
export const READ_ONLY_ADVICE =
  'It is a replica and takes no writes: REDIS_URL must lead to the primary, after a failover to the new one.';

export const isReadOnly = (said: string): boolean => said.startsWith('READONLY ');

/** A Redis that has something to say says it at once; one that takes us is silent until it is asked. Milliseconds. */
const LISTEN_MS = 500;

/**
 * Whether Redis refuses a connection, rather than being away, which then ended with `reason`. That a password is missing or
 * wrong it answers to the first command. Protected mode and full rooms it tells whoever connects, before anything is
 * asked, and closes; of that ioredis makes "write EPIPE", so it is listened to once more.
 */
export async function redisRefusal(url: string, reason: string): Promise<RedisRefusal | undefined> {
  return refusalIn(reason) ?? refusalIn(await saidAtTheDoor(url));
}

/** What a Redis said, if that is a refusal which we know how to mend. */
export function refusalIn(said: string): RedisRefusal | undefined {
  const advice = ADVICE.find(([begins]) => begins.test(said))?.[1];
  return advice === undefined ? undefined : { said, advice };
}

/** What an error of a connection says; that of a Cluster is what the last of its nodes said, which ioredis keeps apart. */
export function reasonOf(error: Error & { readonly lastNodeError?: Error | null }): string {
  return error.lastNodeError?.message || error.message || error.name;
}

/** The error that a server, or the first node of a Cluster, gives unasked; empty where it gives none, or is behind TLS. */
function saidAtTheDoor(url: string): Promise<string> {
  const door = doorOf(url);
  if (door === undefined) return Promise.resolve('');
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(door);
    socket.setTimeout(LISTEN_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    // That it cannot be reached is what brought us here.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(/^-(.*)\r\n/.exec(text)?.[1] ?? ''));
  });
}

function doorOf(url: string): { readonly host: string; readonly port: number } | undefined {
  const address = parseRedisUrl(url);
  if (address?.kind === 'cluster') return address.tls ? undefined : address.nodes[0];
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'redis:' || hostname === '') return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) };
}
