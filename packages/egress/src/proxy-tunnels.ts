import { type buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { bareHost } from './allowed-addresses.ts';
import { type ConnectRules, refusalOf } from './forbidden-address.ts';
import { ignoringContinue } from './unasked-continue.ts';

interface Settings extends ConnectRules {
  readonly connectMs: number;
  /** Asked once a tunnel has not opened in time: whether the proxy responds to anything. */
  readonly isProxyAlive: () => Promise<boolean>;
  /** Called when the proxy has responded to CONNECT. */
  readonly onProxyResponse: () => void;
  readonly onConnect?: (origin: string) => void;
}

/** Behind a proxy only the proxy is looked up and connected to. So these errors say nothing about the host. */
const PROXY_ERRORS: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'],
  // The certificate of the proxy is for another name.
  'UND_ERR_PRX_TLS',
]);

/** The proxy cannot be reached or hangs, so nothing was sent. */
class ProxyAwayError extends Error {
  readonly code = 'PROXY_AWAY';

  constructor(cause?: Error) {
    super('the proxy does not respond', { cause });
  }
}

/** The proxy rejected CONNECT, so nothing was sent. */
class ProxyRejectedError extends Error {
  readonly code: 'PROXY_REJECTED' | 'PROXY_FORBIDS' | 'PROXY_CANNOT_CONNECT';

  constructor(status: number, cause: Error) {
    super(`the proxy rejected CONNECT (${status})`, { cause });
    this.code = codeOf(status);
  }
}

/** A proxy responds 407 if it does not know us, another 4xx if it allows no connection to this host, and 5xx if it cannot connect. */
function codeOf(status: number): ProxyRejectedError['code'] {
  if (status === 407) return 'PROXY_REJECTED';
  return status >= 500 ? 'PROXY_CANNOT_CONNECT' : 'PROXY_FORBIDS';
}

/**
 * The connections to one origin through the proxy. The client waits for the response to CONNECT without a limit, so a host that
 * swallows packets would look like a host whose connections are all in use. Here it fails after `connectMs`, as without a proxy.
 */
export function tunnels(settings: Settings, origin: string | URL, options: Pool.Options): Dispatcher {
  const tunnel = options.connect;
  // ProxyAgent passes the function that asks the proxy.
  if (typeof tunnel !== 'function') throw new TypeError('a proxy connects by a function');
  const connect = ignoringContinue(limited(settings, new URL(origin), tunnel));
  return new Pool(origin, { ...options, connect });
}

function limited(
  settings: Settings,
  { origin, hostname, protocol }: URL,
  tunnel: buildConnector.connector,
): buildConnector.connector {
  const { connectMs, onConnect, isProxyAlive, onProxyResponse } = settings;
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
      aborting.abort();
      // A host that swallows packets and a proxy that hangs look alike from here.
      void isProxyAlive().then((isAlive) =>
        callback(isAlive ? timeout(connectMs) : new ProxyAwayError(), null),
      );
    }, connectMs);
    const withSignal = { ...options, signal: aborting.signal };
    tunnel(withSignal, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      clearTimeout(timer);
      if (error === null || statusOfRejection(error) !== undefined) onProxyResponse();
      if (ended) socket?.destroy();
      else if (error !== null) callback(named(error), null);
      else callback(null, socket);
      ended = true;
    });
  };
}

function timeout(connectMs: number): Error {
  return new errors.ConnectTimeoutError(`the proxy has not connected within ${connectMs} ms`);
}

function named(error: Error): Error {
  if (PROXY_ERRORS.has((error as NodeJS.ErrnoException).code)) return new ProxyAwayError(error);
  const status = statusOfRejection(error);
  return status === undefined ? error : new ProxyRejectedError(status, error);
}

/** undici 7.30 has the status of the response to CONNECT in the message only. */
function statusOfRejection(error: Error): number | undefined {
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
  return status === undefined ? undefined : Number(status);
}
