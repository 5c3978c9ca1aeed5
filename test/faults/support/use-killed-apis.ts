import { mongo } from 'mongoose';
import { type ApiProcesses, useApis } from '../../support/api-processes.ts';
import { type Pipeline, usePipeline } from '../../support/pipeline.ts';
import { use } from '../../support/use.ts';

export interface KilledApis {
  readonly pipeline: Pipeline;
  readonly apis: ApiProcesses;
  /** The database that the API servers use. */
  readonly db: mongo.Db;
}

/** Starts API servers for the tests of a suite to kill, and workers beside them. */
export function useKilledApis(count: { readonly apis: number; readonly workers: number }): KilledApis {
  const pipeline = usePipeline({ ingress: 0, workers: count.workers });
  const apis = useApis(pipeline, count.apis);
  const connection = use(
    async () => {
      const client = await new mongo.MongoClient(pipeline.env.MONGO_URL as string).connect();
      return { db: client.db(pipeline.namespace), close: () => client.close() };
    },
    ({ close }) => close(),
  );
  return {
    pipeline,
    apis,
    get db() {
      return connection.db;
    },
  };
}
