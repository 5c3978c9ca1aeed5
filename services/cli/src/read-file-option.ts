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
