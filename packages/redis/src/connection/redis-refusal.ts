import { connect } from 'node:net';
import { parseRedisUrl } from '@sluice/runtime/config/redis-address';

/** A Redis that answers and refuses the connection, so waiting does not help. */
export interface RedisRefusal {
  /** The error text of Redis. */
  readonly said: string;
  /** One sentence that says how to fix it. */
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

/** Not a refusal of the connection, and it may pass: after a failover the address soon leads to the new primary. */
export const READ_ONLY_ADVICE =
  'It is a replica and takes no writes: REDIS_URL must lead to the primary, after a failover to the new one.';

export const isReadOnly = (said: string): boolean => said.startsWith('READONLY ');

/** How long to wait for an unsolicited error. A Redis that accepts the connection is silent. Milliseconds. */
const LISTEN_MS = 500;

/**
 * Finds out whether a connection that ended with `reason` was refused; undefined: Redis is away. Redis reports a missing or
 * wrong password in response to the first command. In protected mode, or at maxclients, it sends the error on connect
 * and closes. ioredis then reports "write EPIPE", so we connect once more and read the error.
 */
export async function redisRefusal(url: string, reason: string): Promise<RedisRefusal | undefined> {
  return refusalIn(reason) ?? refusalIn(await saidAtTheDoor(url));
}

/** Returns the refusal in an error text of Redis, if it is one that we know how to fix. */
export function refusalIn(said: string): RedisRefusal | undefined {
  const advice = ADVICE.find(([begins]) => begins.test(said))?.[1];
  return advice === undefined ? undefined : { said, advice };
}

/** The text of a connection error. For a Cluster it is the error of the last node, which ioredis stores separately. */
export function reasonOf(error: Error & { readonly lastNodeError?: Error | null }): string {
  return error.lastNodeError?.message || error.message || error.name;
}

/** The error that a server, or the first node of a Cluster, sends on connect. Empty: it sends none, or uses TLS. */
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
    // A failure to connect is no news: it led here.
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
