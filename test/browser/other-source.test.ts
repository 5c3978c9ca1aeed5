import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Follows a link without a new document, as "Go to" does. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

describe('browser: from one source to another', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('shows neither the secret nor the code of the first source', async () => {
    const first = await addSource(at.stack, owner);
    const second = await addSource(at.stack, owner);
    const pathOf = ({ id }: { id: string }) => `/events/webhook/${id}/setup`;
    const page = await at.open(pathOf(second), owner);
    const title = (name: string) => page.getByRole('heading', { level: 1, name });
    await title(second.name).waitFor();
    await follow(page, pathOf(first));
    await title(first.name).waitFor();
    await page.getByRole('button', { name: 'Reveal signing secret' }).click();
    const field = page.getByTestId('signing-secret');
    await field.filter({ hasText: first.secret }).waitFor();
    await follow(page, pathOf(second));
    await title(second.name).waitFor();
    expect(await page.content()).not.to.contain(first.secret);
    await page.getByRole('button', { name: 'Reveal signing secret' }).click();
    await field.filter({ hasText: second.secret }).waitFor();
  });

  it('masks the secret of replies of the first channel, and a revealed one once it is rotated', async () => {
    const [first, second] = await Promise.all(
      ['First', 'Second'].map(async (name) => {
        const { channel } = await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name });
        const path = `/channels/${channel.channel_id}`;
        await callAs(at.stack, owner, 'PATCH', path, { reply_url: `https://chat.example.com/${name}` });
        return { name, path: `/settings${path}/settings` };
      }),
    );
    if (first === undefined || second === undefined) throw new Error('two channels are needed');
    const page = await at.open(second.path, owner);
    const untilShown = async ({ name }: { name: string }) => {
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await until(async () => (await page.getByLabel('Reply URL').inputValue()).endsWith(name));
    };
    await untilShown(second);
    await follow(page, first.path);
    await untilShown(first);
    await page.getByRole('button', { name: 'Reveal secret of replies' }).click();
    await page
      .getByTestId('reply-secret')
      .filter({ hasText: /whsec_[\w+/]/ })
      .waitFor();
    await follow(page, second.path);
    await untilShown(second);
    const field = page.getByTestId('reply-secret');
    expect(await field.textContent()).not.to.match(/whsec_[\w+/]/);

    await page.getByRole('button', { name: 'Reveal secret of replies' }).click();
    await field.filter({ hasText: /whsec_[\w+/]/ }).waitFor();
    const old = (await field.textContent()) ?? '';
    await page.getByRole('button', { name: 'Rotate secret of replies' }).click();
    await page.getByRole('button', { name: 'Rotate now' }).click();
    await page.getByRole('textbox', { name: 'New secret of replies' }).waitFor();
    expect(await page.content()).not.to.contain(old);
  });
});
