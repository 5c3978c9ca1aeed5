import { existsSync } from 'node:fs';
import { access, constants, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { aptGet, mayInstall } from './apt-get.ts';

const NAMES = ['redis-server', 'valkey-server'];

export type RedisBinary =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly detail: string };

export interface RedisBinarySettings {
  readonly say: (line: string) => void;
  readonly path?: string;
  /** Installs redis-server. Undefined if this machine does not allow it. */
  readonly install?: (() => Promise<unknown>) | undefined;
}

/** redis-server or valkey-server from the PATH. Otherwise installs it with apt-get, as root on Debian. */
export async function provideRedisBinary({
  say,
  path = process.env.PATH ?? '',
  install = mayInstall() ? installWithApt : undefined,
}: RedisBinarySettings): Promise<RedisBinary> {
  const present = await onPath(NAMES, path);
  if (present !== undefined) return { ok: true, path: present };
  if (install !== undefined) {
    say('no redis-server or valkey-server on PATH; installing redis-server with apt-get …');
    await install();
    // Look again even after a failure, because a concurrent start may have installed it.
    const installed = await onPath(NAMES, path);
    if (installed !== undefined) return { ok: true, path: installed };
    say('apt-get could not install redis-server');
  }
  return { ok: false, detail: THREE_WAYS };
}

const THREE_WAYS = [
  'Sluice needs Redis. Choose one of these:',
  '  1. install redis-server or valkey-server (7 or later), so that it is on PATH;',
  '  2. set REDIS_URL to a Redis that runs elsewhere;',
  '  3. run this as root on Debian or Ubuntu, so that it installs redis-server.',
].join('\n');

/** The first executable of these names on a PATH. */
export async function onPath(names: readonly string[], path: string): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const file = join(folder, name);
      const executable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (executable) return file;
    }
  }
  return undefined;
}

/** Debian starts a service when its package is installed, unless this script exits with 101. */
const POLICY = '/usr/sbin/policy-rc.d';

async function installWithApt(): Promise<boolean> {
  const guard = !existsSync(POLICY);
  if (guard) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const updated = await aptGet(['update', '-qq']);
    return updated && (await aptGet(['install', '-y', '-qq', '--no-install-recommends', 'redis-server']));
  } finally {
    if (guard) await rm(POLICY, { force: true });
  }
}
