import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { addKey, useApis } from '../support/api-processes.ts';
import { usePipeline } from '../support/pipeline.ts';

/** Well below the Retry-After of the responses, so that requests meet. */
const AGAIN_MS = 200;

describe('guarantee 11: one request, one record on two API servers', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 0, workers: 0 });
  const apis = useApis(pipeline, 2);

  it('make one lead of forty concurrent creates that match on one new email', async () => {
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    const send = async (index: number): Promise<{ id: string; created: boolean }> => {
      // A 503 of a busy machine is repeated under its key, as clients do.
      for (;;) {
        const response = await fetch(`${apis.urls[index % 2]}/api/public/leads?match_on=email`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': `create-${index}`,
          },
          body: JSON.stringify({ email: 'One@example.com', company: `Company ${index % 5}` }),
        });
        const body = (await response.json()) as { id: string; created: boolean };
        if (response.status !== 503 && response.status !== 409) {
          expect(response.status, JSON.stringify(body)).to.be.oneOf([200, 201]);
          return body;
        }
        await sleep(AGAIN_MS);
      }
    };
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index)));
    expect(new Set(answers.map(({ id }) => id)).size, 'ids').to.equal(1);
    expect(answers.filter(({ created }) => created)).to.have.length(1);
    const client = await new mongo.MongoClient(pipeline.env.MONGO_URL as string).connect();
    const leads = client.db(pipeline.namespace).collection('leads');
    expect(await leads.countDocuments({ account_id: accountId }).finally(() => client.close())).to.equal(1);
  });
});
