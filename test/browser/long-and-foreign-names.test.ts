import type { EventPage } from '@sluice/dashboard-api/events';
import type { Overview } from '@sluice/dashboard-api/overview';
import type { SourceCreated } from '@sluice/dashboard-api/sources';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Counts the lines of an element's text. */
const LINES = `(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
}`;

/** Checks that the number after an element and a colon is displayed after the element. */
const IS_FOLLOWED = `(element) => {
  const range = document.createRange();
  range.selectNode(element.nextSibling.nextSibling);
  return range.getBoundingClientRect().left >= element.getBoundingClientRect().right - 1;
}`;

describe('browser: long and right-to-left names', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  const addSource = (name: string) => callAs<SourceCreated>(at.stack, owner, 'POST', '/sources', { name });
  const ask = <T>(element: Locator, question: string) =>
    element.evaluate(new Function('element', `return (${question})(element)`) as () => T);

  it('a long name does not break short words in other columns', async () => {
    const { source, signing_secret: secret } = await addSource('Kulturhaus Mitte, Buchungen '.repeat(3));
    const event = { title: 'Ein langer Titel '.repeat(25).trim(), location: 'Konferenzzentrum '.repeat(8) };
    await post(source.endpoint_url, signed({ secret, body: upsertBody(event) }));
    const events = () => callAs<EventPage>(at.stack, owner, 'GET', '/events?when=all');
    await until(async () => (await events()).items.length === 1);
    for (const [path, label] of [
      ['/events?when=all', 'Origin'],
      ['/events/webhook', 'Active'],
      ['/settings/audit-log', 'From'],
    ] as const) {
      const page = await at.open(path, owner);
      const cell = page.locator(`td[data-label=${label}]`).first();
      const text = label === 'Active' ? cell.getByText('on', { exact: true }) : cell;
      await text.waitFor();
      expect(await ask(text, LINES), label).to.equal(1);
    }
  });

  it('a long name of the source leaves room for the title of an event on a phone', async () => {
    const { source, signing_secret: secret } = await addSource('Kulturhausbuchungen'.repeat(5));
    const event = { title: 'A title of some words', location: 'Berlin' };
    await post(source.endpoint_url, signed({ secret, body: upsertBody(event) }));
    const path = `/events?when=all&source_id=${source.source_id}`;
    await until(async () => (await callAs<EventPage>(at.stack, owner, 'GET', path)).items.length === 1);
    const page = await at.open(path, owner, { width: 360 });
    const title = page.getByText(event.title, { exact: true });
    await title.waitFor();
    expect(await ask(title, LINES)).to.be.at.most(2);
  });

  it('a number after a right-to-left name stays after it', async () => {
    const { source } = await addSource('مركز الثقافة');
    for (let i = 0; i < 10; i++)
      await post(source.endpoint_url, signed({ secret: 'whsec_wrong', body: upsertBody() }));
    const overview = () => callAs<Overview>(at.stack, owner, 'GET', '/overview');
    await until(async () => (await overview()).attention.some(({ kind }) => kind === 'refusals'));
    const page = await at.open('/', owner);
    const name = page.getByRole('listitem').filter({ hasText: source.name }).locator('strong');
    await name.waitFor();
    expect(await ask(name, IS_FOLLOWED)).to.equal(true);
  });
});
