import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { withheldFromAll } from './needed-environment.ts';

/** Another apt-get or dpkg runs: that of a concurrent start, or the machine's daily update. */
const LOCKED = /Could not get lock/;
const ASK_AGAIN_MS = 1000;

export interface AptGetSettings {
  readonly command?: string;
  /** How long to wait for another apt-get. */
  readonly waitMs?: number;
}

/** Whether packages can be installed here: as root, on Debian or Ubuntu. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Runs apt-get, and retries while another has one of its locks. DPkg::Lock::Timeout waits for the lock of dpkg, but not
 * for the lock of the lists, which `update` needs.
 */
export async function aptGet(
  args: readonly string[],
  { command = 'apt-get', waitMs = 300_000 }: AptGetSettings = {},
): Promise<boolean> {
  const since = Date.now();
  for (let first = true; ; first = false) {
    const { ok, complaint } = await runOnce(command, args);
    if (ok || !LOCKED.test(complaint) || Date.now() - since >= waitMs) {
      process.stderr.write(complaint);
      return ok;
    }
    if (first) process.stderr.write('waiting for another apt-get or dpkg to end …\n');
    await sleep(ASK_AGAIN_MS);
  }
}

async function runOnce(
  command: string,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly complaint: string }> {
  // Its progress goes to stderr, because people and scripts read stdout.
  const child = spawn(command, args, {
    stdio: ['ignore', process.stderr, 'pipe'],
    env: { ...process.env, ...withheldFromAll(), DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code === 0));
    child.once('error', () => resolve(false));
  });
  const complaint = await text(child.stderr);
  return { ok: await ended, complaint };
}
