import { isIP } from 'node:net';
import type { AddressPolicy, HttpPolicy } from './address-policy.ts';

/** The policy refused the address. `code` tells it from errors of the network. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The URL is http, and that is not allowed. */
class PlainHttpError extends Error {
  readonly code = 'PLAIN_HTTP';
}

const FORBIDDEN = 'the host is in a private or special network';

/** The rules that a connection must follow. */
export interface ConnectRules {
  readonly mayConnect: AddressPolicy;
  /** A request with plain http fails before it connects where this is false. Default: http may go everywhere. */
  readonly mayUseHttp?: HttpPolicy;
}

/**
 * Returns why a connection must not be opened; undefined if it may. `protocol` as in `https:`, `host` without brackets. `addresses`: what the host
 * resolves to, if that is known.
 */
export function refusalOf(
  { mayConnect, mayUseHttp = () => true }: ConnectRules,
  protocol: string | undefined,
  host: string,
  addresses: readonly string[] = isIP(host) === 0 ? [] : [host],
): ForbiddenAddressError | PlainHttpError | undefined {
  if (!addresses.every((address) => mayConnect(address, host))) return new ForbiddenAddressError(FORBIDDEN);
  const isPlain = protocol === 'http:' && !mayUseHttp(host, addresses);
  return isPlain ? new PlainHttpError('plain http is not allowed') : undefined;
}
