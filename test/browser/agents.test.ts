import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { visitorSays } from '../support/conversations.ts';
import { until } from '../support/until.ts';
import { axeFindings } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: conversations of several agents', () => {
  const at = useBrowser();
  const chat = useChat(at);
  const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  const waiting = async (page: Page) =>
    (await rows(page).getByRole('strong').allTextContents()).filter((name) => /^Waits/.test(name));

  it('list who has waited longest first, with the length of the wait, also after new messages', async () => {
    await chat.apply(chat.request('first', 'Hello?', 'Waits 1'));
    await chat.apply(chat.request('second', 'Is anyone there?', 'Waits 2'));
    const page = await at.open('/conversations', chat.admin(), { width: 390, scheme: 'dark' });
    await until(async () => (await waiting(page)).length === 2);
    await chat.apply(visitorSays('second', 'I am in a hurry'));
    await rows(page).filter({ hasText: 'I am in a hurry' }).waitFor();
    await chat.apply(chat.request('third', 'Me too', 'Waits 3'));
    await rows(page).filter({ hasText: 'Waits 3' }).waitFor();
    const longestFirst = ['Waits 1', 'Waits 2', 'Waits 3'];
    expect(await waiting(page)).to.deep.equal(longestFirst);
    await page.clock.setFixedTime(Date.now() + 12.5 * 60_000);
    await page.reload();
    await rows(page).first().getByText('waits 12 min').waitFor();
    expect(await waiting(page)).to.deep.equal(longestFirst);
  });

  it('name the agent in the list and the thread, where a reply needs a takeover from that agent', async () => {
    const id = await chat.apply(chat.request('two', 'Which of you is it?', 'Grace Hopper'));
    const owner =
      at.stack.people.find(({ email }) => email.startsWith('owner')) ?? (await at.stack.person('owner'));
    const mine = await at.open(`/conversations/${id}`, chat.admin());
    await mine.getByRole('button', { name: 'Take over' }).click();
    await mine.getByRole('textbox', { name: 'Reply' }).fill('I am looking');
    await rows(mine).filter({ hasText: 'With you' }).waitFor();

    const page = await at.open(`/conversations/${id}`, owner, { width: 1440, scheme: 'dark' });
    await page.getByText('Answered by Ada admin. Take over to reply.').waitFor();
    await rows(page).filter({ hasText: 'With Ada admin' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Reply' }).count()).to.equal(0);
    expect(await axeFindings(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Take over from Ada admin' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    await page.getByRole('button', { name: 'End handoff' }).waitFor();

    await mine.getByRole('button', { name: 'Take over from Ada owner' }).waitFor();
    const unsent = mine.getByRole('textbox', { name: 'Your reply is not sent' });
    expect(await unsent.inputValue()).to.equal('I am looking');
  });
});
