import { mongoRefusal } from '@sluice/store/connection/mongo-refusal';
import { connectToMongo } from '../connect-mongo.ts';
import { withReleases } from '../connecting.ts';
import { type Finding, ok, problem } from './finding.ts';

const NAMED_AT_MOST = 10;

/** Writes and deletes one document, and compares the indexes with those of this version. */
export async function checkMongo(url: string, namespace: string): Promise<Finding> {
  const began = performance.now();
  try {
    return await withReleases(async (onClose) => {
      const store = await connectToMongo({ url, namespace }, onClose);
      await store.proveWrites();
      const took = Math.round(performance.now() - began);
      const missing = await store.missingIndexes();
      if (missing.length === 0) return ok('MongoDB', `it took a write within ${took} ms`);
      const named = missing.slice(0, NAMED_AT_MOST).join(', ');
      const rest = missing.length > NAMED_AT_MOST ? ' …' : '';
      return problem(
        'MongoDB',
        `it lacks ${missing.length} indexes, so queries are slow: ${named}${rest}`,
        'Restart an API server or a worker: it creates missing indexes.',
      );
    });
  } catch (error) {
    const advice = mongoRefusal(error)?.advice ?? 'Check MONGO_URL and the server.';
    return problem('MongoDB', (error as Error).message, advice);
  }
}
