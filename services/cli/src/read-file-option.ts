import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Streams } from './context.ts';
import { wrongUsage } from './exit-codes.ts';

/** Reads the file that an option names; - is standard input. */
export async function readFileOption(streams: Streams, option: string, path: string): Promise<Buffer> {
  if (path === '-') return buffer(streams.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw wrongUsage(`${option}: ${(error as Error).message}`);
  }
}

/** Reads the JSON in the file that an option names. */
export async function readJsonOption(streams: Streams, option: string, path: string): Promise<unknown> {
  const bytes = await readFileOption(streams, option, path);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw wrongUsage(`${option}: The file is not JSON.`);
  }
}
