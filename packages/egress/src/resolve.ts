import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNameServers, isUnknownName, NameServersAwayError } from './name-servers.ts';
import { type NamesOfMachine, readNamesOfMachine } from './names-of-machine.ts';

/** All addresses of a name. Rejects if it has none, and with a NameServersAwayError if that is not the fault of its domain. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolveSettings {
  /** Name servers, such as `127.0.0.1:53`. Default: those of the machine. */
  readonly servers?: readonly string[];
  readonly readNames?: () => NamesOfMachine;
  /** How long a caller waits. The lookup goes on, and the next caller gets its result. Milliseconds. */
  readonly waitMs?: number;
  /** How long the result of a lookup is remembered that took longer. Milliseconds. */
  readonly rememberMs?: number;
}

export const LOOKUP_MS = 4000;
const REMEMBER_MS = 30_000;
/** Each name server is asked twice, with twice the time the second time. Milliseconds. */
const QUERY = { timeout: 2000, tries: 2 };
/** Some name servers never answer about IPv6. Milliseconds. */
const OTHER_FAMILY_MS = 300;
/** The files of the machine are read again after this. Milliseconds. */
const FILES_MS = 30_000;

/**
 * Asks the name servers itself: `dns.lookup` has a few threads for the whole process, and names whose servers are slow keep them from
 * all others. Concurrent lookups of a name are one.
 */
export function createResolve(settings: ResolveSettings = {}): Resolve {
  const { servers, readNames = readNamesOfMachine, waitMs = LOOKUP_MS, rememberMs = REMEMBER_MS } = settings;
  const nameServers = createNameServers();
  const lookups = new Map<string, Promise<readonly LookupAddress[]>>();
  let machine: (NamesOfMachine & { readonly resolver: Resolver; readonly readAt: number }) | undefined;

  function current() {
    if (machine === undefined || performance.now() - machine.readAt > FILES_MS) {
      machine = { ...readNames(), resolver: new Resolver(QUERY), readAt: performance.now() };
      if (servers !== undefined) machine.resolver.setServers(servers);
    }
    return machine;
  }

  function begin(name: string): Promise<readonly LookupAddress[]> {
    const began = performance.now();
    const { resolver, search } = current();
    const lookup = firstOf(resolver, namesToTry(name, search)).then(
      (found) => {
        nameServers.answered();
        return found;
      },
      (error) => {
        throw nameServers.blamed(error);
      },
    );
    lookups.set(name, lookup);
    const end = (error?: unknown): void => {
      const isLate = performance.now() - began >= waitMs && !(error instanceof NameServersAwayError);
      if (isLate) setTimeout(() => lookups.delete(name), rememberMs).unref();
      else lookups.delete(name);
    };
    lookup.then(() => end(), end);
    return lookup;
  }

  return async (hostname) => {
    const name = hostname.toLowerCase();
    const known = current().hosts(name);
    if (known !== undefined) return known;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new NameServersAwayError()), waitMs);
    });
    return Promise.race([lookups.get(name) ?? begin(name), late]).finally(() => clearTimeout(timer));
  };
}

/** One for the process. */
export const resolveByHost: Resolve = createResolve();

/** Bounds the lookups of an account that are under way. Beyond that it rejects as if no name server had answered. */
export function createResolveFor(
  most: number,
  resolve: Resolve = resolveByHost,
): (accountId: string) => Resolve {
  const underWay = new Map<string, number>();
  return (accountId) => async (hostname) => {
    const before = underWay.get(accountId) ?? 0;
    if (before >= most) throw new NameServersAwayError();
    underWay.set(accountId, before + 1);
    try {
      return await resolve(hostname);
    } finally {
      const left = (underWay.get(accountId) ?? 1) - 1;
      if (left === 0) underWay.delete(accountId);
      else underWay.set(accountId, left);
    }
  };
}

/** The C library does the same: a name without a dot is first one of the domains of resolv.conf. */
function namesToTry(name: string, search: readonly string[]): readonly string[] {
  if (name.endsWith('.')) return [name];
  const within = search.map((domain) => `${name}.${domain}`);
  return name.includes('.') ? [name, ...within] : [...within, name];
}

async function firstOf(resolver: Resolver, names: readonly string[]): Promise<readonly LookupAddress[]> {
  let failure: unknown;
  for (const name of names) {
    try {
      return await bothFamilies(resolver, name);
    } catch (error) {
      const { errors } = error as AggregateError;
      failure ??= errors.find((one) => !isUnknownName(one));
    }
  }
  const [code, words] = failure === undefined ? ['ENOTFOUND', 'no address'] : ['EAI_AGAIN', 'no answer'];
  throw Object.assign(new Error(`${words} for ${names[0]}`, { cause: failure }), { code });
}

/** IPv4 first. Rejects with an AggregateError if there is neither. */
async function bothFamilies(resolver: Resolver, name: string): Promise<readonly LookupAddress[]> {
  const found: LookupAddress[] = [];
  const asks = [4, 6].map(async (family) => {
    const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    for (const address of addresses) found.push({ address, family });
  });
  await Promise.any(asks);
  await Promise.race([Promise.allSettled(asks), sleep(OTHER_FAMILY_MS, undefined, { ref: false })]);
  return [...found].sort((one, other) => one.family - other.family);
}
