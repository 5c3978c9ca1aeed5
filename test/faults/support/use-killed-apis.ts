import { mongo } from 'mongoose';
import { type ApiProcesses, startApis } from '../../support/api-processes.ts';
import { type Pipeline, startPipeline } from '../../support/pipeline.ts';

export interface KilledApis {
  readonly pipeline: Pipeline;
  readonly apis: ApiProcesses;
  /** The database that the API servers use. */
  readonly db: mongo.Db;
}

/** Starts API servers for the tests of a suite to kill, and workers beside them. Its fields are set once the tests run. */
export function useKilledApis(count: { readonly apis: number; readonly workers: number }): KilledApis {
  const used = {} as { -readonly [Name in keyof KilledApis]: KilledApis[Name] };
  let client: mongo.MongoClient | undefined;
  before(async () => {
    used.pipeline = await startPipeline({ ingress: 0, workers: count.workers });
    used.apis = await startApis(used.pipeline, count.apis);
    client = await new mongo.MongoClient(used.pipeline.env.MONGO_URL as string).connect();
    used.db = client.db(used.pipeline.namespace);
  });
  after(async () => {
    await used.apis?.stop();
    await client?.close();
    await used.pipeline?.stop();
  });
  return used;
}
