import { execFile } from 'node:child_process';
import mocha from 'mocha';
import { ROOT } from '../../../docs/support.ts';

/** How a command ended. `output` has both of its streams. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  /** Without the warnings of the engine. */
  readonly stdout: string;
}

const COMMAND_TIMEOUT_MS = 240_000;
const LABEL = 'com.docker.compose';

/** Runs a command of the shell in the folder of docker-compose.yml, without a terminal. Never rejects. */
export function shell(command: string, timeout = COMMAND_TIMEOUT_MS): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd: ROOT, timeout, maxBuffer: 64 * 1024 * 1024 });
    let output = '';
    let stdout = '';
    child.stdout?.on('data', (text) => (stdout += text));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    child.stdin?.end();
    child.once('close', (code) => resolve({ code: code ?? 1, output, stdout }));
  });
}

/** The command that replaces `docker compose` here, set by `npm run test:compose`. */
export const COMPOSE = process.env.COMPOSE ?? 'docker compose';
const ENGINE = process.env.CONTAINER_ENGINE ?? 'docker';

/** Runs `docker compose …` or its replacement, and returns its standard output. Throws both streams if it fails. */
export const compose = (args: string, timeout?: number) => must(`${COMPOSE} ${args}`, timeout);

/** Runs `docker …` or `podman …`, and returns its standard output. Throws both streams if it fails. */
export const engine = (args: string, timeout?: number) => must(`${ENGINE} ${args}`, timeout);

async function must(command: string, timeout?: number): Promise<string> {
  const { code, output, stdout } = await shell(command, timeout);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
  return stdout;
}

/** The names of a service's containers, without those of `run`. */
export async function containersOf(service: string): Promise<string[]> {
  const project = process.env.COMPOSE_PROJECT_NAME ?? 'sluice';
  const filters = `--filter label=${LABEL}.project=${project} --filter label=${LABEL}.service=${service}`;
  const names = await engine(`ps --all ${filters} --format '{{.Names}}'`);
  return names
    .split('\n')
    .filter((name) => name !== '')
    .sort();
}

/** The health check of a container, as written in the compose file. podman runs it now; Docker did so lately. */
export async function isHealthy(container: string): Promise<boolean> {
  if (ENGINE === 'podman') return (await shell(`podman healthcheck run ${container}`)).code === 0;
  return (await engine(`inspect --format '{{.State.Health.Status}}' ${container}`)).trim() === 'healthy';
}

/** The exit code of a container that ended, or undefined while it runs. */
export async function exitCodeOf(container: string): Promise<number | undefined> {
  const text = await engine(`inspect --format '{{.State.Running}} {{.State.ExitCode}}' ${container}`);
  const [running, code] = text.trim().split(' ');
  return running === 'true' ? undefined : Number(code);
}

/** Prints a line of what was measured, below the title of the test, where the reporter prints. */
export function tell(line: string): void {
  mocha.reporters.Base.consoleLog(`      ${line}`);
}
