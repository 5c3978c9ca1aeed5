import type { Channel, ChannelCreated } from '@sluice/dashboard-api/channels';
import { expect } from 'chai';
import { clipboard, useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: channels', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.person('owner');
  });

  const addChannel = async (name: string): Promise<Channel> =>
    (await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name })).channel;

  it('are added from the empty list, and lead to the code of a first message', async () => {
    const page = await at.open('/settings/channels', owner);
    await page.getByRole('heading', { name: 'Add your first channel' }).waitFor();
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByLabel('Name').fill('Website chat');
    await page.getByRole('dialog').getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('heading', { name: 'Website chat' }).waitFor();
    const url = (await page.getByTestId('endpoint-url').textContent()) ?? '';
    expect(url).to.match(/\/api\/v1\/conversations\/webhook\/chn_\w+$/);
    await page.getByRole('button', { name: 'Copy endpoint URL' }).click();
    expect(await clipboard(page)).to.equal(url);
    await page.getByText('Waiting for the first delivery').waitFor();
    expect(await page.locator('pre').textContent()).to.contain('"author":"visitor"');
  });

  it('rotate their secret by the dialog of sources, with an overlap', async () => {
    const channel = await addChannel('Rotated');
    const page = await at.open(`/settings/channels/${channel.channel_id}/setup`, owner);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Show the new secret' }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('checkbox', { name: 'The new secret is configured in the sender' }).check();
    await page.getByLabel('Type the name of the channel: Rotated').fill('Rotated');
    await page.getByLabel('Old secret').selectOption('1h');
    await page.getByRole('button', { name: 'Rotate now' }).click();
    await page.getByText('No requests with the new secret yet').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The old secret still works').waitFor();
    await page.getByRole('button', { name: 'End the overlap now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the overlap' }).click();
    await page.getByText('The old secret still works').waitFor({ state: 'detached' });
  });

  it('keep a reply URL, name what is wrong with one, and show the secret that verifies replies', async () => {
    const channel = await addChannel('Replying');
    const page = await at.open(`/settings/channels/${channel.channel_id}/settings`, owner);
    const field = page.getByRole('textbox', { name: 'Reply URL' });
    await field.fill('ftp://chat.example.com/');
    await page.getByRole('button', { name: 'Save replies and leads' }).click();
    await page.getByText('Send a URL that begins with https://.').waitFor();
    await field.fill('https://chat.example.com/replies');
    await page.getByRole('switch', { name: 'Make leads from conversations' }).click();
    await page.getByRole('button', { name: 'Save replies and leads' }).click();
    await page.getByText('Replies and leads saved').first().waitFor();
    await page.getByRole('button', { name: 'Reveal secret of replies' }).click();
    await page
      .getByTestId('reply-secret')
      .getByText(/^whsec_[A-Za-z0-9+/]{64}$/)
      .waitFor();
    const path = `/channels/${channel.channel_id}`;
    expect(await callAs<Channel>(at.stack, owner, 'GET', path)).to.include({
      reply_url: 'https://chat.example.com/replies',
      makes_leads: true,
    });
  });

  it('rotate the secret of replies, show the new one once, and state how long the old one signs', async () => {
    const { channel_id: id } = await addChannel('Rotating replies');
    await callAs(at.stack, owner, 'PATCH', `/channels/${id}`, { reply_url: 'https://chat.example.com/r' });
    const page = await at.open(`/settings/channels/${id}/settings`, owner);
    await page.getByRole('button', { name: 'Rotate secret of replies' }).click();
    await page.getByLabel('Old secret of replies').selectOption('1h');
    await page.getByRole('button', { name: 'Rotate now' }).click();
    const shown = await page.getByRole('textbox', { name: 'New secret of replies' }).textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Replies are signed with the old secret too').waitFor();
    expect(await page.getByText(shown ?? '').count()).to.equal(0);
    const revealed = await callAs(at.stack, owner, 'POST', `/channels/${id}/reply-secret/reveal`);
    expect(revealed).to.deep.equal({ reply_secret: shown });
  });

  it('are switched off after a dialog names the effect', async () => {
    const channel = await addChannel('Switched');
    const page = await at.open('/settings/channels', owner);
    // The label, because the track lies above the input.
    const toggle = page.getByRole('switch', { name: 'Switched is active' });
    await page.locator('label', { has: toggle }).click();
    await page.getByText('and change no conversation').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { active } = await callAs<Channel>(at.stack, owner, 'GET', `/channels/${channel.channel_id}`);
    expect(active).to.equal(false);
  });

  it('are found by “Go to”', async () => {
    await addChannel('Telegram bridge');
    const page = await at.open('/', owner);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Go to a page/ }).fill('telegram');
    await page.getByRole('option', { name: /Telegram bridge/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Telegram bridge' }).waitFor();
  });

  it('show a viewer neither secrets nor switches', async () => {
    const { channel_id: id } = await addChannel('Viewed');
    const page = await at.open(`/settings/channels/${id}/settings`, await at.stack.person('viewer'));
    await page.getByRole('textbox', { name: 'Reply URL' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Reply URL' }).isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Save replies and leads' }).count()).to.equal(0);
    expect(await page.getByTestId('reply-secret').count()).to.equal(0);
  });
});
