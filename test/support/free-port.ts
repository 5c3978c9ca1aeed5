import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the range from which Linux picks the ports of outgoing connections (32768 and above). A port in that range may
 * be in use by a connection before the test listens on it.
 */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/** One file per port, with the process that uses it: other sections and other runs look for ports too. */
const GIVEN = join(tmpdir(), `sluice-test-ports-${process.getuid?.() ?? 'all'}`);
const own = new Set<string>();
process.once('exit', () => {
  for (const path of own) rmSync(path, { force: true });
});

/** A port of the loopback interface on which nothing listens. No other test gets it while this process lives. */
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
    // The file of a killed process. The next caller that finds the port can use it.
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
