import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: writes of leads', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads']);

  describe('custom fields of leads', () => {
    const rejected = async (body: object, pointer: string) => {
      for (const [method, path] of [
        ['post', '/leads'],
        ['patch', '/leads/lead_none'],
      ] as const) {
        const answer = await call(method, path, { body });
        expectProblem(answer, 'validation_failed');
        expect(answer.body.errors[0].pointer, method).to.equal(pointer);
      }
    };

    it('with a reserved name are rejected, because their value would be lost', async () => {
      // A literal would set the prototype.
      const body = JSON.parse('{"name":"Ada","fields":{"__proto__":"x","budget":5}}');
      await rejected(body, '/fields/__proto__');
    });

    it('with a number that would be rounded are rejected, and the longest exact ones are kept', async () => {
      for (const crm of [2 ** 53, -(2 ** 53)])
        await rejected({ name: 'Ada', fields: { crm } }, '/fields/crm');
      const fields = { most: 2 ** 53 - 1, least: 1 - 2 ** 53, half: 0.5 };
      expect((await call('post', '/leads', { body: { name: 'Ada', fields } })).body.fields).to.deep.equal(
        fields,
      );
    });
  });

  describe('a request that got 412', () => {
    it('can be sent again with the new ETag and the same Idempotency-Key', async () => {
      const made = await call('post', '/leads', { body: { name: 'Ada' } });
      const path = `/leads/${made.body.id}/stage`;
      const move = (etag: string) =>
        call('post', path, {
          body: { stage: 'stg_won' },
          headers: { 'if-match': etag, 'idempotency-key': 'move-1' },
        });
      const noted = await call('post', path, { body: { stage: 'stg_new', note: 'Called back' } });
      expectProblem(await move(made.headers.etag as string), 'changed_meanwhile');
      const moved = await move(noted.headers.etag as string);
      expect(moved.status, moved.text).to.equal(200);
      expect(moved.body.stage).to.equal('stg_won');
      expect((await move(noted.headers.etag as string)).headers['idempotency-replayed']).to.equal('true');
    });
  });
});
