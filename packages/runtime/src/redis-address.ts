/** Where a Redis is: one server, or some of the nodes of a Cluster, which name the others. */
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
 * with TLS). undefined: a Cluster's address that cannot be read.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  if (!/^rediss?\+cluster:/.test(url)) return { kind: 'server', url };
  const [, scheme, credentials = '', hosts] = CLUSTER.exec(url) ?? [];
  if (hosts === undefined) return undefined;
  const nodes = hosts.split(',').map((text) => {
    const [, host = '', port] = NODE.exec(text) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? DEFAULT_PORT) };
  });
  if (nodes.some(({ host, port }) => host === '' || port > 65_535)) return undefined;
  return { kind: 'cluster', nodes, ...readCredentials(credentials), tls: scheme === 'rediss' };
}

function readCredentials(text: string): { username?: string; password?: string } {
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/.exec(text) ?? [];
  return {
    ...(name !== '' && { username: decodeURIComponent(name) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}
