import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';
import { type Resolve, resolveByHost } from './resolve.ts';

/** The addresses that a request to a host may go to, or why there are none. */
export type AllowedAddresses =
  | { readonly outcome: 'allowed'; readonly addresses: readonly [LookupAddress, ...LookupAddress[]] }
  | { readonly outcome: 'unknown_host' | 'forbidden_address' };

export interface AllowedAddressesSettings {
  readonly mayConnect: AddressPolicy;
  readonly resolve?: Resolve;
}

/**
 * Resolves a host name, or reads a literal address. One address that is not allowed makes the whole name suspect. Rejects if the
 * name can't be resolved.
 */
export async function allowedAddresses(
  hostname: string,
  { mayConnect, resolve }: AllowedAddressesSettings,
): Promise<AllowedAddresses> {
  const host = bareHost(hostname);
  const [first, ...others] = await addressesOf(host, resolve);
  if (first === undefined) return { outcome: 'unknown_host' };
  const addresses = [first, ...others] as const;
  return addresses.every(({ address }) => mayConnect(address, host))
    ? { outcome: 'allowed', addresses }
    : { outcome: 'forbidden_address' };
}

/** All addresses of a host without brackets, a name or a literal address. Rejects if a name can't be resolved. */
export async function addressesOf(
  host: string,
  resolve: Resolve = resolveByHost,
): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}

/** An IPv6 address without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
