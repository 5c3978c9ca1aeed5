import { type Run, sluice } from '../../cli/support.ts';
import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { type Pipeline, startPipeline } from '../../support/pipeline.ts';

export interface ImportInstallation {
  /** Runs a command in this process. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  /** `plan`: `free` has five upserts. Default: no limit. */
  addSource(plan?: 'free'): Promise<string>;
}

let started: Promise<Pipeline> | undefined;

/** Stores and a worker, which all files of this folder share: each test has an account. */
function sharedPipeline(): Promise<Pipeline> {
  if (started === undefined) {
    started = startPipeline({ ingress: 0, workers: 1 });
    atTheEndOfTheProcess(async () => {
      const pipeline = await started;
      started = undefined;
      await pipeline?.stop();
    });
  }
  return started;
}

/** An installation for the `describe` that calls it. Feeds may come from this machine. */
export function useImport(): ImportInstallation {
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await sharedPipeline();
  });
  return {
    run: (args, env) => sluice(args, { env: { ...pipeline.env, FEED_PRIVATE_NETWORKS: 'true', ...env } }),
    addSource: async (plan?: 'free') => (await pipeline.addSource({ plan: plan ?? 'unlimited' })).sourceId,
  };
}
