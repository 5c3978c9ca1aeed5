import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { wrongUsage } from './exit-codes.ts';

/** Reads the file that an option names; - is standard input. */
export async function readFileOption(option: string, path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw wrongUsage(`${option}: ${(error as Error).message}`);
  }
}
