import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice conversation', () => {
  const used = useInstallation();
  let channel: { accountId: string; channelId: string };
  let waiting: string;
  let taken: string;

  before(async () => {
    const [account] = await used.json('account create --name Hall');
    const [made] = await used.json('channel create --name Chat --reply-url https://chat.example.com/r');
    channel = { accountId: String(account?.account_id), channelId: String(made?.channel_id) };
    await used.store.ensureIndexes();
    waiting = await applyActions(used.store, channel, [
      visitorSays('a', 'Is anybody there?', { conversation: { external_id: 'a', subject: 'Tickets' } }),
      { kind: 'request_handoff', conversation: { external_id: 'a' } },
    ]);
    taken = await applyActions(used.store, channel, [
      visitorSays('b', 'One'),
      visitorSays('b', 'Two'),
      { kind: 'accept_handoff', conversation: { external_id: 'b' }, agent_name: 'Ada' },
    ]);
  });

  it('lists conversations newest first, with every filter', async () => {
    const ids = async (filter: string) =>
      (await used.json(`conversation list ${filter}`.trim())).map((one) => one.id);
    expect(await ids('')).to.deep.equal([taken, waiting]);
    expect(await ids('--sort updated_at')).to.deep.equal([waiting, taken]);
    expect(await ids('--status handoff_requested')).to.deep.equal([waiting]);
    expect(await ids(`--channel ${channel.channelId} --external-id b`)).to.deep.equal([taken]);
    expect(await ids('--limit 1')).to.deep.equal([taken]);
    expect(await ids('--lead lead_none')).to.deep.equal([]);
    expect(await ids('--updated-since 2020-01-01T00:00:00Z --status closed')).to.deep.equal([]);
  });

  it('rejects a channel that the account does not have, so that a typo does not look like an empty list', async () => {
    const done = await used.run('conversation list --channel chn_typo --json');
    expect(done).to.include({ code: 1, stdout: '' });
    expect(done.stderr).to.match(/has no channel chn_typo\. See: sluice channel list/);
  });

  it('shows a conversation as the API returns it, and its messages oldest first', async () => {
    const [shown] = await used.json(`conversation show ${waiting}`);
    expect(shown).to.include({ id: waiting, status: 'handoff_requested', subject: 'Tickets' });
    const texts = async (options: string) =>
      (await used.json(`conversation show ${taken} ${options}`)).map(({ text }) => text);
    expect(await texts('--messages')).to.deep.equal(['One', 'Two']);
    expect(await texts('--messages --limit 1')).to.deep.equal(['Two']);
  });

  it('keeps a reply that waits for its delivery, and tells it before it ends', async () => {
    const done = await used.run(`conversation reply ${taken} --text-file - --author-name Ada --json`, {
      stdin: 'We open at six.\n',
    });
    expect(done.code, done.stderr).to.equal(0);
    expect(done.rows[0]).to.include({
      text: 'We open at six.',
      author: 'agent',
      author_name: 'Ada',
      delivery: 'pending',
    });
    const messages = await used.json(`conversation show ${taken} --messages`);
    expect(messages.at(-1)).to.deep.equal(done.rows[0]);
    const stored = await used.store.conversations.findConversation(channel.accountId, taken);
    expect(stored?.untold).to.deep.equal([]);
  });

  it('refuses a reply while no agent has taken the conversation over, and names its state', async () => {
    const done = await used.run(`conversation reply ${waiting} --text Hello`);
    expectFailure(done, 1, 'The conversation is handoff_requested. A reply needs handoff_active');
    expect(await used.json(`conversation show ${waiting} --messages`)).to.have.length(1);
  });

  it('refuses a reply while the channel is switched off', async () => {
    await used.json(`channel deactivate ${channel.channelId}`);
    const done = await used.run(`conversation reply ${taken} --text Hello`);
    await used.json(`channel activate ${channel.channelId}`);
    expectFailure(done, 1, 'switched off');
  });

  for (const [args, code, about] of [
    ['reply conv_x', 2, 'Add --text TEXT, or --text-file FILE.'],
    ['reply conv_x --text A --text-file -', 2, 'Use either --text or --text-file.'],
    ['reply conv_x --text=', 2, 'Empty. Send the text of the reply.'],
    ['reply conv_x --text A', 1, 'There is no conversation conv_x'],
    ['show conv_x', 1, 'There is no conversation conv_x'],
    ['list --status lost', 2, 'Allowed choices are open, handoff_requested, handoff_active, closed'],
  ] as const)
    it(`rejects conversation ${args}, and says what to do`, async () => {
      const done = await used.run(`conversation ${args} --json`);
      expectFailure(done, code, about);
    });
});
