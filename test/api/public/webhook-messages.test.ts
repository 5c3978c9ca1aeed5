import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { until } from '../../support/until.ts';
import { useWebhooks } from '../support/use-webhooks.ts';

describe('api: the messages of webhook subscriptions', () => {
  const { api, accountId, keyOf, call, subscribe } = useWebhooks();

  it('lists messages with their attempts page by page, and sends one again at most 10 times a minute', async () => {
    const { body: made } = await subscribe();
    const attempt = (n: number, status: 'delivered' | 'failed') => ({
      ...{
        message_id: `msg_${n}`,
        account_id: accountId(),
        subscription_id: made.id,
        change_id: `change${n}`,
      },
      ...{
        kind: 'lead.created',
        record_id: `lead_${n}`,
        status,
        next_attempt_at: null,
        created_at: 1000 + n,
      },
      attempt: {
        ...{ id: `a${n}`, at: 2000 + n, duration_ms: 5, code: status, status: 200, sentence: 'Done.' },
        ...{ response: null, redelivery: false },
      },
    });
    const rows = [attempt(1, 'delivered'), attempt(2, 'failed'), attempt(3, 'delivered')];
    await api().deps.webhookMessages.logAttempts(rows);
    await api().deps.outboundChanges.appendChanges([
      {
        ...{ change_id: 'change2', account_id: accountId(), kind: 'lead.created', record_id: 'lead_2' },
        ...{ sequence: 2, at: 1002, text: '"type":"lead.created"}' },
      },
    ]);
    const page = (await call('get', `/${made.id}/deliveries?limit=2`)).body;
    expect(page.data.map(({ id }: { id: string }) => id)).to.deep.equal(['msg_3', 'msg_2']);
    const next = await call('get', `/${made.id}/deliveries?limit=2&cursor=${page.next_cursor}`);
    expect(next.body.data).to.have.length(1);
    const failed = (await call('get', `/${made.id}/deliveries?status=failed`)).body.data;
    expect(failed[0]).to.deep.include({ id: 'msg_2', type: 'lead.created', status: 'failed' });
    expect(failed[0].attempts[0]).to.deep.include({ code: 'failed', detail: 'Done.' });
    const again = () => call('post', `/${made.id}/deliveries/msg_2/redeliver`, { body: {} });
    const first = await again();
    expect(first.status, first.text).to.equal(200);
    expect(first.body).to.include({ id: 'msg_2', leaves: 'now' });
    await call('patch', `/${made.id}`, { body: { active: false } });
    const paused = (await again()).body;
    expect(paused.leaves).to.equal('once_active');
    expect(paused.note).to.include('The subscription is paused.');
    await call('patch', `/${made.id}`, { body: { active: true } });
    expectProblem(await call('post', `/${made.id}/deliveries/msg_9/redeliver`, { body: {} }), 'not_found');
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await again()).status);
    expect(statuses.at(-1)).to.equal(429);
    const other = await keyOf(['webhooks']);
    expectProblem(await call('get', `/${made.id}/deliveries`, { as: other }), 'not_found');
  });

  it('tests a subscription: the response has the attempt, or says that it waits', async () => {
    const { body: made } = await subscribe();
    const answering = call('post', `/${made.id}/test`, { body: { event: 'lead.created' } }).then(
      (one) => one,
    );
    const listed = async () => (await call('get', `/${made.id}/deliveries`)).body.data;
    await until(async () => (await listed()).length === 1);
    const [{ id: message_id, type: kind }] = await listed();
    expect(kind).to.equal('webhook.test');
    await api().deps.webhookMessages.logAttempts([
      {
        ...{
          message_id,
          account_id: accountId(),
          subscription_id: made.id,
          change_id: 'change_of_test',
          kind,
        },
        ...{ record_id: made.id, status: 'failed', next_attempt_at: null, created_at: Date.now() },
        attempt: {
          ...{ id: 'a1', at: Date.now(), duration_ms: 5, code: 'server_error', status: 500 },
          ...{ sentence: 'It answered 500.', response: 'broken', redelivery: false },
        },
      },
    ]);
    const tested = await answering;
    expect(tested.status, tested.text).to.equal(200);
    expect(tested.body).to.deep.include({
      ...{ message_id, status: 'failed', detail: 'It answered 500.' },
    });
    expect(tested.body.attempt).to.include({ code: 'server_error', status: 500, response: 'broken' });
    const { body: wrong } = await call('post', `/${made.id}/test`, { body: { event: 'lead' } });
    expect(wrong).to.include({ code: 'validation_failed' });
    expect(wrong.errors[0].pointer).to.equal('/event');
    await call('patch', `/${made.id}`, { body: { active: false } });
    const paused = await call('post', `/${made.id}/test`, { body: {} });
    expectProblem(paused, 'subscription_paused');
    expect(paused.body.detail).to.include('Set "active" to true');
  });

  it('recovers what was missed, and counts tests, redeliveries and recoveries of a key together', async () => {
    const { body: made } = await subscribe();
    const at = Date.now() + 60_000;
    const change = {
      change_id: `missed ${accountId()}`,
      account_id: accountId(),
      kind: 'lead.created' as const,
    };
    await api().deps.outboundChanges.appendChanges([
      { ...change, record_id: 'lead_1', sequence: 1, at, text: '"type":"lead.created"}' },
    ]);
    const recover = (since: unknown, headers = {}) =>
      call('post', `/${made.id}/recover`, { body: { since } as object, headers });
    const first = await recover('2026-01-01T00:00:00Z', { 'idempotency-key': 'again' });
    expect(first.status, first.text).to.equal(200);
    expect(first.body).to.include({ messages: 1, more: false, recovered_since: made.created_at });
    const replayed = await recover('2026-01-01T00:00:00Z', { 'idempotency-key': 'again' });
    expect(replayed.body).to.deep.equal(first.body);
    expect((await recover('2026-01-01T00:00:00Z')).body).to.include({ messages: 0 });
    expect((await recover('soon')).body.errors[0].pointer).to.equal('/since');
    const [waits] = (await call('get', `/${made.id}/deliveries`)).body.data;
    expect(waits).to.deep.include({ status: 'pending', attempts: [], type: 'lead.created' });
    const paths = ['/recover', '/deliveries/msg_1/redeliver', '/test'];
    await call('patch', `/${made.id}`, { body: { active: false } });
    for (let n = 0; n < 8; n++) {
      const body = n % 3 === 0 ? { since: '2026-01-01T00:00:00Z' } : {};
      expect((await call('post', `/${made.id}${paths[n % 3]}`, { body })).status, `${n}`).not.to.equal(429);
    }
    for (const path of paths) {
      const body = path === '/recover' ? { since: '2026-01-01T00:00:00Z' } : {};
      expectProblem(await call('post', `/${made.id}${path}`, { body }), 'rate_limited');
    }
  });
});
