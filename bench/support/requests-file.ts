import { readFile, writeFile } from 'node:fs/promises';

const LENGTH_DIGITS = 8;

/** Writes complete HTTP requests, each after its length (8 digits), as wrk.lua reads them. */
export async function writeRequests(file: string, requests: readonly Buffer[]): Promise<void> {
  const framed = requests.flatMap((request) => [
    Buffer.from(String(request.length).padStart(LENGTH_DIGITS, '0')),
    request,
  ]);
  await writeFile(file, Buffer.concat(framed));
}

/** Reads what `writeRequests` has written. */
export async function readRequests(file: string): Promise<Buffer[]> {
  const bytes = await readFile(file);
  const requests: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const from = at + LENGTH_DIGITS;
    at = from + Number(bytes.toString('latin1', at, from));
    requests.push(bytes.subarray(from, at));
  }
  return requests;
}
