import type { RequestErrorCode } from '../judge/judge-response.ts';

const CODES: Readonly<Record<string, RequestErrorCode>> = {
  FORBIDDEN_ADDRESS: 'forbidden_address',
  PLAIN_HTTP: 'plain_http',
  PROXY_AWAY: 'no_proxy',
  PROXY_REJECTED: 'proxy_rejected',
  PROXY_FORBIDS: 'proxy_forbids',
  PROXY_CANNOT_CONNECT: 'proxy_cannot_connect',
  NAME_SERVERS_AWAY: 'no_name_server',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'connect_timeout',
  ENETUNREACH: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_long',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ENODATA: 'unknown_host',
  ECONNREFUSED: 'connection_refused',
  EMFILE: 'no_socket',
  ENFILE: 'no_socket',
  ENOBUFS: 'no_socket',
  ENOMEM: 'no_socket',
};

/** Names an error of the HTTP client (undici) or of the operating system. */
export function requestErrorCode(error: unknown): RequestErrorCode {
  for (const one of causesOf(error)) {
    const { code = '' } = one as { code?: string };
    const known = CODES[code];
    if (known !== undefined) return known;
    if (/^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) || code === 'EPROTO')
      return 'tls';
    // undici 7.30 leaves the code of some parse errors out.
    if (code.startsWith('HPE_') || (one as Error).name === 'HTTPParserError') return 'not_http';
  }
  return 'connection_closed';
}

/** An error, its causes, and those of an AggregateError (one for each address of a name). */
function causesOf(error: unknown): unknown[] {
  const all = [error];
  for (const one of all) {
    if (!(one instanceof Error) || all.length > 10) continue;
    if (one.cause !== undefined) all.push(one.cause);
    if (one instanceof AggregateError) all.push(...one.errors);
  }
  return all;
}
