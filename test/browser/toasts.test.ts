import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: messages beside an open drawer', () => {
  const at = useBrowser();

  it('are reached by Tab after its last field, and lead back to its first', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Once more' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?delivery=${body.delivery_id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('button', { name: 'Reprocess', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Reprocess this delivery?' });
    await asked.getByRole('button', { name: 'Reprocess' }).click();
    await asked.waitFor({ state: 'detached' });
    const close = page.getByRole('button', { name: 'Close message' });
    await close.waitFor();
    const isFocused = (selector: string) => page.locator(`${selector}:focus`).count();
    const first = '[role=dialog] header button';

    await page.locator(first).focus();
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[data-toasts] button'), 'before the first field').to.equal(1);
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[data-toasts] a'), 'the link in the message').to.equal(1);
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[role=dialog] *'), 'the last field').to.equal(1);
    expect(await isFocused(first), 'the first field').to.equal(0);
    await page.keyboard.press('Tab');
    expect(await isFocused('[data-toasts] a'), 'after the last field').to.equal(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await isFocused(first), 'after the messages').to.equal(1);

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await close.waitFor({ state: 'detached' });
    expect(await isFocused('[role=dialog] *'), 'after the message is closed').to.equal(1);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });
});
