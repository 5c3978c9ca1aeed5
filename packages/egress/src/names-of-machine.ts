import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** The names that the machine knows itself. */
export interface NamesOfMachine {
  /** The addresses of a name in the hosts file, or of localhost. In lower case. */
  hosts(name: string): readonly LookupAddress[] | undefined;
  /** The domains of resolv.conf in which a name is looked up too. */
  readonly search: readonly string[];
}

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Reads the hosts file and resolv.conf. A missing file counts as an empty one. */
export function readNamesOfMachine(folder = '/etc'): NamesOfMachine {
  const hosts = readHosts(contentOf(`${folder}/hosts`));
  const [, domains = ''] =
    [...contentOf(`${folder}/resolv.conf`).matchAll(/^(?:search|domain)[ \t]+(.*)$/gm)].at(-1) ?? [];
  return {
    hosts: (name) => hosts.get(name) ?? (/(?:^|\.)localhost\.?$/.test(name) ? LOOPBACK : undefined),
    search: domains.split(/\s+/).filter((domain) => domain !== '' && domain !== '.'),
  };
}

function readHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    // An address with a zone is one of a link, to which nothing may be sent.
    if (family === 0 || address.includes('%')) continue;
    for (const name of names) hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
  }
  return hosts;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
