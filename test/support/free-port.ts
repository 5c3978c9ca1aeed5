import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the range from which Linux takes the ports of outgoing connections (32768 up): a port found free up there may
 * be some connection's by the time that a test listens on it.
 */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/** A file a port, with the process that it was given to: other sections and other runs look for ports as well. */
const GIVEN = join(tmpdir(), `sluice-test-ports-${process.getuid?.() ?? 'all'}`);
const own = new Set<string>();
process.once('exit', () => {
  for (const path of own) rmSync(path, { force: true });
});

/** A port of the loopback interface that nobody listens on, and that no other test is given while this process lives. */
export async function freePort(): Promise<number> {
  mkdirSync(GIVEN, { recursive: true });
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (reserve(join(GIVEN, String(port))) && (await isFree(port))) return port;
  }
}

function reserve(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    own.add(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Left by a process that was killed: for the next who comes across it.
    if (!isAlive(path)) rmSync(path, { force: true });
    return false;
  }
}

function isAlive(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
