import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The source for a newcomer's first request. */
export interface DemoSource {
  readonly sourceId: string;
  readonly endpointUrl: string;
  readonly signingSecret: string;
}

export interface DemoDeps {
  readonly dataDir: string;
  /** The source "demo" of the account "demo", if it exists. */
  readonly find: () => Promise<DemoSource | undefined>;
  /** Creates the account "demo" if it is missing, and the source "demo" in it. */
  readonly create: () => Promise<DemoSource>;
}

export interface Demo {
  readonly source: DemoSource;
  /** File with the signing secret, readable by its owner only. The printed command reads it. */
  readonly secretFile: string;
  readonly created: boolean;
}

/** Finds or creates the demo source, and writes its current secret to a file beside the data. */
export async function ensureDemoSource({ dataDir, find, create }: DemoDeps): Promise<Demo> {
  const existing = await find();
  const source = existing ?? (await create());
  const secretFile = join(dataDir, 'demo-signing-secret');
  // A rename replaces the file at once, so a command printed earlier never reads half a secret.
  await writeFile(`${secretFile}.new`, `${source.signingSecret}\n`, { mode: 0o600 });
  await rename(`${secretFile}.new`, secretFile);
  return { source, secretFile, created: existing === undefined };
}
