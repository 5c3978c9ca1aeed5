import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** All addresses of a name. Rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves as the operating system does, so that its hosts file counts. */
export const resolveByHost: Resolve = (hostname) => lookup(hostname, { all: true });
