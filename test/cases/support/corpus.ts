import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the checkout, on build machines and where the cases are written. */
export const CASES = new URL('../../../../shared/cases/', import.meta.url).pathname;
const SAMPLES = new URL('../samples/', import.meta.url).pathname;

export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The calendars of ../shared/cases, or the samples of this repository without that folder. */
export function calendars(): readonly Sample[] {
  const folder = existsSync(CASES) ? CASES : SAMPLES;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ics'))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}
