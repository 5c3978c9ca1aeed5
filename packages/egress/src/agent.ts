import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { addressesOf, bareHost } from './allowed-addresses.ts';
import { type ConnectRules, refusalOf } from './forbidden-address.ts';
import { isProxyAlive } from './proxy-alive.ts';
import { tunnels } from './proxy-tunnels.ts';
import { createRecently } from './recently.ts';
import type { Resolve } from './resolve.ts';
import { ignoringContinue } from './unasked-continue.ts';

export interface AgentSettings extends ConnectRules {
  readonly resolve?: Resolve;
  /** For the connection with TLS, once its name is resolved. Milliseconds. */
  readonly connectMs: number;
  /** Connections to one host and port. The requests of the caller bound those to all hosts: each has one, and idle ones are closed. */
  readonly connectionsPerOrigin: number;
  /** All requests go through this proxy, which then resolves the names, and has to keep private networks out. No other setting of the environment counts. */
  readonly proxy?: string | undefined;
  /** Called for each connection that is opened, with `https://host:port`. */
  readonly onConnect?: (origin: string) => void;
  /** PEM certificates to trust instead of those of Node. For tests. */
  readonly ca?: string;
}

/** An idle connection is closed after this, before most servers would. Milliseconds. */
const KEEP_ALIVE_MS = 4000;
/** A proxy that responds to nothing within this hangs. */
const PROXY_ALIVE_MS = 1000;
/** A proxy that responded within this time is alive. Milliseconds. */
const PROXY_RESPONDED_MS = 30_000;

/**
 * An HTTP agent for addresses that users name. It connects to the address that it has checked, follows no redirect, verifies TLS, and
 * ignores proxies of the environment. Connections are kept alive.
 */
export function createAgent(settings: AgentSettings): Dispatcher {
  const { connectMs, connectionsPerOrigin, proxy, ca } = settings;
  const common = {
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
  };
  const tls = ca === undefined ? {} : { ca };
  if (proxy !== undefined) {
    const rules = { ...settings, ...proxyHealth(proxy) };
    const factory = (origin: string | URL, options: object) => tunnels(rules, origin, options);
    return new ProxyAgent({ uri: proxy, requestTls: tls, ...common, factory });
  }
  /** The addresses of hosts that are connected to just now. */
  const checked = new Map<string, readonly LookupAddress[]>();
  const lookup = lookupIn(checked);
  const connect = ignoringContinue(buildConnector({ timeout: connectMs, ...tls, lookup }));
  return new Agent({
    ...common,
    connect(options, callback) {
      const host = bareHost(options.hostname);
      settings.onConnect?.(originOf(options.protocol, options.host ?? host));
      addressesOf(host, settings.resolve).then(
        (found) => {
          if (found.length === 0) return callback(notFound(host), null);
          const addresses = found.map(({ address }) => address);
          const refusal = refusalOf(settings, options.protocol, host, addresses);
          if (refusal !== undefined) return callback(refusal, null);
          // `connect` looks the name up at once.
          checked.set(host, found);
          connect(options, callback);
          checked.delete(host);
        },
        (error) => callback(error, null),
      );
    },
  });
}

/** Calls that begin before the first one has ended share its result. */
function sharedUntilEnd<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** The origin as `onConnect` names it. */
export function originOf(protocol: string, host: string): string {
  return `${protocol}//${host}`;
}

/** Connects to the addresses that were checked. */
function lookupIn(checked: ReadonlyMap<string, readonly LookupAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    const addresses = checked.get(hostname) ?? [];
    const [first] = addresses;
    if (first === undefined) callback(notFound(hostname), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
}

/** Whether the proxy is alive. One that has responded to a CONNECT shortly before is not asked, because some know no other method. */
function proxyHealth(proxy: string): { isProxyAlive: () => Promise<boolean>; onProxyResponse: () => void } {
  const responded = createRecently(PROXY_RESPONDED_MS);
  const ask = sharedUntilEnd(() => isProxyAlive(proxy, PROXY_ALIVE_MS));
  return {
    isProxyAlive: async () => responded.isRecent() || (await ask()),
    onProxyResponse: responded.happened,
  };
}
