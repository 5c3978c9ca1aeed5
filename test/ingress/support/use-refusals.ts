import type { ProblemCode } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { expectProblem } from '../../support/expect-problem.ts';
import { startIngress, type TestIngress, type TestSource } from '../../support/ingress.ts';
import { signed, upsertBody } from '../../support/signed.ts';

/** An ingress with a new source for each test, and the requests that the tests of rejections send to it. */
export function useRefusals() {
  let ingress: TestIngress;
  let source: TestSource;

  before(async () => {
    ingress = await startIngress({ config: { API_URL: 'https://sluice.example.com' } });
  });
  beforeEach(async () => {
    source = await ingress.addSource();
  });
  after(() => ingress?.close());

  return {
    ingress: () => ingress,
    source: () => source,
    post: (headers: Record<string, string>, body: string | Buffer, path = source.path): Promise<Response> =>
      request(ingress.url)
        .post(path)
        .set(headers)
        .serialize(String)
        .send(body.toString()) as unknown as Promise<Response>,
    /** A request that is accepted. */
    good: () => signed({ secret: source.secret, body: upsertBody() }),
    /** The rejection must be the response, and once in the jobs for the delivery log. */
    async expectRefused(
      answer: Response,
      code: ProblemCode,
      logged: { action?: string; title?: string } = {},
    ) {
      expectProblem(answer, code);
      const rows = (await ingress.enqueuedRefusals()).filter((row) => row.source_id === source.sourceId);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({
        code,
        request_id: answer.headers['x-request-id'],
        account_id: source.accountId,
      });
      expect(rows[0]?.action).to.equal(logged.action ?? null);
      expect(rows[0]?.title).to.equal(logged.title ?? null);
      expect(rows[0]?.reason).to.have.length.above(10);
      expect((await ingress.enqueuedActions()).filter((row) => row.source_id === source.sourceId)).to.be
        .empty;
    },
  };
}
