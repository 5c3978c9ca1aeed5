import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../../support/until.ts';

const STARTS_WITHIN_MS = 600_000;

export interface N8nProcessSettings {
  /** The folder of `node`, and the folder in which n8n is installed. */
  readonly bin: string;
  readonly program: string;
  readonly command: 'start' | 'webhook' | 'worker';
  readonly env: NodeJS.ProcessEnv;
  /** Whether it serves. A rejection counts as no. */
  readonly isReady: () => Promise<boolean>;
}

/** One process of n8n, which can be started again. */
export interface N8nProcess {
  start(): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<void>;
}

export function createN8nProcess({ bin, program, command, env, isReady }: N8nProcessSettings): N8nProcess {
  let child: ChildProcess | undefined;
  let output = '';
  return {
    async start() {
      const script = join(program, 'node_modules', 'n8n', 'bin', 'n8n');
      child = spawn(join(bin, 'node'), [script, command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          output += chunk;
        });
      await until(
        () => {
          if (child?.exitCode !== null) throw new Error(`n8n ${command} ended:\n${output}`);
          return isReady().catch(() => false);
        },
        { what: `n8n ${command} is ready`, withinMs: STARTS_WITHIN_MS },
      );
    },
    async stop(signal) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
