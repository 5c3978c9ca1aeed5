import { createProgram } from '../../../services/cli/src/program.ts';
import { type Pipeline, startPipeline } from '../../support/pipeline.ts';

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Each line of stdout as JSON. */
  readonly rows: readonly Record<string, unknown>[];
}

export interface ImportInstallation {
  /** Runs a command of the real program in this process, because a process for each case would take minutes. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** `plan`: `free` has five upserts. Default: no limit. */
  addSource(plan?: 'free'): Promise<string>;
}

/** Stores and a worker for the `describe` that calls it. Feeds may come from this machine. */
export function useImport(): ImportInstallation {
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline({ ingress: 0, workers: 1 });
  });
  after(() => pipeline?.stop());
  const run: ImportInstallation['run'] = async (args, env) => {
    let [stdout, stderr] = ['', ''];
    const program = createProgram({
      env: { ...pipeline.env, FEED_PRIVATE_NETWORKS: 'true', ...env },
      streams: {
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
      },
      now: Date.now,
    });
    const before = process.exitCode;
    process.exitCode = 0;
    try {
      await program.parseAsync(args, { from: 'user' });
      const lines = args.includes('--json') ? stdout.split('\n').filter(Boolean) : [];
      return { code: process.exitCode, stdout, stderr, rows: lines.map((line) => JSON.parse(line)) };
    } catch (error) {
      const { exitCode = 1, message } = error as Error & { exitCode?: number };
      return { code: exitCode, stdout, stderr: `${stderr}${message}`, rows: [] };
    } finally {
      process.exitCode = before;
    }
  };
  return {
    run,
    addSource: async (plan?: 'free') => (await pipeline.addSource({ plan: plan ?? 'unlimited' })).sourceId,
  };
}
