/** The policy refused the address. `code` tells it from errors of the network. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The URL is http, and that is not allowed. */
export class PlainHttpError extends Error {
  readonly code = 'PLAIN_HTTP';
}

export const PLAIN_HTTP = 'plain http is not allowed';
export const FORBIDDEN = 'the host is in a private or special network';
