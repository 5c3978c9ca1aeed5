import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { interpolateAll } from './interpolate.ts';
import { ROOT } from './root.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A service of docker-compose.yml: the fields that describe how its process runs. */
export interface ComposeService {
  readonly command: readonly string[];
  /** null: the value comes from the environment of `docker compose`. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly build?: { readonly context: string; readonly target: string };
  readonly image?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_signal?: NodeJS.Signals;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly container_name?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** docker-compose.yml as written, with its anchors resolved. */
export function parseComposeFile(): unknown {
  return parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
}

/** docker-compose.yml as `docker compose` reads it in this environment. */
export function readComposeFile(env: Environment): ComposeFile {
  return interpolateAll(parseComposeFile(), env) as ComposeFile;
}

/** The environment of a container: the variables of the image, then those of the file. */
export function environmentOf(
  service: ComposeService,
  image: Environment,
  env: Environment,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...image, ...service.environment })) {
    const resolved = value ?? env[name];
    if (resolved !== undefined) result[name] = resolved;
  }
  return result;
}

/** The services that `docker compose up` starts, each after its dependencies. */
export function startOrder({ services }: ComposeFile): string[] {
  const order: string[] = [];
  const visit = (name: string) => {
    for (const other of Object.keys(services[name]?.depends_on ?? {})) visit(other);
    if (!order.includes(name)) order.push(name);
  };
  for (const [name, { profiles }] of Object.entries(services)) if (profiles === undefined) visit(name);
  return order;
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
