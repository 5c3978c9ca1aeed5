/** The address of a Redis: one server, or some nodes of a Cluster, which name the others. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly { readonly host: string; readonly port: number }[];
      readonly username?: string;
      readonly password?: string;
      readonly tls: boolean;
    };

const CLUSTER = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/?#]+)\/?$/;
const NODE = /^(\[[0-9a-fA-F:]+\]|[^[\]:]+)(?::(\d{1,5}))?$/;
const DEFAULT_PORT = 6379;

/**
 * Reads REDIS_URL: `redis://…` as ioredis reads it, or `redis+cluster://user:password@host:port,host:port` (`rediss+cluster`
 * with TLS). Returns undefined for an unreadable address: ioredis would throw an error that shows the password.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  if (!/^rediss?\+cluster:/.test(url)) return isServer(url) ? { kind: 'server', url } : undefined;
  const [, scheme, credentials = '', hosts] = CLUSTER.exec(url) ?? [];
  if (hosts === undefined || !isEncoded(credentials)) return undefined;
  const nodes = hosts.split(',').map((text) => {
    const [, host = '', port] = NODE.exec(text) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? DEFAULT_PORT) };
  });
  if (nodes.some(({ host, port }) => host === '' || port > 65_535)) return undefined;
  return { kind: 'cluster', nodes, ...readCredentials(credentials), tls: scheme === 'rediss' };
}

/** Whether the path is empty or the number of a database. */
function isServer(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  const { username, password, pathname } = parsed;
  return isEncoded(`${username}:${password}`) && /^(\/\d*)?$/.test(pathname) && !hasSecondAt(parsed);
}

/** Whether the password seems to contain `@`: then the host is the part of the password between it and the next `/ ? #`. */
export function hasSecondAt({ username, password, pathname, search, hash }: URL): boolean {
  // The options behind a path may contain one.
  const rest = pathname + hash + (pathname === '' ? search : '');
  return username + password !== '' && rest.includes('@');
}

/** Whether its percent-encoding can be decoded. */
export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readCredentials(text: string): { username?: string; password?: string } {
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/.exec(text) ?? [];
  return {
    ...(name !== '' && { username: decodeURIComponent(name) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}
