import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { expect } from 'chai';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { runInShell } from './support/shell.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

describe('browser: copy buttons', () => {
  const at = useBrowser();

  it('copy the exact bytes; the curl command signs with a fresh timestamp and gets 200', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/setup`, owner);

    await page.getByRole('button', { name: 'Copy endpoint URL' }).click();
    expect(await clipboard(page)).to.equal(source.endpointUrl);
    await page.getByRole('button', { name: 'Copy signing secret' }).click();
    await until(async () => (await clipboard(page)) === source.secret, {
      what: 'the secret is on the clipboard',
    });
    expect(await page.content(), 'copied without being shown').to.not.contain(source.secret);

    await page.getByRole('button', { name: 'Copy code' }).click();
    const code = await clipboard(page);
    expect(code).to.not.contain(source.secret);
    const ran = await runInShell(code, { SLUICE_SIGNING_SECRET: source.secret });
    expect(ran.stdout).to.match(/^HTTP\/1.1 200/);
  });

  it('copy the ids of a delivery, and a link that opens it', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const answer = await send(source, { title: 'To be copied' });
    await untilLogged(at.stack, owner, answer.body.delivery_id);
    const page = await at.open(`/deliveries/${answer.body.delivery_id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('button', { name: 'Copy delivery id' }).click();
    expect(await clipboard(page)).to.equal(answer.body.delivery_id);
    await drawer.getByRole('button', { name: 'Copy request id' }).click();
    expect(await clipboard(page)).to.equal(answer.headers.get('x-request-id'));
    await drawer.getByRole('button', { name: 'Copy link' }).click();
    const link = await clipboard(page);
    expect(link).to.equal(`${at.stack.url}/deliveries/${answer.body.delivery_id}`);
    await page.goto(link);
    await drawer.getByText('To be copied').first().waitFor();
  });

  it('copy a delivery as curl: it signs again and sends the same bytes, and contains no secret or signature', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const title = `It's "$HOME" \`ls\` \\ @x 100 % ü`;
    const body = JSON.stringify(upsertBody({ title }), null, 2);
    const first = await post(source.endpointUrl, signed({ secret: source.secret, body }));
    await untilLogged(at.stack, owner, first.body.delivery_id);
    const page = await at.open(`/deliveries/${first.body.delivery_id}`, owner);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const code = await clipboard(page);
    // The prompt for the secret shows how one begins.
    expect(code).not.to.match(/whsec_\w|sha256=[0-9a-f]/);
    const ran = await runInShell(code, { SLUICE_SIGNING_SECRET: source.secret });
    expect(ran.stdout).to.match(/^HTTP\/1.1 200/);
    const again = JSON.parse(ran.stdout.slice(ran.stdout.indexOf('{'))) as { delivery_id: string };
    await untilLogged(at.stack, owner, again.delivery_id);
    const detail = await callAs<DeliveryDetail>(at.stack, owner, 'GET', `/deliveries/${again.delivery_id}`);
    expect(detail.request.body).to.equal(body);
  });

  it('copy a delivery as a sluice command: it sends the same action, whatever its fields contain', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const event = {
      title: `It's "$HOME" \`ls\` -x`,
      location: '--here',
      description: 'Two\nlines',
      price: 'Free',
    };
    const first = await send(source, event);
    await untilLogged(at.stack, owner, first.body.delivery_id);
    const page = await at.open(`/deliveries/${first.body.delivery_id}`, owner);
    await page.getByRole('button', { name: 'Copy as sluice command' }).click();
    const command = await clipboard(page);
    expect(command).not.to.match(/whsec_|sha256=/);
    const ran = await runInShell(`${command} --json`, { SLUICE_SIGNING_SECRET: source.secret });
    expect(ran.code, ran.stderr).to.equal(0);
    const again = JSON.parse(ran.stdout).body.delivery_id as string;
    await untilLogged(at.stack, owner, again);
    const bodyOf = async (id: string) => {
      const { request } = await callAs<DeliveryDetail>(at.stack, owner, 'GET', `/deliveries/${id}`);
      return JSON.parse(request.body ?? '') as object;
    };
    expect(await bodyOf(again)).to.deep.equal(await bodyOf(first.body.delivery_id));
  });

  it('shows the secret on request for 30 seconds, and never to a viewer', async () => {
    const owner = await at.stack.person('admin');
    const source = await addSource(at.stack, owner);
    const page = await at.open('/events/webhook', owner);
    await page.clock.install();
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/setup`);
    const field = page.getByTestId('signing-secret');
    expect(await field.textContent()).to.match(/^whsec_•+$/);
    await page.getByRole('button', { name: 'Reveal signing secret' }).click();
    await page.getByRole('button', { name: 'Hide signing secret' }).waitFor();
    expect(await field.textContent()).to.equal(source.secret);
    await page.clock.runFor(30_500);
    await page.getByRole('button', { name: 'Reveal signing secret' }).waitFor();
    expect(await page.content()).to.not.contain(source.secret);
    const viewed = await at.open(`/events/webhook/${source.id}/setup`, await at.stack.person('viewer'));
    await viewed.getByText('Only owners and admins can see it').waitFor();
    expect(await viewed.getByRole('button', { name: /secret/i }).count()).to.equal(0);
  });
});
