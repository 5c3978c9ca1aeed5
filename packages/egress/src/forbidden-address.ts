import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';

/** The policy refused the address. `code` tells it from errors of the network. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The URL is http, and that is not allowed. */
class PlainHttpError extends Error {
  readonly code = 'PLAIN_HTTP';
}

const PLAIN_HTTP = 'plain http is not allowed';
export const FORBIDDEN = 'the host is in a private or special network';

/** The rules that a connection must follow. */
export interface ConnectRules {
  readonly mayConnect: AddressPolicy;
  /** false: a request with plain http fails before it connects. Default: true. */
  readonly allowHttp?: boolean;
}

/**
 * Returns why a connection must not be opened, as far as its URL shows; undefined if it may. `protocol` as in `https:`, `host`
 * without brackets. A literal address is never looked up, so it is checked here. What a name resolves to is not.
 */
export function refusalOf(
  { mayConnect, allowHttp = true }: ConnectRules,
  protocol: string | undefined,
  host: string,
): ForbiddenAddressError | PlainHttpError | undefined {
  if (!allowHttp && protocol === 'http:') return new PlainHttpError(PLAIN_HTTP);
  return isIP(host) !== 0 && !mayConnect(host) ? new ForbiddenAddressError(FORBIDDEN) : undefined;
}
