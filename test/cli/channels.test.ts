import { replyId } from '@sluice/outbound/subscriptions/reply-id';
import { expect } from 'chai';
import { expectFailure, SWITCHES, useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

describe('sluice channel', () => {
  const used = useInstallation();
  const at = useSubscriptions(used);
  const create = async (options = '') => {
    const [channel] = await used.json(`channel create --name Chat${options}`);
    return { channel: channel ?? {}, id: String(channel?.channel_id) };
  };

  it('prints exactly the fields that scripts rely on for create', async () => {
    const { channel, id } = await create();
    expect(Object.keys(channel)).to.deep.equal([
      'channel_id',
      'name',
      'endpoint_url',
      'signing_secret',
      'reply_url',
      'makes_leads',
      'active',
      'created_at',
      'reply_secret',
    ]);
    expect(id).to.match(/^chn_/);
    expect(channel).to.include({ name: 'Chat', active: true, reply_url: null, makes_leads: false });
    expect(channel.endpoint_url).to.equal(`https://events.example.com/api/v1/conversations/webhook/${id}`);
    expect(channel.signing_secret).to.match(/^whsec_[0-9A-Za-z]{43}$/);
  });

  it('shows the secrets again with show, and a new signing secret with rotate-secret', async () => {
    const { channel, id } = await create(' --reply-url https://chat.example.com/replies --makes-leads');
    expect(channel).to.include({ reply_url: 'https://chat.example.com/replies', makes_leads: true });
    expect(await used.json(`channel show ${id}`)).to.deep.equal([channel]);
    const [rotated] = await used.json(`channel rotate-secret ${id}`);
    expect(rotated?.signing_secret)
      .to.match(/^whsec_/)
      .and.not.equal(channel.signing_secret);
    expect((await used.json(`channel show ${id}`))[0]).to.deep.equal({
      ...channel,
      signing_secret: rotated?.signing_secret,
    });
  });

  it('shows a new reply secret with rotate-reply-secret, and never the signing secret', async () => {
    const { channel, id } = await create();
    const rotated = await used.run(`channel rotate-reply-secret ${id} --json`);
    const secret = rotated.rows[0]?.reply_secret;
    expect(secret)
      .to.match(/^whsec_[A-Za-z0-9+/]{64}$/)
      .and.not.equal(channel.reply_secret);
    expect(rotated.stdout).to.not.contain(channel.signing_secret);
    expect(rotated.stderr).to.contain('Replies are signed with the old secret too until');
    const [shown] = await used.json(`channel show ${id}`);
    expect(shown).to.deep.include({ ...channel, reply_secret: secret });
    expect(rotated.stderr).to.contain(shown?.old_reply_secret_until);
  });

  const audited = async (id: string) => {
    const { items } = await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
    const own = items.filter(({ action, target }) => action === 'channel.changed' && target.id === id);
    return own.map(({ detail }) => detail).toReversed();
  };

  it('changes name, reply URL and leads with update, publishes the URL, and leaves the rest', async () => {
    const { channel, id } = await create(' --makes-leads');
    const update = async (options: string) => (await used.json(`channel update ${id} ${options}`))[0];
    const url = 'https://chat.example.com/replies';
    const { signing_secret: _, reply_secret: __, ...row } = channel;
    const defaults = { body_storage: 'all', rate_per_second: null, rate_burst: null };
    expect(await update('--name Booking')).to.deep.equal({
      ...{ ...row, name: 'Booking', account_id: 'demo', ...defaults },
    });
    expect(await update(`--reply-url ${url}`)).to.include({
      name: 'Booking',
      reply_url: url,
      makes_leads: true,
    });
    expect(await at.publishedOf(replyId(id))).to.include({ target_url: url });
    expect(await update('--no-makes-leads')).to.include({ reply_url: url, makes_leads: false });
    expect((await used.json(`channel show ${id}`))[0]).to.deep.equal({
      ...channel,
      ...{ name: 'Booking', reply_url: url, makes_leads: false },
    });
    expect(await audited(id)).to.deep.equal([
      'Name: Booking',
      'Replies go to: chat.example.com',
      'Make leads: no',
    ]);
  });

  it('rejects an update without a change, and of a channel that there is not', async () => {
    const { id } = await create();
    const [nothing, unknown] = [
      await used.run(`channel update ${id}`),
      await used.run('channel update chn_none --name A'),
    ];
    expectFailure(nothing, 2, 'Nothing to change');
    expectFailure(unknown, 1, 'There is no channel chn_none');
    expect(await audited(id)).to.deep.equal([]);
  });

  it('publishes the reply URL and its secrets for dispatchers before it ends', async () => {
    expect(await at.publishedOf(replyId((await create()).id))).to.equal(undefined);
    const { id } = await create(' --reply-url https://chat.example.com/replies');
    const before = await at.publishedOf(replyId(id));
    expect(before).to.include({ target_url: 'https://chat.example.com/replies', kind: 'reply' });
    expect(before?.secrets).to.have.length(1);
    await used.json(`channel rotate-reply-secret ${id} --overlap 1h`);
    const after = await at.publishedOf(replyId(id));
    expect(after?.secrets).to.have.length(2);
    expect(after?.secrets[1]?.sealed).to.equal(before?.secrets[0]?.sealed);
  });

  it('replaces a reply secret whose key is lost, with --lost-key', async () => {
    const { id } = await create();
    const env = { env: { SLUICE_SECRET_KEY: 'C'.repeat(43) } };
    const refused = await used.run(`channel rotate-reply-secret ${id}`, env);
    expectFailure(refused, 1, 'Nothing was changed');
    await used.json(`channel rotate-secret ${id} --lost-key`, env);
    const shown = await used.run(`channel show ${id}`, env);
    expect(shown.stderr).to.contain(`sluice channel rotate-reply-secret`);
    const [rotated] = await used.json(`channel rotate-reply-secret ${id} --lost-key`, env);
    expect((await used.json(`channel show ${id}`, env))[0]?.reply_secret).to.equal(rotated?.reply_secret);
    // The tests that follow use the first key, which must open all secrets.
    for (const verb of ['rotate-secret', 'rotate-reply-secret'])
      await used.json(`channel ${verb} ${id} --lost-key`);
  });

  it('publishes the kind of a channel, and applies deactivate and activate before they return', async () => {
    const { id } = await create();
    for (const [verb, active] of SWITCHES) {
      expect((await used.json(`channel ${verb} ${id}`))[0]).to.include({ active, channel_id: id });
      expect(await used.published(id)).to.have.nested.include({
        'record.active': active,
        'record.kind': 'channel',
      });
    }
  });

  it('lists channels apart from event sources, and never a secret', async () => {
    const [source] = await used.json('source create --name Events');
    const channels = await used.run('channel list --json');
    const sources = await used.run('source list --json');
    expect(channels.rows.every(({ channel_id }) => String(channel_id).startsWith('chn_'))).to.equal(true);
    expect(channels.stdout).to.not.contain('whsec_');
    expect(sources.rows.map(({ source_id }) => source_id)).to.deep.equal([source?.source_id]);
    expect((await used.run('channel list')).stdout).to.match(/^CHANNEL_ID +NAME/);
  });

  it('does not take an event source for a channel, nor a channel for an event source', async () => {
    const [source] = await used.json('source create --name Events');
    const { id } = await create();
    for (const [noun, other] of [
      ['channel', String(source?.source_id)],
      ['source', id],
    ] as const)
      for (const verb of ['show', 'rotate-secret', 'end-overlap', 'activate', 'deactivate']) {
        const done = await used.run(`${noun} ${verb} ${other}`);
        expectFailure(done, 1, `There is no ${noun} ${other}`);
      }
  });
});
