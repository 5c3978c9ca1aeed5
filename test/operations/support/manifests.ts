import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../../docs/support.ts';

export const FOLDER = `${ROOT}deploy/kubernetes/`;

/** The parts of a manifest that tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what the schemas check
  readonly [field: string]: any;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
}

export interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly {
    readonly name: string;
    /** The path of a mounted secret. */
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: SecretKey };
  }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
}

interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** Every YAML file of the folder except kustomization.yaml, with its contents. */
export function readManifests(): ReadonlyMap<string, readonly Manifest[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
  return new Map(
    files.map((file) => {
      const documents = parseAllDocuments(readFileSync(FOLDER + file, 'utf8'));
      return [file, documents.map((document) => document.toJS() as Manifest)] as const;
    }),
  );
}

export function readKustomization(): {
  resources: string[];
  namespace: string;
  images: { name: string }[];
  configMapGenerator: object[];
} {
  return parse(readFileSync(`${FOLDER}kustomization.yaml`, 'utf8'));
}

/** The one manifest of this kind and name. */
export function manifest(kind: string, name: string): Manifest {
  const found = [...readManifests().values()].flat().filter((one) => one.kind === kind);
  const named = found.find(({ metadata }) => metadata.name === name);
  if (named === undefined) throw new Error(`there is no ${kind} ${name}`);
  return named;
}

/** The variables of the generated ConfigMap. */
export const CONFIG = parseEnv(readFileSync(`${FOLDER}config.env`, 'utf8')) as Readonly<
  Record<string, string>
>;

/** The key of a secret, of each variable that has one: `REDIS_URL_FILE` or `REDIS_URL`. */
export function secretKeysOf({ env }: Container): readonly string[] {
  return env.map(
    ({ value, valueFrom }) => valueFrom?.secretKeyRef.key ?? String(value).replace('/secrets/', ''),
  );
}

/**
 * The environment of a container in the manifests. `secrets` contains the values of the cluster's secret, and is written
 * into `folder`, in place of the mounted volume.
 */
export function environmentOf(
  { env }: Container,
  secrets: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  for (const [key, text] of Object.entries(secrets)) writeFileSync(join(folder, key), text);
  const fromSecret = env.flatMap(({ name, value, valueFrom }) => {
    if (value !== undefined) return [[name, value.replace('/secrets', folder)] as const];
    const secret = secrets[String(valueFrom?.secretKeyRef.key)];
    return secret === undefined ? [] : [[name, secret] as const];
  });
  return { ...CONFIG, ...Object.fromEntries(fromSecret) };
}
