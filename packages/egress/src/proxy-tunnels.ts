import { type buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { bareHost } from './allowed-addresses.ts';
import { type ConnectRules, refusalOf } from './forbidden-address.ts';

interface Settings extends ConnectRules {
  readonly connectMs: number;
  readonly onConnect?: (origin: string) => void;
}

/** Behind a proxy only the proxy is looked up and connected to. So these errors say nothing about the host. */
const PROXY_ERRORS: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'],
]);

/** The proxy cannot be reached, so nothing was sent. */
class ProxyAwayError extends Error {
  readonly code = 'PROXY_AWAY';

  constructor(cause: Error) {
    super('the proxy cannot be reached', { cause });
  }
}

/**
 * The connections to one origin through the proxy. The client waits for the response to CONNECT without a limit, so a host that
 * swallows packets would look like a host whose connections are all in use. Here it fails after `connectMs`, as without a proxy.
 */
export function tunnels(settings: Settings, origin: string | URL, options: Pool.Options): Dispatcher {
  const tunnel = options.connect;
  // ProxyAgent passes the function that asks the proxy.
  if (typeof tunnel !== 'function') throw new TypeError('a proxy connects by a function');
  return new Pool(origin, { ...options, connect: limited(settings, new URL(origin), tunnel) });
}

function limited(
  settings: Settings,
  { origin, hostname, protocol }: URL,
  tunnel: buildConnector.connector,
): buildConnector.connector {
  const { connectMs, onConnect } = settings;
  const host = bareHost(hostname);
  return (options, callback) => {
    // The proxy resolves names, so their addresses are not checked.
    const refusal = refusalOf(settings, protocol, host);
    if (refusal !== undefined) {
      callback(refusal, null);
      return;
    }
    onConnect?.(origin);
    const aborting = new AbortController();
    let ended = false;
    const timer = setTimeout(() => {
      ended = true;
      callback(new errors.ConnectTimeoutError(`the proxy has not connected within ${connectMs} ms`), null);
      aborting.abort();
    }, connectMs);
    const withSignal = { ...options, signal: aborting.signal };
    tunnel(withSignal, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      clearTimeout(timer);
      if (ended) socket?.destroy();
      else if (error !== null) callback(named(error), null);
      else callback(null, socket);
      ended = true;
    });
  };
}

function named(error: Error): Error {
  return PROXY_ERRORS.has((error as NodeJS.ErrnoException).code) ? new ProxyAwayError(error) : error;
}
