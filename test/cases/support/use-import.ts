import { type Run, sluice } from '../../cli/support.ts';
import { type Pipeline, startPipeline } from '../../support/pipeline.ts';

export interface ImportInstallation {
  /** Runs a command in this process. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
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
  return {
    run: (args, env) => sluice(args, { env: { ...pipeline.env, FEED_PRIVATE_NETWORKS: 'true', ...env } }),
    addSource: async (plan?: 'free') => (await pipeline.addSource({ plan: plan ?? 'unlimited' })).sourceId,
  };
}
