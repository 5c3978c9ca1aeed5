import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';

describe('browser: a reply that is not sent', () => {
  const at = useBrowser();

  it('stays readable when another agent ends the handoff, and can be sent after a new takeover', async () => {
    const admin = await at.stack.addPerson('admin');
    const { channel } = await callAs<ChannelCreated>(at.stack, admin, 'POST', '/channels', { name: 'Chat' });
    const path = `/channels/${channel.channel_id}`;
    await callAs(at.stack, admin, 'PATCH', path, { reply_url: 'https://chat.example.com/replies' });
    const id = await applyActions(
      at.stack.store,
      { accountId: at.stack.accountId, channelId: channel.channel_id },
      [
        visitorSays('long', 'I need a person', {
          kind: 'request_handoff',
          conversation: { external_id: 'long' },
        }),
      ],
    );
    const page = await at.open(`/conversations/${id}`, admin);
    await page.getByRole('button', { name: 'Take over' }).click();
    const field = page.getByRole('textbox', { name: 'Reply', exact: true });
    await field.fill('A long answer,\nwith care');
    await callAs(at.stack, admin, 'POST', `/conversations/${id}/end`);
    await page.getByText('Take over to reply').waitFor();
    const unsent = page.getByRole('textbox', { name: 'Your reply is not sent' });
    expect(await unsent.inputValue()).to.equal('A long answer,\nwith care');
    expect(await unsent.isEditable()).to.equal(false);
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('dialog', { name: 'Discard your changes?' }).getByText('Keep editing').click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('A long answer,\nwith care');
    await field.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).getByText('A long answer').waitFor();
    expect(await field.inputValue()).to.equal('');
  });
});
