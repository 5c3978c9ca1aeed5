import { join } from 'node:path';
import { ROOT, say } from '../lib/run.mjs';
import { run } from './command.mjs';
import { providePodman } from './podman.mjs';

/**
 * The container engine of the tests: `{ name, engine, compose, env }`, where `compose` is the command that replaces
 * `docker compose`. Docker if its daemon answers, else podman. Resolves to `{ why }`, one line, if there is neither.
 * @param {string} folder keeps what this installs
 */
export async function provideEngine(folder) {
  const docker = await run('docker', ['compose', 'version', '--short'], { timeoutMs: 10_000 });
  const daemon = await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 10_000 });
  if (docker.code === 0 && daemon.code === 0) {
    const name = `Docker ${daemon.output.trim()}, Compose ${docker.output.trim()}`;
    return { name, engine: 'docker', compose: 'docker compose', env: process.env };
  }
  say('no Docker daemon answers; using podman');
  const podman = await providePodman(folder);
  if (podman.why !== undefined) return podman;
  const adapter = join(ROOT, 'scripts', 'compose', 'podman-compose.mjs');
  return { ...podman, engine: 'podman', compose: `${process.execPath} ${adapter}` };
}
