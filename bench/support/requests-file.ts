import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

const LENGTH_DIGITS = 8;

/** Writes complete HTTP requests, each after its length (8 digits), as wrk.lua reads them. */
export async function writeRequests(file: string, requests: Iterable<Buffer>): Promise<void> {
  const stream = createWriteStream(file);
  for (const request of requests) {
    const length = Buffer.from(String(request.length).padStart(LENGTH_DIGITS, '0'));
    if (!stream.write(Buffer.concat([length, request]))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
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
