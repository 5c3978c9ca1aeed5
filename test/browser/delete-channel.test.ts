import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';

describe('browser: deleting a channel', () => {
  const at = useBrowser();

  const withConversation = async (name: string) => {
    const owner = await at.stack.person('owner');
    const { channel } = await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name });
    const target = { accountId: at.stack.accountId, channelId: channel.channel_id };
    const id = await applyActions(at.stack.store, target, [visitorSays(name, `Hello ${name}`)]);
    return { owner, channel, id };
  };

  for (const what of ['keep', 'delete'] as const)
    it(`names what becomes of conversations, then does it: ${what}`, async () => {
      const { owner, channel, id } = await withConversation(`Chat to ${what}`);
      const page = await at.open(`/settings/channels/${channel.channel_id}/settings`, owner);
      await page.getByRole('button', { name: 'Delete channel' }).click();
      const dialog = page.getByRole('dialog', { name: `Delete “${channel.name}”?` });
      await dialog.getByText('404 Source not found').waitFor();
      await dialog.getByText('no reply is sent any more').waitFor();
      await dialog.getByLabel('What becomes of its 1 conversation').selectOption(what);
      if (what === 'keep') await expectSound(page, 'the dialog');
      const confirm = dialog.getByRole('button', { name: 'Delete channel' });
      expect(await confirm.isDisabled(), 'before the name is typed').to.equal(true);
      await dialog.getByLabel('Type the name of the channel to confirm').fill(channel.name);
      await confirm.click();
      await page.getByText(`Deleted “${channel.name}”.`).waitFor();
      await page.getByRole('heading', { name: 'Channels' }).waitFor();
      // The page comes before the list is read again.
      await page.getByRole('link', { name: channel.name, exact: true }).waitFor({ state: 'detached' });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(channel.endpoint_url, { method: 'POST', body: '{}', headers });
      expect(answer.status).to.equal(404);
      const stored = () => at.stack.store.conversations.findConversation(at.stack.accountId, id);
      if (what === 'delete') {
        await until(async () => (await stored()) === undefined, { what: 'no conversation' });
        return;
      }
      await page.goto(`${at.stack.url}/conversations/${id}`);
      await page.getByText(`Hello ${channel.name}`).last().waitFor();
      await page.getByText('The conversation can only be read').waitFor();
      await page.getByText('deleted channel').waitFor();
      expect(await page.getByRole('button', { name: 'Take over' }).count()).to.equal(0);
    });

  it('is not offered to a viewer', async () => {
    const { channel } = await withConversation('Chat to view');
    const viewer = await at.stack.person('viewer');
    const page = await at.open(`/settings/channels/${channel.channel_id}/settings`, viewer);
    await page.getByText('About this channel').waitFor();
    expect(await page.getByRole('button', { name: 'Delete channel' }).count()).to.equal(0);
  });
});
