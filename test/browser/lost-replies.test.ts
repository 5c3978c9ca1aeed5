import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: a reply whose response is lost', () => {
  const at = useBrowser();
  const chat = useChat(at);
  const { apply, request, thread } = chat;

  it('is sent once, if it is typed again before the thread shows it', async () => {
    const id = await apply(request('away', 'Are you there?', 'Dorothy Vaughan'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByRole('button', { name: 'Take over' }).click();
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.waitFor();
    let tries = 0;
    // Away from the first request to the second one.
    await page.route(`**/conversations/${id}/messages*`, async (route) => {
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
    const page1 = { descending: false, limit: 10 };
    const { items } = await at.stack.store.conversationMessages.pageMessages(id, page1);
    expect(items.map(({ text }) => text)).to.deep.equal(['Are you there?', 'Yes, we are']);
  });

  for (const [title, typed, count] of [
    ['once if it is sent again unchanged', [], 1],
    ['twice if it is typed again', ['', 'Certainly.'], 2],
    ['twice if it was another text meanwhile', ['Perhaps.', 'Certainly.'], 2],
  ] as const)
    it(`is sent ${title}, once the thread shows it`, async () => {
      const id = await apply(request(`lost ${title}`, 'Is that possible?', 'Joan Clarke'));
      const page = await at.open(`/conversations/${id}`, chat.admin());
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.route(
        `**/conversations/${id}/messages`,
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      const field = page.getByRole('textbox', { name: 'Reply' });
      const replies = thread(page).getByText('Certainly.', { exact: true });
      await field.fill('Certainly.');
      await page.keyboard.press('Enter');
      await replies.waitFor();
      await page.getByRole('alert').waitFor();
      for (const text of typed) await field.fill(text);
      await field.press('Enter');
      await until(async () => (await field.inputValue()) === '');
      expect(await replies.count()).to.equal(count);
    });
});
