import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The source for a newcomer's first request. */
export interface DemoSource {
  readonly sourceId: string;
  readonly endpointUrl: string;
  readonly signingSecret: string;
}

export interface Demo {
  readonly source: DemoSource;
  /** File with the signing secret, readable by its owner only. The printed command reads it. */
  readonly secretFile: string;
}

/** Writes the current secret of the demo source to a file beside the data. */
export async function keepDemoSecret(dataDir: string, source: DemoSource): Promise<Demo> {
  const secretFile = join(dataDir, 'demo-signing-secret');
  // A rename replaces the file at once, so a command printed earlier never reads half a secret.
  await writeFile(`${secretFile}.new`, `${source.signingSecret}\n`, { mode: 0o600 });
  await rename(`${secretFile}.new`, secretFile);
  return { source, secretFile };
}
