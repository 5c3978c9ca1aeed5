import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const INTEGRATIONS = new URL('../../../integrations/', import.meta.url);
const requireFrom = createRequire(INTEGRATIONS);

// `npm pack` makes this copy too.
copyFileSync(
  new URL('contract/contract.json', INTEGRATIONS),
  new URL('node-red-sluice/contract.json', INTEGRATIONS),
);

/** Loads a file of node-red-sluice, by its path in the package. */
export function requireNodeRed<T>(path: string): T {
  return requireFrom(`./node-red-sluice/${path}`) as T;
}
