import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, say } from './run.mjs';

/** A script of the build environment, beside the repository, that starts a second MongoDB-compatible engine. */
const UP = join(ROOT, '..', 'shared', 'mongodb', 'up');
const DOWN = join(ROOT, '..', 'shared', 'mongodb', 'down');
const PORT = Number(process.env.DOCUMENTDB_PORT ?? 27117);
const UP_TIMEOUT_MS = 10 * 60_000;

/**
 * Starts DocumentDB if its script exists. Resolves to `{ url }`, or prints the reason and resolves to undefined. It stops when this
 * process ends, unless it was running before.
 */
export async function startDocumentDb() {
  if (!existsSync(UP)) {
    say(
      'no script for a second database engine; the store and pipeline tests ran on the embedded store only',
    );
    return undefined;
  }
  const wasRunning = await accepts(PORT);
  say('starting DocumentDB for the store and pipeline tests (about two minutes the first time) …');
  try {
    if (!wasRunning) process.once('exit', () => execFileSync(DOWN, [], { stdio: 'ignore' }));
    const { stdout } = await promisify(execFile)(UP, [], { timeout: UP_TIMEOUT_MS });
    return { url: stdout.trim() };
  } catch (error) {
    say(`DocumentDB did not start, so nothing was tested on it: ${error.stderr?.trim() || error.message}`);
    return undefined;
  }
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
