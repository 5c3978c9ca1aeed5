import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The source that a newcomer sends the first request to. */
export interface DemoSource {
  readonly sourceId: string;
  readonly endpointUrl: string;
  readonly signingSecret: string;
}

export interface DemoDeps {
  readonly dataDir: string;
  /** The source "demo" of the account "demo", where there is one. */
  readonly find: () => Promise<DemoSource | undefined>;
  /** Makes the account "demo", unless it is there, and the source "demo" in it. */
  readonly create: () => Promise<DemoSource>;
}

export interface Demo {
  readonly source: DemoSource;
  /** Holds the signing secret, for its owner only: the printed command reads it from there. */
  readonly secretFile: string;
  readonly created: boolean;
}

/** Finds or makes the demo source, and keeps its current secret in a file beside the data. */
export async function ensureDemoSource({ dataDir, find, create }: DemoDeps): Promise<Demo> {
  const existing = await find();
  const source = existing ?? (await create());
  const secretFile = join(dataDir, 'demo-signing-secret');
  // Renamed into place, so that the command that was printed earlier never reads half a secret.
  await writeFile(`${secretFile}.new`, `${source.signingSecret}\n`, { mode: 0o600 });
  await rename(`${secretFile}.new`, secretFile);
  return { source, secretFile, created: existing === undefined };
}
