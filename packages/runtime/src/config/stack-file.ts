import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stillRuns } from '@sluice/machine/process-identity';
import * as z from 'zod';

const stackSchema = z.object({
  /** The launcher: its number, and what tells it from a later process of the same number. */
  pid: z.number(),
  started: z.string(),
  redis_url: z.string(),
  mongo_url: z.string(),
  events_url: z.string(),
  /** Absent in the file of a launcher from before it was noted. */
  api_url: z.string().optional(),
  namespace: z.string(),
  started_at: z.string(),
});

/** What a running `npm start` has started, in `DATA_DIR/stack.json`. */
export type Stack = z.infer<typeof stackSchema>;

/** Where a running `npm start` says what it has started. */
export function stackPath(dataDir: string): string {
  return join(dataDir, 'stack.json');
}

/** The stack that runs on this DATA_DIR; undefined where there is none, or a killed launcher left only its file. */
export async function readRunningStack(dataDir: string): Promise<Stack | undefined> {
  const text = await readFile(stackPath(dataDir), 'utf8').catch(() => '');
  const parsed = stackSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  return (await stillRuns(parsed.data)) ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a reader never sees half of it. */
export async function writeStack(dataDir: string, stack: Stack): Promise<void> {
  const path = stackPath(dataDir);
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(draft, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** Takes the stack file away once everything is stopped. */
export async function removeStack(dataDir: string): Promise<void> {
  await rm(stackPath(dataDir), { force: true });
}
