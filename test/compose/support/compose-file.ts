import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../docs/support.ts';

/** A service of docker-compose.yml: the fields that describe how its process runs. */
interface ComposeService {
  readonly command: readonly string[];
  /** null: the value comes from the environment of `docker compose`. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly build?: { readonly context: string; readonly target: string };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** docker-compose.yml as written, with its anchors resolved and its variables in place. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A compose duration such as `1m30s`, in milliseconds. */
export function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  if (parts.map(([part]) => part).join('') !== text) throw new Error(`not a duration: ${text}`);
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit as string] ?? Number.NaN),
    0,
  );
}
