import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { visitorSays } from '../support/conversations.ts';
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

  it('is a draft of its conversation while another page is open, and goes when it is sent', async () => {
    const other = await chat.apply(chat.request('other', 'And me?', 'Evelyn Boyd'));
    const { id, page, field } = await takeOver('draft');
    await field.fill('Half a reply');
    await page.locator(`a[href="/conversations/${other}"]`).click();
    await chat.thread(page).getByText('And me?').waitFor();
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor();
    await page.goBack();
    await page.locator(`a[href="/conversations/${id}"]`).click();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('Half a reply');
    await field.press('Enter');
    await chat.thread(page).getByText('Half a reply').waitFor();
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).to.equal('');
  });

  it('grows with its text up to eight lines', async () => {
    const { field } = await takeOver('lines');
    const height = async () => (await field.boundingBox())?.height ?? 0;
    const two = await height();
    await field.fill(Array.from({ length: 6 }, (_, n) => `Line ${n}`).join('\n'));
    const six = await height();
    await field.fill(Array.from({ length: 30 }, (_, n) => `Line ${n}`).join('\n'));
    expect(six, 'six lines').to.be.above(2 * two);
    expect(await height(), 'thirty lines').to.be.within(six, 5 * two);
  });

  it('whose delivery failed has the reason in view, and is sent again as another one', async () => {
    const says = Array.from({ length: 20 }, (_, n) => visitorSays('reason', `Message ${n}`));
    const id = await chat.apply(...says, chat.request('reason', 'I need a person', 'Mary Jackson'));
    const admin = chat.admin();
    await callAs(at.stack, admin, 'POST', `/conversations/${id}/accept`);
    const reply = { text: 'Never delivered', reply_id: 'reply-never-1' };
    const sent = await callAs<MessageItem>(at.stack, admin, 'POST', `/conversations/${id}/messages`, reply);
    const page = await at.open(`/conversations/${id}`, admin);
    const thread = chat.thread(page);
    await thread.getByText('pending').waitFor();
    const why = 'The reply URL responded with 500.';
    await at.stack.store.conversationMessages.settleReply(sent.message_id, 'failed', why);
    const reason = thread.getByText(why);
    await reason.waitFor();
    const bottom = async (one: Locator) => {
      const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
      return y + height;
    };
    await until(async () => (await bottom(reason)) <= (await bottom(thread)));
    await thread.getByRole('button', { name: 'Send again' }).click();
    await thread.getByText('pending').waitFor();
    expect(await thread.getByText('Never delivered').count()).to.equal(2);
  });
});
