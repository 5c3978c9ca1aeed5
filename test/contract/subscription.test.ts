import { subscriptionInput, subscriptionPatch } from '@sluice/contract/subscription/subscription';
import { expect } from 'chai';

const URL_1 = 'https://hooks.example.com/1';
const KIND = 'lead.created';

function faultsOf(body: unknown): string[] {
  const { issues = [] } = subscriptionInput.safeParse(body).error ?? {};
  return issues.map(({ path, message }) => `/${path.join('/')} ${message}`);
}

describe('contract: the body of a webhook subscription', () => {
  for (const name of ['target_url', 'url', 'targetUrl', 'hookUrl'])
    it(`accepts the URL as ${name}`, () => {
      const read = subscriptionInput.parse({ [name]: URL_1, events: [KIND] });
      expect(read).to.deep.equal({
        target_url: URL_1,
        events: [KIND],
        filter: {},
        active: true,
        url_name: name,
      });
    });

  it('accepts one event kind as `event`', () => {
    expect(subscriptionInput.parse({ url: URL_1, event: KIND }).events).to.deep.equal([KIND]);
  });

  it('leaves out empty and null fields of filter and client, which platforms send for empty menus', () => {
    const read = subscriptionInput.parse({
      url: URL_1,
      events: ['*'],
      name: '',
      filter: { source_id: '', stage: 'stg_won', channel_id: null },
      client: { platform: 'n8n', workflow_url: '' },
    });
    expect(read).to.deep.include({ filter: { stage: 'stg_won' }, client: { platform: 'n8n' } });
    expect(read).not.to.have.property('name');
  });

  const rejected: [string, object, RegExp][] = [
    ['no URL', { events: [KIND] }, /^\/target_url Required/],
    ['two different URLs', { url: URL_1, hookUrl: 'https://x.example', events: [KIND] }, /Send one URL/],
    ['no events', { url: URL_1 }, /^\/events Required/],
    ['both event and events', { url: URL_1, event: KIND, events: [KIND] }, /^\/event Send either/],
    ['an empty list of events', { url: URL_1, events: [] }, /at least one event kind/],
    ['an unknown kind, and names the known ones', { url: URL_1, events: ['lead.craeted'] }, /lead\.created/],
    ['replies, which only their channel gets', { url: URL_1, event: 'conversation.reply' }, /reply URL/],
    ['an unknown field', { url: URL_1, event: KIND, evnts: [] }, /evnts/],
    [
      'a link to a flow that a browser would run as a script',
      { url: URL_1, event: KIND, client: { workflow_url: 'javascript:1' } },
      /^\/client\/workflow_url Not an http/,
    ],
  ];
  for (const [what, body, fault] of rejected)
    it(`rejects ${what}`, () => expect(faultsOf(body).join('\n')).to.match(fault));

  it('a patch keeps the difference between null and an absent field', () => {
    expect(subscriptionPatch.parse({ name: null, filter: { stage: null } })).to.deep.equal({
      name: null,
      filter: { stage: null },
    });
  });
});
