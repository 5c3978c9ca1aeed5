import { isIP } from 'node:net';
import { addressesOf } from '@sluice/egress/allowed-addresses';
import { type Finding, ok, problem } from './finding.ts';

/** The entries of each variable that opens private hosts, by its name. */
export type Allowed = Readonly<Record<string, readonly string[]>>;

/** Lists the entries, with what their names resolve to from here. Nothing is said of a variable without any. */
export async function checkAllowed(allowed: Allowed): Promise<readonly Finding[]> {
  const set = Object.entries(allowed).filter(([, entries]) => entries.length > 0);
  const checked = await Promise.all(set.map(([variable, entries]) => checkEntries(variable, entries)));
  return checked.flat();
}

async function checkEntries(variable: string, entries: readonly string[]): Promise<readonly Finding[]> {
  const found = await Promise.all(
    entries.map(async (entry) => ({ entry, addresses: await resolved(entry) })),
  );
  const words = found.map(({ entry, addresses }) =>
    addresses === undefined || addresses.length === 0 ? entry : `${entry} (${addresses.join(', ')})`,
  );
  const unknown = found.flatMap(({ entry, addresses }) => (addresses?.length === 0 ? [entry] : []));
  return [
    ok('allowed hosts', `${variable}: ${words.join(', ')}`),
    ...unknown.map((entry) =>
      problem(
        'allowed hosts',
        `${variable}: ${entry} has no address here`,
        'Correct the name, or run this command where the service runs.',
      ),
    ),
  ];
}

/** The addresses of a name; undefined for an entry that is none. */
async function resolved(entry: string): Promise<readonly string[] | undefined> {
  if (isIP(entry) !== 0 || /[/*]/.test(entry)) return undefined;
  const found = await addressesOf(entry).catch(() => []);
  return found.map(({ address }) => address);
}
