import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { callAs } from './support/source.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: a reply that is not sent', () => {
  const at = useBrowser();
  const chat = useChat(at);

  it('stays readable when another agent ends the handoff, and can be sent after a new takeover', async () => {
    const id = await chat.apply(chat.request('long', 'I need a person', 'Grace Hopper'));
    const admin = chat.admin();
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

  it('is named as on its way while it is, and as unknown once its response is lost', async () => {
    const id = await chat.apply(chat.request('way', 'I need a person', 'Karen Spärck Jones'));
    const admin = chat.admin();
    const page = await at.open(`/conversations/${id}`, admin);
    await page.getByRole('button', { name: 'Take over' }).click();
    const field = page.getByRole('textbox', { name: 'Reply', exact: true });
    await field.waitFor();
    let lose = () => {};
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const held = await hold(page, `${DASHBOARD_API}/conversations/${id}/messages`, 'GET');
    await page.route(`**/conversations/${id}/messages`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await lost;
      await route.abort();
    });
    await field.fill('On its way');
    await page.keyboard.press('Enter');
    await callAs(at.stack, admin, 'POST', `/conversations/${id}/end`);
    await page.getByRole('textbox', { name: 'Your reply is being sent' }).waitFor();
    lose();
    await page.getByRole('textbox', { name: 'It is not known whether your reply was sent' }).waitFor();
    await held.release();
  });

  it('has a reason beside it if its delivery failed', async () => {
    const id = await chat.apply(chat.request('reason', 'I need a person', 'Mary Jackson'));
    const admin = chat.admin();
    await callAs(at.stack, admin, 'POST', `/conversations/${id}/accept`);
    const reply = { text: 'Never delivered', reply_id: 'reply-never-1' };
    const sent = await callAs<MessageItem>(at.stack, admin, 'POST', `/conversations/${id}/messages`, reply);
    const reason = 'The reply URL responded with 500.';
    await at.stack.store.conversationMessages.settleReply(sent.message_id, 'failed', reason);
    const page = await at.open(`/conversations/${id}`, admin);
    await chat.thread(page).getByText(reason).waitFor();
  });
});
