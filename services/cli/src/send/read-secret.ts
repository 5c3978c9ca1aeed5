import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { wrongUsage } from '../exit-codes.ts';

/** Reads the file that an option names; - is standard input. */
export async function readFileOption(option: string, path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (error) {
    throw wrongUsage(`${option}: ${(error as Error).message}`);
  }
}

/**
 * Reads the signing secret from a file. Removes one newline at the end, which editors and `echo` add. Everything else
 * belongs to the secret, because the whole string is the HMAC key.
 */
export async function readSecret(path: string): Promise<string> {
  const secret = (await readFileOption('--secret-file', path)).toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') throw wrongUsage(`--secret-file: ${path === '-' ? 'standard input' : path} is empty.`);
  return secret;
}
