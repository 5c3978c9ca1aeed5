import type { Scope } from '@sluice/contract/account/scopes';
import { expect } from 'chai';
import supertest from 'supertest';
import { applyActions } from '../../support/conversations.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';
import { useApi } from '../../support/use-api.ts';

describe('public API: handoff of a conversation', () => {
  const api = useApi({ config: { KEY_RATE_BURST: 100_000 } });
  let channelId: string;
  before(async () => {
    channelId = (await api.owner.call('post', '/channels', { name: 'Website chat' })).body.channel.channel_id;
  });

  async function makeKey(...scopes: Scope[]): Promise<{ readonly key: string; readonly id: string }> {
    const { body } = await api.owner.call('post', '/keys', { name: 'n8n', scopes, expires_at: null });
    return { key: body.key, id: body.item.key_id };
  }
  const both = () => makeKey('read:conversations', 'write:conversations');

  /** Returns the id of a conversation whose visitor waits for a person. */
  const waiting = (external_id: string): Promise<string> =>
    applyActions(api.deps, { accountId: api.accountId, channelId }, [
      { kind: 'request_handoff', conversation: { external_id, subject: 'Tickets' } },
    ]);

  function post(key: string, path: string, body: object, idempotencyKey?: string) {
    const sent = supertest(api.app)
      .post(`/api/public/conversations/${path}`)
      .set('authorization', `Bearer ${key}`);
    return (idempotencyKey === undefined ? sent : sent.set('idempotency-key', idempotencyKey)).send(body);
  }

  it('accepts the handoff of a visitor who waits, so that a reply is possible, and ends it', async () => {
    const { key, id } = await both();
    const conversation = await waiting('accept');
    const accepted = await post(key, `${conversation}/handoff`, { action: 'accept', agent_name: 'Grace' });
    expect(accepted.status, accepted.text).to.equal(200);
    expect(accepted.body).to.include({ id: conversation, status: 'handoff_active', subject: 'Tickets' });
    expect(accepted.body.handoff.agent).to.deep.equal({ type: 'api_key', id, name: 'Grace' });
    expect(accepted.headers.etag).to.match(/^"\d+-[\da-f]{8}"$/);
    const { status, body, headers } = accepted;
    expectDocumented('updateHandoff', { status, body, contentType: headers['content-type'] });
    expect((await post(key, `${conversation}/messages`, { text: 'Hello' })).status).to.equal(201);
    const ended = await post(key, `${conversation}/handoff`, { action: 'end' });
    expect([ended.status, ended.body.status]).to.deep.equal([200, 'open']);
    const { body: log } = await api.owner.call('get', '/audit');
    type Entry = { readonly action: string; readonly target: { readonly id: string } };
    const own = (log.items as Entry[]).filter(({ target }) => target.id === conversation);
    expect(own.map(({ action }) => action)).to.deep.equal([
      'conversation.handoff_ended',
      'conversation.replied',
      'conversation.accepted',
    ]);
  });

  it('accepts again as the same agent without effect, and rejects another agent', async () => {
    const [{ key }, { key: other }] = [await both(), await both()];
    const path = `${await waiting('twice')}/handoff`;
    const first = await post(key, path, { action: 'accept' });
    expect(first.body.handoff.agent.name).to.equal('n8n');
    expect((await post(key, path, { action: 'accept' })).body).to.deep.equal(first.body);
    const late = await post(other, path, { action: 'accept' });
    expectProblem(late, 'handoff_not_requested');
    expect(late.body.detail).to.contain('is handoff_active');
  });

  it('rejects the end of a handoff that is not active, and names the state', async () => {
    const { key } = await both();
    const answer = await post(key, `${await waiting('not yet')}/handoff`, { action: 'end' });
    expectProblem(answer, 'handoff_not_active');
    expect(answer.body.detail).to.contain('is handoff_requested');
  });

  it('answers a repeat under the same Idempotency-Key, also behind a server that died', async () => {
    const { key } = await both();
    const path = `${await waiting('repeat')}/handoff`;
    await post(key, path, { action: 'accept' });
    const end = () => post(key, path, { action: 'end' }, 'end-1');
    const first = await end();
    const replayed = await end();
    expect([replayed.body, replayed.headers['idempotency-replayed']]).to.deep.equal([first.body, 'true']);
    // A server that died behind the admission leaves such a record.
    const died = { $set: { answer: null, lease_until: new Date(0) } };
    await api.mongo.db.collection('idempotency_keys').updateMany({ account_id: api.accountId }, died);
    const again = await end();
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
  });
});
