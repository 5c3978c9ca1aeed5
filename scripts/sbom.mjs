#!/usr/bin/env node
// Prints the bill of materials of what ships (CycloneDX, JSON): npm run --silent sbom > sluice.cdx.json
import { readFileSync } from 'node:fs';
import { billOfMaterials } from './lib/shipped.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
process.stdout.write(`${JSON.stringify(billOfMaterials(lock), null, 2)}\n`);
