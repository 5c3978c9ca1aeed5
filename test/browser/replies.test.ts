import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { callAs } from './support/source.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: a reply', () => {
  const at = useBrowser();
  const chat = useChat(at);

  /** Opens a conversation that the admin has taken over. */
  const takeOver = async (name: string) => {
    const id = await chat.apply(chat.request(name, 'Are you there?', 'Dorothy Vaughan'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByRole('button', { name: 'Take over' }).click();
    const field = page.getByRole('textbox', { name: 'Reply', exact: true });
    await field.waitFor();
    return { id, page, field, path: `**/conversations/${id}/messages` };
  };

  it('whose response is lost is sent once, if it is typed again before the thread shows it', async () => {
    const { id, page, field, path } = await takeOver('away');
    let tries = 0;
    // Away from the first request to the second one.
    await page.route(`${path}*`, async (route) => {
      const isReply = route.request().method() === 'POST';
      if (isReply) tries += 1;
      if (tries !== 1) return route.continue();
      if (isReply) await route.fetch();
      await route.abort();
    });
    for (const expected of [1, 2]) {
      await field.fill('');
      await field.fill('Yes, we are');
      await field.press('Enter');
      await until(() => tries === expected);
      if (expected === 1) await page.getByRole('alert').first().waitFor();
    }
    await until(async () => (await field.inputValue()) === '');
    const first = { descending: false, limit: 10 };
    const { items } = await at.stack.store.conversationMessages.pageMessages(id, first);
    expect(items.map(({ text }) => text)).to.deep.equal(['Are you there?', 'Yes, we are']);
  });

  for (const [title, typed, count] of [
    ['once if it is sent again unchanged', [], 1],
    ['twice if it is typed again', ['', 'Certainly.'], 2],
  ] as const)
    it(`whose response is lost is sent ${title}, once the thread shows it`, async () => {
      const { page, field, path } = await takeOver(`lost ${title}`);
      await page.route(
        path,
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      const replies = chat.thread(page).getByText('Certainly.', { exact: true });
      await field.fill('Certainly.');
      await page.keyboard.press('Enter');
      await replies.waitFor();
      await page.getByRole('alert').waitFor();
      for (const text of typed) await field.fill(text);
      await field.press('Enter');
      await until(async () => (await field.inputValue()) === '');
      expect(await replies.count()).to.equal(count);
    });

  it('stays readable when another agent ends the handoff, and can be sent after a new takeover', async () => {
    const { id, page, field } = await takeOver('long');
    await field.fill('A long answer,\nwith care');
    await callAs(at.stack, chat.admin(), 'POST', `/conversations/${id}/end`);
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
    await chat.thread(page).getByText('A long answer').waitFor();
    expect(await field.inputValue()).to.equal('');
  });

  it('is named as on its way while it is, and as unknown once its response is lost', async () => {
    const { id, page, field, path } = await takeOver('way');
    let lose = () => {};
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    const held = await hold(page, `${DASHBOARD_API}/conversations/${id}/messages`, 'GET');
    await page.route(path, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await lost;
      await route.abort();
    });
    await field.fill('On its way');
    await page.keyboard.press('Enter');
    await callAs(at.stack, chat.admin(), 'POST', `/conversations/${id}/end`);
    await page.getByRole('textbox', { name: 'Your reply is being sent' }).waitFor();
    lose();
    await page.getByRole('textbox', { name: 'It is not known whether your reply was sent' }).waitFor();
    await held.release();
  });

  it('whose delivery failed has the reason beside it', async () => {
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
