import { expect } from 'chai';
import request from 'supertest';
import { useIngress } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: an accepted request', () => {
  const it_ = useIngress();

  it('gets 200 with its delivery id once its action is enqueued', async () => {
    const source = await it_.addSource();
    const { body, headers } = signed({ secret: source.secret, body: upsertBody() });
    const answer = await request(it_.url).post(source.path).set(headers).send(body.toString());
    expect(answer.status, answer.text).to.equal(200);
    const [action] = await it_.enqueuedActions();
    expect(answer.body).to.deep.equal({ ok: true, status: 'ok', delivery_id: action?.delivery_id });
  });

  it('gets a note that names the fields of an upsert that are not known', async () => {
    const source = await it_.addSource();
    const send = async (action: string) => {
      const event = { title: 'Open day', starts_at: '2027-03-01T18:00:00Z', endsAt: 'x', descripton: 'y' };
      const { body, headers } = signed({ secret: source.secret, body: JSON.stringify({ action, event }) });
      return (await request(it_.url).post(source.path).set(headers).send(body.toString())).body;
    };
    expect((await send('upsert')).note).to.match(
      /ignored: endsAt, descripton\. An event has title, .*ends_at/,
    );
    // Cancel and delete read only what identifies the event.
    expect(await send('cancel')).to.not.have.property('note');
  });

  it('has its external_id in the job, which older workers leave to newer ones, if its source uses them', async () => {
    const send = async (source: Awaited<ReturnType<typeof it_.addSource>>, more = {}) => {
      const sent = { title: 'Open day', starts_at: '2027-03-01T18:00:00Z', external_id: 'A', replaces: 'B' };
      const event = { ...sent, ...more };
      const { body, headers } = signed({
        secret: source.secret,
        body: JSON.stringify({ action: 'upsert', event }),
      });
      const { note } = (await request(it_.url).post(source.path).set(headers).send(body.toString())).body;
      const [job] = (await it_.enqueuedActions()).filter(({ source_id }) => source_id === source.sourceId);
      return { note, action: job?.action };
    };
    const on = await send(await it_.addSource({ external_ids: true }));
    expect(on.note).to.equal(undefined);
    expect(on.action).to.include({ external_id: 'A', replaces: 'B' });
    const misspelt = await send(await it_.addSource({ external_ids: true }), { endsAt: 'x' });
    expect(misspelt.note).to.match(/ignored: endsAt\. An event has title, .*, external_id, replaces\.$/);
    const off = await send(await it_.addSource());
    expect(off.note).to.contain('ignored: external_id, replaces.').and.contain('--external-ids on');
    expect(off.action).to.not.have.property('external_id');
  });
});
