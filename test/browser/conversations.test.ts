import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { useChat } from './support/use-chat.ts';

describe('browser: conversations', () => {
  const at = useBrowser();
  const chat = useChat(at);
  const { apply, request, thread } = chat;
  const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link');

  it('name the next step while there is none: the code of the channel', async () => {
    const page = await at.open('/conversations', chat.admin());
    await page.getByRole('heading', { name: 'Waiting for the first conversation' }).waitFor();
    await page.getByRole('link', { name: 'Show the code' }).click();
    await page.getByRole('heading', { name: 'Send a message' }).waitFor();
  });

  it('lead an agent from the list to the reply, by keyboard alone', async () => {
    await apply(visitorSays('quiet', 'Only looking'));
    await apply(request('keys', 'I need a person', 'Grace Hopper'));
    const page = await at.open('/conversations', chat.admin());
    await rows(page).first().waitFor();
    expect(await rows(page).first().textContent()).to.contain('Grace Hopper');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await thread(page).getByText('I need a person').waitFor();
    await tabTo(page, 'Take over');
    await page.keyboard.press('Enter');
    // The focus goes into the reply.
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('second line');
    await page.keyboard.press('Enter');
    await thread(page).getByText('First line\nsecond line').waitFor();
    await thread(page).getByText('pending').waitFor();
    expect(await page.getByText('delivered').count()).to.equal(0);
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).to.equal('');
    await tabTo(page, 'End handoff');
    await page.keyboard.press('Enter');
    await page.getByText('Take over to reply').waitFor();
  });

  it('show new conversations and messages without a reload, and announce the messages', async () => {
    const id = await apply(request('live', 'Anyone there?', 'Mary Jackson'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await thread(page).getByText('Anyone there?').waitFor();
    await apply(visitorSays('live', 'Hello again'));
    await thread(page).getByText('Hello again').waitFor();
    await page.locator('[aria-live=polite]').getByText('New message from Visitor: Hello again').waitFor();
    await apply(request('live-2', 'Me too', 'Katherine Johnson'));
    await rows(page).filter({ hasText: 'Katherine Johnson' }).waitFor();
    await apply({ kind: 'close', conversation: { external_id: 'live' } });
    await page.getByText('The conversation is closed').waitFor();
  });

  it('without a reply URL of their channel say so before the takeover, and send nothing', async () => {
    const created = { name: 'Without URL' };
    const { channel } = await callAs<ChannelCreated>(at.stack, chat.admin(), 'POST', '/channels', created);
    const to = { accountId: at.stack.accountId, channelId: channel.channel_id };
    const id = await applyActions(at.stack.store, to, [request('mute', 'Can you answer?', 'Joan Clarke')]);
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByText('The channel has no reply URL, so replies cannot be sent.').waitFor();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Not yet');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).to.equal(true);
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).to.equal('Not yet');
    await page.getByRole('link', { name: 'Set the reply URL' }).waitFor();
  });

  it('show that a pending reply was delivered, also if nothing else changes in the conversation', async () => {
    const id = await apply(request('slow', 'Is it sold out?', 'Dorothy Vaughan'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Not yet.');
    await page.keyboard.press('Enter');
    await thread(page).getByText('pending').waitFor();
    // By the second look the page knows each change of the conversation.
    for (const _ of [1, 2]) await page.waitForResponse(/conversations\/changes/);
    await page.waitForLoadState('networkidle');
    const { conversationMessages } = at.stack.store;
    const { items } = await conversationMessages.pageMessages(id, { descending: true, limit: 1 });
    await conversationMessages.settleReply(items[0]?.message_id ?? '', 'delivered', null);
    await thread(page).getByText('delivered').waitFor();
  });

  it('go on to say that a reply was delivered, if the response to its sending comes after that', async () => {
    const id = await apply(request('late', 'Is there parking?', 'Mary Golda Ross'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByRole('button', { name: 'Take over' }).click();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { conversationMessages } = at.stack.store;
    await page.route(`**/conversations/${id}/messages`, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      const { message_id } = (await response.json()) as MessageItem;
      await conversationMessages.settleReply(message_id, 'delivered', null);
      await held;
      await route.fulfill({ response });
    });
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.fill('Behind the house.');
    await page.keyboard.press('Enter');
    await thread(page).getByText('delivered').waitFor();
    letGo();
    await until(async () => (await field.inputValue()) === '');
    await page.waitForResponse(/conversations\/changes/);
    expect(await thread(page).getByText('delivered').count()).to.equal(1);
  });

  it('keep what is typed while a reply is sent, and send it as another one', async () => {
    const id = await apply(request('typing', 'Two questions', 'Annie Easley'));
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await page.getByRole('button', { name: 'Take over' }).click();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(`**/conversations/${id}/messages`, async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.fill('First answer.');
    await page.keyboard.press('Enter');
    await field.fill('Second answer.');
    letGo();
    await thread(page).getByText('First answer.').waitFor();
    expect(await field.inputValue()).to.equal('Second answer.');
    await page.keyboard.press('Enter');
    await thread(page).getByText('Second answer.').waitFor();
    await until(async () => (await field.inputValue()) === '');
  });

  it('load older messages above without moving what is read, down to the first', async () => {
    const id = await apply(
      ...Array.from({ length: 130 }, (_, n) => visitorSays('long', `Message number ${n}.`)),
    );
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await thread(page).getByText('Message number 129.').waitFor();
    expect(await thread(page).getByText('Message number 79.').count()).to.equal(0);
    const top = thread(page).getByText('Message number 82.');
    await thread(page).evaluate((element) => {
      element.scrollTop = 300;
    });
    const before = await top.boundingBox();
    await thread(page).getByRole('button', { name: 'Load older messages' }).focus();
    await page.keyboard.press('Enter');
    await thread(page).getByText('Message number 31.').waitFor({ state: 'attached' });
    const after = await top.boundingBox();
    // The focus has moved the text by the 300 pixels above it. The older messages move it no further.
    expect((after?.y ?? 0) - (before?.y ?? 0)).to.be.within(250, 350);
    await thread(page).evaluate((element) => {
      element.scrollTop = 0;
    });
    await thread(page).getByText('Message number 0.').waitFor({ state: 'attached' });
    expect(await thread(page).getByRole('listitem').filter({ hasText: 'Message number' }).count()).to.equal(
      130,
    );
    await apply(visitorSays('long', 'The newest one'));
    await page.getByRole('button', { name: 'New messages' }).click();
    await thread(page).getByText('The newest one').waitFor();
  });

  it('go from the list and from the page when they are deleted elsewhere', async () => {
    const { channel } = await callAs<ChannelCreated>(at.stack, chat.admin(), 'POST', '/channels', {
      name: 'Old chat',
    });
    const to = { accountId: at.stack.accountId, channelId: channel.channel_id };
    const write = (text: string) => applyActions(at.stack.store, to, [visitorSays('leaving', text)]);
    const id = await write('The first words.');
    const page = await at.open(`/conversations/${id}`, chat.admin());
    await thread(page).getByText('The first words.').waitFor();
    // The page then has it among the changes too.
    await write('The last words.');
    const entry = page.getByRole('link', { name: /The last words/ });
    await entry.waitFor();
    await at.stack.store.deletedConversations.removeConversations(
      { account_id: to.accountId, source_id: to.channelId },
      async () => undefined,
    );
    // The page reads nothing again that it read seconds ago.
    await page.clock.install();
    await page.clock.runFor(10_000);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.getByText('It may have been deleted with its channel.').waitFor();
    await entry.waitFor({ state: 'detached' });
  });

  it('keep filters in the address, and say so where nothing matches', async () => {
    await apply({ kind: 'close', conversation: { external_id: 'over', contact: { name: 'Alan Turing' } } });
    const page = await at.open('/conversations', chat.admin());
    await page.getByLabel('Status').selectOption('closed');
    await page.waitForURL(/status=closed/);
    await rows(page).filter({ hasText: 'Alan Turing' }).click();
    await page.reload();
    expect(await page.getByLabel('Status').inputValue()).to.equal('closed');
    await page.goto(`${at.stack.url}/conversations?channel=chn_other`);
    await page.getByText('No matching conversations').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await rows(page).first().waitFor();
  });

  it('show the list or the thread on a narrow screen, and texts of visitors as text', async () => {
    const text = '<img src=x onerror=alert(1)><b>On a phone</b>';
    const id = await apply(request('narrow', text, '<script>alert(2)</script>'));
    const page = await at.open('/conversations', chat.admin(), { width: 360 });
    await rows(page).filter({ hasText: 'On a phone' }).click();
    await thread(page).getByText('<b>On a phone</b>').waitFor();
    expect(await thread(page).locator('img, b, script').count()).to.equal(0);
    expect(await rows(page).first().isVisible()).to.equal(false);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await rows(page).filter({ hasText: 'On a phone' }).waitFor();
    expect(page.url()).not.to.contain(id);
  });

  it('let a viewer read, and neither take over nor reply', async () => {
    const id = await apply(request('viewed', 'Look at this', 'Edith Clarke'));
    const page = await at.open(`/conversations/${id}`, await at.stack.person('viewer'));
    await thread(page).getByText('Look at this').waitFor();
    await page.getByText('Only owners and admins can reply').waitFor();
    expect(await page.getByRole('button', { name: 'Take over' }).count()).to.equal(0);
  });
});

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const label = await page.evaluate<string>(
      'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""',
    );
    if (label === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}
