/** The policy refused the address. `code` tells it from errors of the network. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

export const FORBIDDEN = 'the host is in a private or special network';
