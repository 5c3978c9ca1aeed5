import { createSourceDirectory } from '@sluice/admission/source-directory';
import { createKeyspace } from '@sluice/redis/keyspace';
import { PRESETS, senderOf } from '@sluice/signature/presets/presets';
import { expect } from 'chai';
import type { Person } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';

const PASTED = 'whsec_a-secret-of-the-platform';
const MAPPING = {
  rules: [{ when: [], do: 'upsert', event: { title: { at: '/name' }, starts_at: { at: '/at' } } }],
};

describe('api: what sends to a source', () => {
  const api = useApi();
  let admin: Person;
  let viewer: Person;
  before(async () => {
    admin = await api.addPerson(api.accountId, 'admin');
    viewer = await api.addPerson(api.accountId, 'viewer');
  });

  const create = async () => (await admin.call('post', '/sources', { name: 'Shop' })).body.source.source_id;
  const change = (id: string, body: object) => admin.call('put', `/sources/${id}/sender`, body);
  const map = (id: string, mapping: object | null) =>
    admin.call('put', `/sources/${id}/mapping`, { mapping });
  const secretOf = async (id: string) =>
    (await admin.call('post', `/sources/${id}/secret/reveal`)).body.signing_secret;
  const published = async (id: string) => {
    const directory = createSourceDirectory({ redis: api.redis, keyspace: createKeyspace(api.namespace) });
    const entry = await directory.read(id);
    return entry.state === 'published' ? entry.record : undefined;
  };
  const entries = async (id: string) => {
    const { items } = await admin.read('/audit');
    return items
      .filter(({ target }: { target: { id: string } }) => target.id === id)
      .map(({ action, detail }: { action: string; detail: string }) => [action, detail]);
  };

  it('is a preset with a pasted secret from the next request on, audited without the secret', async () => {
    const id = await create();
    const changed = await change(id, { preset: 'stripe', secret: PASTED });
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.body).to.include({ new_secret: null }).and.have.nested.property('source.sender', 'stripe');
    expect(changed.text).not.to.contain(PASTED);
    expect(await secretOf(id)).to.equal(PASTED);
    const { verify } = PRESETS.stripe;
    expect((await published(id))?.sender).to.deep.equal({ ...senderOf('stripe'), mapping_version: 1 });
    expect((await admin.read(`/sources/${id}/sender`)).profile).to.deep.equal(verify);
    expect((await viewer.read(`/sources/${id}`)).sender).to.equal('stripe');
    expect(await entries(id)).to.deep.include([
      'source.sender_changed',
      'stripe, with a new secret, mapping version 1',
    ]);
  });

  it('gets a new secret where the sender cannot use the current one, and returns to the scheme of Sluice', async () => {
    const id = await create();
    const { body } = await change(id, { preset: 'standard-webhooks' });
    expect(body.new_secret)
      .to.equal(await secretOf(id))
      .and.match(/^whsec_.{43}=$/);
    expect((await change(id, { preset: 'sluice' })).body.source.sender).to.equal('sluice');
    const own = { preset: 'sluice', profile: null, mapping: null };
    expect(await admin.read(`/sources/${id}/sender`)).to.include(own);
    expect(await published(id)).not.to.have.property('sender');
  });

  it('is chosen when the source is made, with a secret that it can use', async () => {
    const made = await admin.call('post', '/sources', { name: 'Shop', sender: 'standard-webhooks' });
    const { source, signing_secret: secret } = made.body;
    expect(source.sender).to.equal('standard-webhooks');
    expect(secret).to.match(/^whsec_.{43}=$/);
    expect((await published(source.source_id))?.sender?.preset).to.equal('standard-webhooks');
    expect(await entries(source.source_id)).to.deep.equal([['source.created', 'standard-webhooks']]);
    const calendly = await admin.call('post', '/sources', { name: 'Dates', sender: 'calendly' });
    const shown = await admin.read(`/sources/${calendly.body.source.source_id}/sender`);
    expect(shown).to.have.property('mapping_version', 1);
    expect(shown.mapping.rules).to.deep.equal(shown.preset_mapping.rules).and.not.to.deep.equal([]);
    const wrong = await admin.call('post', '/sources', { name: 'Shop', sender: 'acuity' });
    expect(wrong.body.errors[0]).to.include({ pointer: '/sender' });
  });

  it('gets the next secret of the platform pasted, and the old one may stay valid for a while', async () => {
    const id = await create();
    const paste = (body: object) => admin.call('post', `/sources/${id}/secret/paste`, body);
    const own = await paste({ secret: PASTED });
    expect(own.body.errors[0].detail).to.contain('Sluice makes the secrets of its own scheme');
    await change(id, { preset: 'stripe' });
    expect((await paste({ secret: 'short' })).body.errors[0]).to.include({ pointer: '/secret' });
    expect((await paste({ secret: PASTED })).body).to.include({ overlap_until: null, sender: 'stripe' });
    const overlapping = await paste({ secret: 'the next secret of the platform', overlap: '1h' });
    expect(overlapping.body.overlap_until).to.be.a('string');
    expect(await secretOf(id)).to.equal('the next secret of the platform');
  });

  it('names the place of each mistake, and changes nothing', async () => {
    const id = await create();
    const before = await published(id);
    const lacksBody = { kind: 'hmac', header: 'X', encoding: 'hex', signed: ['{time}'] };
    for (const [body, pointer, detail] of [
      [{ preset: 'stripe', secret: 'short' }, '/secret', '12 to 512'],
      [{ preset: 'stripe', secret: 'two\nlines of text' }, '/secret', 'line break'],
      [{ preset: 'standard-webhooks', secret: PASTED }, '/secret', 'not base64 after whsec_'],
      [{ preset: 'acuity' }, '/preset', 'Choose one of: standard-webhooks'],
      [{}, '/preset', 'Choose a preset'],
      [{ preset: 'sluice', profile: lacksBody }, '/profile', 'has no profile'],
      [{ profile: lacksBody }, '/profile/signed', 'Lacks {body}'],
    ] as const) {
      const answer = await change(id, body);
      expectProblem(answer, 'validation_failed');
      const [error] = answer.body.errors;
      expect(error.pointer, JSON.stringify(body)).to.equal(pointer);
      expect(error.detail).to.contain(detail);
      expect(answer.text).not.to.contain(PASTED);
    }
    expect(await published(id)).to.deep.equal(before);
  });

  it('has a mapping, which another secret keeps and another preset replaces', async () => {
    const id = await create();
    expectProblem(await map(id, MAPPING), 'conflict');
    await change(id, { preset: 'hmac' });
    const wrong = await map(id, { rules: [{ do: 'upsert' }] });
    expect(wrong.body.errors[0]).to.include({ pointer: '/mapping/rules/0/event/title' });
    expect((await map(id, MAPPING)).body.mapping).to.deep.equal(MAPPING);
    expect(JSON.parse((await published(id))?.sender?.mapping ?? '')).to.deep.equal(MAPPING);
    await change(id, { preset: 'hmac', secret: PASTED });
    expect((await admin.read(`/sources/${id}/sender`)).mapping).to.deep.equal(MAPPING);
    expect((await map(id, null)).body.mapping).to.equal(null);
    await map(id, MAPPING);
    await change(id, { preset: 'github' });
    expect((await admin.read(`/sources/${id}/sender`)).mapping).to.deep.equal({ rules: [] });
    const mappings = (await entries(id)).filter(([action]: [string]) => action === 'source.mapping_changed');
    expect(mappings.map(([, detail]: [string, string]) => detail)).to.deep.equal([
      'version 3, 1 rules',
      'removed',
      'version 1, 1 rules',
    ]);
  });

  it('is a preset with a profile of its own, which keeps the mapping of the preset', async () => {
    const id = await create();
    const profile = { ...PRESETS.calendly.verify, header: ['X-Forwarded-Signature'] };
    const changed = await change(id, { preset: 'calendly', profile });
    expect(changed.status, changed.text).to.equal(200);
    const shown = await admin.read(`/sources/${id}/sender`);
    expect(shown).to.deep.include({ preset: 'calendly', profile, mapping: shown.preset_mapping });
    expect(shown.mapping.rules).not.to.deep.equal([]);
  });

  it('is shown and changed by admins only, and a channel has none', async () => {
    const id = await create();
    expectProblem(await viewer.call('get', `/sources/${id}/sender`), 'forbidden');
    expectProblem(await viewer.call('put', `/sources/${id}/sender`, { preset: 'stripe' }), 'forbidden');
    expectProblem(await viewer.call('put', `/sources/${id}/mapping`, { mapping: null }), 'forbidden');
    const { body } = await admin.call('post', '/channels', { name: 'Chat' });
    expectProblem(await change(body.channel.channel_id, { preset: 'stripe' }), 'not_found');
  });
});
