import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run } from './command.mjs';

/** The versions in the stand-in. */
export const NODE = '26.10.0';
const NPM = '11.21.2';
const DEBIAN = 'bookworm';
/** Raise it when the stand-in changes otherwise. */
const RECIPE = 1;
const IMAGE = 'localhost/node:26-slim';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';

/**
 * Builds a stand-in for `node:26-slim`: Debian, and Node and npm from the npm registry. An image of the same recipe is
 * kept. It has the certificates of NODE_EXTRA_CA_CERTS, so that `npm ci` in a build accepts what this machine accepts.
 */
export async function buildBaseImage({ env, folder }) {
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  const certificates = extra
    ? createHash('sha256')
        .update(await readFile(extra))
        .digest('hex')
    : 'its-own';
  const recipe = [RECIPE, DEBIAN, NODE, NPM, certificates].join('-');
  const kept = await run('podman', ['image', 'inspect', '--format', '{{.Config.Labels.recipe}}', IMAGE], {
    env,
  });
  if (kept.output.trim() === recipe) return;
  const work = await mkdtemp(join(folder, 'base-'));
  try {
    const root = join(work, 'root');
    await debian(root);
    await addNode(work, root);
    if (extra) await trust(extra, root);
    await importImage({ root, env, recipe });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Has a separate mount namespace, so that no mount is left when it is interrupted. */
async function debian(root) {
  const args = ['--variant=minbase', '--include=ca-certificates,libatomic1', DEBIAN, root];
  await must('unshare', ['--mount', 'debootstrap', ...args]);
  await must('find', [
    join(root, 'var', 'cache', 'apt'),
    join(root, 'var', 'lib', 'apt', 'lists'),
    '-type',
    'f',
    '-delete',
  ]);
  await must('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
}

async function addNode(work, root) {
  const arch = process.arch;
  const local = join(root, 'usr', 'local');
  const npm = join(local, 'lib', 'node_modules', 'npm');
  await must('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    work,
    `node-linux-${arch}@${NODE}`,
    `npm@${NPM}`,
  ]);
  await must('tar', [
    '-xzf',
    join(work, `node-linux-${arch}-${NODE}.tgz`),
    '-C',
    local,
    '--strip-components=1',
    '--no-same-owner',
    'package/bin',
    'package/LICENSE',
  ]);
  await mkdir(npm, { recursive: true });
  await must('tar', [
    '-xzf',
    join(work, `npm-${NPM}.tgz`),
    '-C',
    npm,
    '--strip-components=1',
    '--no-same-owner',
  ]);
  for (const name of ['npm', 'npx']) {
    await chmod(join(npm, 'bin', `${name}-cli.js`), 0o755);
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  }
}

/** For npm, curl and apt in builds. Node itself is left alone, because it runs in production. */
async function trust(certificates, root) {
  await copyFile(certificates, join(root, CERTIFICATES));
  const etc = join(root, 'usr', 'local', 'etc');
  await mkdir(etc, { recursive: true });
  await writeFile(join(etc, 'npmrc'), `cafile=/${CERTIFICATES}\n`);
}

async function importImage({ root, env, recipe }) {
  const tar = spawn('tar', ['-C', root, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Not `close`: nothing here reads its output.
  const ended = once(tar, 'exit');
  const changes = ['CMD ["node"]', `LABEL recipe=${recipe}`].flatMap((line) => ['--change', line]);
  await must('podman', ['import', ...changes, '-', IMAGE], { env, input: tar.stdout });
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar of the base image ended with ${code}`);
}
