#!/usr/bin/env node
// Checks that every shipped package may ship with MIT-licensed software: npm run licences [-- another package-lock.json]
import { readFileSync } from 'node:fs';
import { ALLOWED_LICENCES, mayShip, shippedPackages } from './lib/shipped.mjs';

const file = process.argv[2] ?? new URL('../package-lock.json', import.meta.url);
const shipped = shippedPackages(JSON.parse(readFileSync(file, 'utf8')));
const refused = shipped.filter(({ license }) => !mayShip(license));
for (const { name, version, license } of refused) {
  console.error(`${name}@${version}: ${license ?? 'no licence named'}`);
}
if (refused.length > 0) {
  console.error(
    `${refused.length} of ${shipped.length} packages may not ship. Replace them, or add the licence to ` +
      `scripts/lib/shipped.mjs after the maintainers agreed. Allowed: ${[...ALLOWED_LICENCES].join(', ')}`,
  );
  process.exit(1);
}
console.log(`${shipped.length} packages ship, all under licences that allow it`);
