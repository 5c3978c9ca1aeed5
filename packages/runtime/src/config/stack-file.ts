import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { identifyFolder, stillRuns } from '../process-identity.ts';

const stackSchema = z.object({
  /** The launcher's process id, and an identity that a later process of the same id does not have. */
  pid: z.number(),
  started: z.string(),
  /** The DATA_DIR itself, so that a copy of it names no running process. */
  folder: z.string(),
  redis_url: z.string(),
  mongo_url: z.string(),
  events_url: z.string(),
  api_url: z.string(),
  namespace: z.string(),
  /** Variables of its services that commands share. */
  settings: z.record(z.string(), z.string()),
  started_at: z.string(),
});

/** The addresses and settings that a running `npm start` uses, stored in `DATA_DIR/stack.json`. */
export type Stack = z.infer<typeof stackSchema>;

/** The file in which a running `npm start` lists its stores and addresses. */
export function stackPath(dataDir: string): string {
  return join(dataDir, 'stack.json');
}

/** Returns the stack that runs on this DATA_DIR; undefined: none runs. A killed launcher, or a copy of the folder, leaves a file. */
export async function readRunningStack(dataDir: string): Promise<Stack | undefined> {
  const text = await readFile(stackPath(dataDir), 'utf8').catch(() => '');
  const parsed = stackSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { folder } = parsed.data;
  if (folder !== (await identifyFolder(dataDir))) return undefined;
  return (await stillRuns(parsed.data)) ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a reader never sees half of it. */
export async function writeStack(dataDir: string, stack: Omit<Stack, 'folder'>): Promise<void> {
  const path = stackPath(dataDir);
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  const written: Stack = { ...stack, folder: await identifyFolder(dataDir) };
  await writeFile(draft, `${JSON.stringify(written, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** Removes the stack file once everything is stopped. */
export async function removeStack(dataDir: string): Promise<void> {
  await rm(stackPath(dataDir), { force: true });
}
