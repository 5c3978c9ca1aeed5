import { differences } from '@sluice/api/deliveries/near-events';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { PRESETS, type PresetName } from '@sluice/signature/presets/presets';
import { sampleBody } from '@sluice/signature/presets/samples';
import { readProfile } from '@sluice/signature/sender/profile';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { useInstallation } from './support/installation.ts';

const START = Date.UTC(2027, 2, 1, 10);
const EVENT = { title: 'Jazz night', starts_at: START, location: 'Berlin' };

describe('api: the explanation of a delivery that changed nothing', () => {
  const at = useInstallation();
  const detailOf = ({ delivery_id }: DeliveryItem) => at.owner.read(`/deliveries/${delivery_id}`);

  it('names the nearest events of a not_found, and what differs', async () => {
    const source = await at.addSource();
    const event = { title: 'Jazz night', starts_at: '2027-03-01T10:00:00Z', location: 'Berlin' };
    await at.sendTo(source, upsertBody(event));
    await at.sendTo(source, upsertBody({ ...event, starts_at: '2027-04-01T10:00:00Z' }));
    await at.sendTo(source, { action: 'cancel', event: { ...event, starts_at: '2027-03-01T11:00:00Z' } });
    await at.sendTo(source, { action: 'delete', event: { ...event, title: 'jazz night' } });
    const rows = await at.logged(source, 4);
    const moved = await detailOf(rows.find(({ action }) => action === 'cancel') as DeliveryItem);
    expect(moved.why.title).to.equal('No event has this title, start and location');
    expect(moved.why.near[0]).to.deep.include({ title: 'Jazz night', starts_at: '2027-03-01T10:00:00.000Z' });
    expect(moved.why.near[0].differs[0]).to.contain('The difference is 1 h.');
    expect(moved.why.near.length).to.equal(2);
    const cased = await detailOf(rows.find(({ action }) => action === 'delete') as DeliveryItem);
    expect(cased.why.near[0].differs).to.deep.equal(['The title differs in upper and lower case.']);
  });

  it('states that the event was deleted before', async () => {
    const source = await at.addSource();
    const body = upsertBody({ title: 'Gone' });
    await at.sendTo(source, body);
    await at.sendTo(source, { ...body, action: 'delete' });
    await at.logged(source, 2);
    await at.sendTo(source, { ...body, action: 'delete', event: { ...body.event, note: 'again' } });
    const rows = await at.logged(source, 3);
    const detail = await detailOf(rows[0] as DeliveryItem);
    expect(detail.why.title).to.equal('The event was deleted before');
    expect(detail.why.near[0]).to.include({ title: 'Gone', deleted: true });
  });

  it('names the external_id of the event that a cancel without one did not find', async () => {
    const source = await at.addSource();
    const event = { title: 'Jazz night', starts_at: '2027-03-01T10:00:00Z' };
    await at.sendTo(source, upsertBody({ ...event, external_id: 'booking-1' }));
    await at.sendTo(source, { action: 'cancel', event });
    await at.sendTo(source, { action: 'delete', event: { external_id: 'booking-2' } });
    const rows = await at.logged(source, 3);
    expect(rows.map(({ external_id }) => external_id).toSorted()).to.deep.equal([
      'booking-1',
      'booking-2',
      null,
    ]);
    const why = async (kind: string) => {
      const row = rows.find(({ action, outcome }) => action === kind && outcome === 'not_found');
      return (await detailOf(row as DeliveryItem)).why;
    };
    expect(await why('cancel')).to.deep.include({
      what: 'An event with this title, start and location has the external_id “booking-1”.',
      fix: 'Send external_id.',
    });
    expect(await why('delete')).to.include({ title: 'No event has this external_id' });
  });

  it('links a duplicate to the first request', async () => {
    const source = await at.addSource();
    const request = signed({ ...source, body: upsertBody() });
    await post(source.url, request);
    await at.logged(source, 1);
    await post(source.url, request);
    const rows = await at.logged(source, 2);
    const duplicate = rows.find(({ outcome }) => outcome === 'duplicate') as DeliveryItem;
    const detail = await detailOf(duplicate);
    expect(detail.why.links).to.deep.equal([{ words: 'First request', delivery_id: duplicate.duplicate_of }]);
  });

  const BY_TIME = {
    kind: 'hmac',
    header: 'X-Mine',
    encoding: 'hex',
    signed: ['{time}', '.', '{body}'],
    time: { from: 'header', header: 'X-Time', unit: 's' },
  };
  for (const [what, sender, explained] of [
    ['the id', { preset: 'standard-webhooks' }, 'A message with the same id was received before.'],
    ['the time', { preset: 'hmac', profile: BY_TIME }, 'Its timestamp, signature and body are those of'],
    ['a dated body', { preset: 'cal-com' }, 'The same body was received before, and it says when'],
  ] as const)
    it(`explains a duplicate of a sender that signs ${what} by it, and does not advise to sign again`, async () => {
      const source = await at.addSource();
      const path = `/sources/${source.id}`;
      const changed = await at.owner.call('put', `${path}/sender`, sender);
      expect(changed.status, changed.text).to.equal(200);
      const secret = (await at.owner.call('post', `${path}/secret/reveal`)).body.signing_secret;
      const read = 'profile' in sender ? readProfile(sender.profile) : undefined;
      const verify = read?.outcome === 'valid' ? read.profile : PRESETS[sender.preset as PresetName].verify;
      const sample = sampleBody(sender.preset, Date.now());
      const body = Buffer.from(JSON.stringify(sample ?? upsertBody()));
      const signedBody = signAs(verify, { secret, body, id: 'msg_1', nowMs: Date.now() });
      const headers = { 'content-type': 'application/json', ...signedBody };
      await post(source.url, { body, headers });
      await post(source.url, { body, headers });
      const rows = await at.logged(source, 2);
      const { why } = await detailOf(rows.find(({ outcome }) => outcome === 'duplicate') as DeliveryItem);
      expect(why.what).to.contain(explained);
      expect(why.fix).to.contain('To apply the same body a second time, reprocess this delivery.');
    });

  it('lists rows of requests and rows that an admin made', async () => {
    const source = await at.addSource();
    const { body: sent } = await at.sendTo(source, upsertBody());
    await at.logged(source, 1);
    await at.owner.call('post', `/deliveries/${sent.delivery_id}/reprocess`);
    await at.logged(source, 2);
    const of = async (made_by: string) =>
      (await at.list(source, `&made_by=${made_by}`)).map(({ origin }) => origin);
    expect([await of('requests'), await of('changes')]).to.deep.equal([['webhook'], ['dashboard']]);
  });

  it('states each difference in a sentence', () => {
    expect(differences(EVENT, EVENT)).to.deep.equal([]);
    expect(differences({ ...EVENT, location: null }, EVENT)).to.deep.equal([
      'The location is empty, not “Berlin”.',
    ]);
    expect(differences({ ...EVENT, starts_at: START + 1000 }, EVENT)).to.deep.equal([
      'It starts at 2027-03-01T10:00:01.000Z, not 2027-03-01T10:00:00.000Z.',
    ]);
    expect(differences(EVENT, { title: 'Jazz' })).to.deep.equal(['The title is “Jazz night”, not “Jazz”.']);
  });
});
