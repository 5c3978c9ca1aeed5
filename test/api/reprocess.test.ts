import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { useInstallation } from './support/installation.ts';

describe('api: reprocessing, on a running installation', () => {
  const at = useInstallation();

  it('a reprocessed delivery is a new row that refers to the original, and overrides later deliveries', async () => {
    const source = await at.addSource();
    const first = upsertBody({ title: 'Again', price: '1' });
    const { body: sent } = await at.sendTo(source, first);
    await at.sendTo(source, { ...first, event: { ...first.event, price: '2' } });
    await at.logged(source, 2);
    const answer = await at.owner.call('post', `/deliveries/${sent.delivery_id}/reprocess`);
    expect(answer.status, answer.text).to.equal(202);
    const rows = await at.logged(source, 3);
    expect(rows[0]).to.deep.include({
      delivery_id: answer.body.delivery_id,
      reprocess_of: sent.delivery_id,
      outcome: 'updated',
      origin: 'dashboard',
    });
    const { body: events } = await at.owner.call('get', `/events?source_id=${source.id}`);
    expect(events.items[0]).to.include({ title: 'Again', price: '1', source_name: 'Booking' });
    const { body: detail } = await at.owner.call('get', `/deliveries/${sent.delivery_id}`);
    expect(detail.reprocessed_as).to.deep.equal([answer.body.delivery_id]);
  });

  it('bodies of another sender are reprocessed by the current mapping of the source', async () => {
    const source = await at.addSource();
    const foreign = (name?: string) => ({ booked: { name, at: '2027-03-01T10:00:00Z' } });
    for (const body of [foreign('One'), foreign('Two'), foreign()]) await at.sendTo(source, body);
    const sent = await at.logged(source, 3);
    const one = `/deliveries/${sent.at(-1)?.delivery_id}`;
    expectProblem(await at.owner.call('post', `${one}/reprocess`), 'not_reprocessable');
    const rule = {
      do: 'upsert',
      event: { title: { at: '/booked/name' }, starts_at: { at: '/booked/at' } },
    };
    await at.owner.call('put', `/sources/${source.id}/sender`, { preset: 'hmac' });
    await at.owner.call('put', `/sources/${source.id}/mapping`, { mapping: { rules: [rule] } });
    expect(await at.owner.read(one)).to.include({ not_reprocessable: null });
    expect((await at.owner.call('post', `${one}/reprocess`)).status).to.equal(202);
    const [row] = await at.logged(source, 4);
    expect(row).to.include({ outcome: 'created', title: 'One', preset: 'hmac', mapping_version: 1, rule: 0 });
    const order = { filter: { source_id: source.id }, expected: 3, skip_done: true };
    const { body } = await at.owner.call('post', '/deliveries/reprocess', order);
    expect(body).to.include({ reprocessed: 1, refused: 1, skipped: 1 });
    expect(body.reasons[0].detail).to.contain('no mapping makes one of it');
    await at.logged(source, 5);
    const { items } = await at.owner.read(`/events?source_id=${source.id}`);
    expect(items.map(({ title }: { title: string }) => title)).to.have.members(['One', 'Two']);
  });

  it('all matching deliveries are reprocessed in order, once the count is confirmed', async () => {
    const source = await at.addSource();
    const { event } = upsertBody({ title: 'Many' });
    for (const price of ['1', '2', '3'])
      await at.sendTo(source, { action: 'upsert', event: { ...event, price } });
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    await at.logged(source, 4);
    const { body: count } = await at.owner.call('get', `/deliveries/count?source_id=${source.id}`);
    expect(count).to.deep.equal({ matching: 4, reprocessable: 3, done: 0 });
    const filter = { source_id: source.id };
    expectProblem(
      await at.owner.call('post', '/deliveries/reprocess', { filter, expected: 2 }),
      'count_changed',
    );
    const answer = await at.owner.call('post', '/deliveries/reprocess', { filter, expected: 3 });
    expect(answer.body, answer.text).to.include({ reprocessed: 3, refused: 0, next: null });
    await at.logged(source, 7);
    const { body: events } = await at.owner.call('get', `/events?source_id=${source.id}`);
    expect(events.items.map(({ price }: { price: string }) => price)).to.deep.equal(['3']);
    // Reprocessed deliveries are not reprocessed again.
    const after = await at.owner.call('get', `/deliveries/count?source_id=${source.id}`);
    expect(after.body).to.deep.equal({ matching: 7, reprocessable: 3, done: 3 });
    await at.owner.call('put', `/sources/${source.id}/active`, { active: false });
    const inactive = await at.owner.call('post', '/deliveries/reprocess', { filter, expected: 3 });
    expect(inactive.body).to.include({ reprocessed: 0, refused: 3, next: null });
    expect(inactive.body.reasons).to.deep.equal([
      { detail: 'The source is switched off. Switch it on first.', deliveries: 3 },
    ]);
  });

  it('reprocesses all matching deliveries at a low rate, and a repeated request reprocesses none twice', async () => {
    const source = await at.addSource();
    for (let n = 0; n < 4; n++) await at.sendTo(source, upsertBody({ title: `Slow ${n}` }));
    await at.logged(source, 4);
    const slow = { rate_per_second: 1, rate_burst: 2 };
    expect((await at.owner.call('patch', `/sources/${source.id}`, slow)).status).to.equal(200);
    const body = { filter: { source_id: source.id }, expected: 4, skip_done: true };
    const answer = await at.owner.call('post', '/deliveries/reprocess', body);
    expect(answer.body, answer.text).to.include({ reprocessed: 4, refused: 0, next: null });
    // The log may not have the new rows yet.
    const again = await at.owner.call('post', '/deliveries/reprocess', body);
    expect(again.body, again.text).to.include({ reprocessed: 0, refused: 0, skipped: 4 });
    const rows = await at.logged(source, 8);
    const applied = rows.filter(({ outcome, reprocess_of: of }) => of !== null && outcome === 'updated');
    expect(new Set(applied.map(({ reprocess_of: of }) => of)).size).to.equal(4);
    expect(applied.length).to.equal(4);
    const { body: count } = await at.owner.call('get', `/deliveries/count?source_id=${source.id}`);
    expect(count.done).to.equal(4);
  });

  it('continues after `next`, and reprocesses what an inactive source rejected', async () => {
    const source = await at.addSource();
    await at.owner.call('put', `/sources/${source.id}/active`, { active: false });
    for (let n = 0; n < 3; n++)
      await post(source.url, signed({ ...source, body: upsertBody({ title: `Off ${n}` }) }));
    await at.logged(source, 3);
    await at.owner.call('put', `/sources/${source.id}/active`, { active: true });
    const filter = { source_id: source.id, code: 'source_inactive' };
    const body = { filter, expected: 3, skip_done: true };
    const answer = await at.owner.call('post', '/deliveries/reprocess', body);
    expect(answer.body, answer.text).to.include({ reprocessed: 3, refused: 0, next: null });
    const wrong = { ...body, after: 'nonsense' };
    expectProblem(await at.owner.call('post', '/deliveries/reprocess', wrong), 'bad_request');
    await at.logged(source, 6);
    const { body: events } = await at.owner.call('get', `/events?source_id=${source.id}`);
    expect(events.items.length).to.equal(3);
  });

  it('a delivery of a channel is applied again, and its message stays one', async () => {
    const { body: made } = await at.owner.call('post', '/channels', { name: 'Chat' });
    const { channel_id: id } = made.channel;
    const url = `${at.pipeline.urls[0]}/api/v1/conversations/webhook/${id}`;
    const channel = { id, secret: made.signing_secret as string, url };
    const conversation = { external_id: 'c-1' };
    const message = { external_id: 'm-1', author: 'visitor', text: 'Hello' };
    const { body: sent } = await at.sendTo(channel, { action: 'close', conversation, message });
    await at.logged(channel, 1);
    await at.sendTo(channel, { action: 'open', conversation });
    await at.logged(channel, 2);
    const { body: detail } = await at.owner.call('get', `/deliveries/${sent.delivery_id}`);
    expect(detail.not_reprocessable).to.equal(null);
    expect(detail.request.url).to.include('/api/v1/conversations/webhook/chn_');
    const answer = await at.owner.call('post', `/deliveries/${sent.delivery_id}/reprocess`);
    expect(answer.status, answer.text).to.equal(202);
    const rows = await at.logged(channel, 3);
    expect(rows[0]).to.deep.include({ action: 'close', reprocess_of: sent.delivery_id, outcome: 'updated' });
    const { body: list } = await at.owner.call('get', '/conversations');
    expect(list.items).to.have.length(1);
    expect(list.items[0].status).to.equal('closed');
    const thread = await at.owner.call('get', `/conversations/${list.items[0].conversation_id}/messages`);
    expect(thread.body.items.map(({ text }: { text: string }) => text)).to.deep.equal(['Hello']);
  });
});
