import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { type Answer, post } from '../support/post.ts';
import type { SignedRequest } from '../support/signed.ts';
import { type Deployment, openDeployment } from './support/deployment.ts';
import {
  createOutsideSource,
  type OutsideSource,
  outsideSource,
  ownAccount,
} from './support/outside-source.ts';

const EVENT = { title: 'Open evening', starts_at: '2027-03-01T18:00:00+01:00', location: 'Town hall' };
const nowSeconds = () => Math.floor(Date.now() / 1000);

/**
 * Uses only the address, signed requests and `sluice`, so the same tests run against any deployment. The service `test` of
 * docker-compose.yml runs it.
 */
describe('a deployment, from outside', function () {
  this.timeout(240_000);
  let deployment: Deployment;
  let account: string[] = [];
  let source: OutsideSource;
  before(() => {
    deployment = openDeployment();
  });
  beforeEach(() => {
    if (account.length === 0) account = ownAccount(deployment);
    source = createOutsideSource(deployment, account);
  });

  it('stores the event of an accepted upsert and logs its delivery', async () => {
    expect(source.url).to.equal(
      `${deployment.eventsUrl.replace(/\/$/, '')}/api/v1/events/webhook/${source.id}`,
    );
    const { status, body, headers } = await source.send('upsert', {
      ...EVENT,
      price: 'Free',
      recurring: 'weekly',
    });
    expect([status, body.ok, body.status]).to.deep.equal([200, true, 'ok']);
    expect(headers.get('ratelimit-policy')).to.match(/^"source";q=\d+;w=\d+$/);

    const [row] = await source.deliveries(1);
    expect(row).to.include({
      delivery_id: body.delivery_id,
      action: 'upsert',
      http_status: 200,
      outcome: 'created',
    });
    expect(row).to.include({ title: EVENT.title, code: null, request_id: headers.get('x-request-id') });
    const [event, ...others] = source.events();
    expect(others).to.deep.equal([]);
    const expected = {
      title: EVENT.title,
      location: EVENT.location,
      price: 'Free',
      recurring: 'weekly',
      status: 'upcoming',
    };
    expect(event).to.include(expected);
    expect(event.starts_at).to.match(/^2027-03-01T17:00:00(\.000)?Z$/);
  });

  it('cancels and deletes the event that title, instant and location identify', async () => {
    await source.send('upsert', EVENT);
    // Another worker may apply the cancel first. The event is then cancelled too, but the log of the cancel says not_found.
    await source.deliveries(1);
    await source.send('cancel', { ...EVENT, starts_at: '2027-03-01T17:00:00Z' });
    const outcomes = (rows: { outcome: string }[]) => rows.map(({ outcome }) => outcome).reverse();
    expect(outcomes(await source.deliveries(2))).to.deep.equal(['created', 'cancelled']);
    expect(source.events().map(({ status }) => status)).to.deep.equal(['cancelled']);

    await source.send('delete', EVENT);
    expect(outcomes(await source.deliveries(3))).to.deep.equal(['created', 'cancelled', 'deleted']);
    expect(source.events()).to.deep.equal([]);
    expect(source.events('--include-deleted')).to.have.lengthOf(1);
  });

  it('applies the same request once, however often it is sent', async () => {
    const request = source.sign({ action: 'upsert', event: EVENT });
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(source.url, request)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    expect(answers.filter(({ body }) => body.duplicate !== true)).to.have.lengthOf(1);

    const rows = await source.deliveries(8);
    const [first] = rows.filter(({ duplicate_of }) => duplicate_of === null);
    expect(rows.filter(({ duplicate_of }) => duplicate_of === first.delivery_id)).to.have.lengthOf(7);
    expect(source.events()).to.have.lengthOf(1);
  });

  it('rejects wrong requests with a code, and logs each rejection', async () => {
    const good = source.sign({ action: 'upsert', event: EVENT });
    const without = (name: string) => ({ ...good, headers: { ...good.headers, [name]: '' } });
    const refused: [SignedRequest, number, string][] = [
      [
        { ...good, headers: { ...good.headers, 'content-type': 'text/plain' } },
        415,
        'unsupported_media_type',
      ],
      [source.sign(`"${'x'.repeat(262_144)}"`), 413, 'payload_too_large'],
      [without('x-service-signature'), 401, 'signature_missing'],
      [source.sign({}, 'soon'), 400, 'timestamp_invalid'],
      [source.sign({}, nowSeconds() - 400), 400, 'timestamp_expired'],
      [{ ...good, body: Buffer.from('{}') }, 401, 'signature_invalid'],
      [source.sign('{"action":'), 400, 'malformed_json'],
      [source.sign({ action: 'upsert', event: { title: 'No start' } }), 400, 'validation_failed'],
    ];
    for (const [request, status, code] of refused)
      expectRefusal(await post(source.url, request), status, code);

    const rows = await source.deliveries(refused.length);
    expect(rows.map(({ code, http_status }) => [http_status, code]).reverse()).to.deep.equal(
      refused.map(([, status, code]) => [status, code]),
    );
    expect(source.events()).to.deep.equal([]);
  });

  it('rejects unknown sources, and serves only the endpoint', async () => {
    const request = source.sign({ action: 'upsert', event: EVENT });
    expectRefusal(await post(`${source.url}x`, request), 404, 'source_not_found');
    expectRefusal(await post(`${deployment.eventsUrl}/elsewhere`, request), 404, 'not_found');
  });

  it('applies a rotated secret to the very next request', async () => {
    await source.send('upsert', EVENT);
    const [printed] = deployment.rows('source', 'rotate-secret', source.id);
    expectRefusal(await source.send('upsert', EVENT), 401, 'signature_invalid');
    const { status } = await outsideSource(deployment, printed).send('upsert', EVENT);
    expect(status).to.equal(200);
  });

  it('rejects the very next request of a source that is switched off, until it is on again', async () => {
    await source.send('upsert', EVENT);
    deployment.rows('source', 'deactivate', source.id);
    expectRefusal(await source.send('upsert', EVENT), 403, 'source_inactive');
    deployment.rows('source', 'activate', source.id);
    expect((await source.send('upsert', EVENT)).status).to.equal(200);
  });

  it('applies concurrent requests in the admitted order: it stores the last admitted upsert', async () => {
    const prices = Array.from({ length: 200 }, (_, index) => `${index} EUR`);
    const answers = await Promise.all(prices.map((price) => source.send('upsert', { ...EVENT, price })));
    const priceOf = new Map(answers.map(({ body }, index) => [body.delivery_id, prices[index]]));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(200).fill(200));

    const rows = await source.deliveries(200);
    const last = rows.reduce((latest, row) => (row.sequence > latest.sequence ? row : latest));
    const events = source.events();
    expect(events.map(({ price }) => price)).to.deep.equal([priceOf.get(last.delivery_id)]);
  });

  it('accepts requests that sluice send signs', async () => {
    const secretFile = join(newFolder(), 'secret');
    const send = (...options: string[]) =>
      deployment.sluice('send', 'upsert', '--url', source.url, '--secret-file', secretFile, ...options);
    await writeFile(secretFile, `${source.secret}\n`);
    const { end, output } = send('--title', EVENT.title, '--starts-at', EVENT.starts_at);
    expect(end, output).to.equal(0);
    await writeFile(secretFile, 'whsec_another');
    expect(send('--title', EVENT.title, '--starts-at', EVENT.starts_at)).to.include({ end: 1 });
  });
});

function expectRefusal({ status, body, headers }: Answer, expectedStatus: number, code: string): void {
  expect([status, body.code, body.type]).to.deep.equal([expectedStatus, code, `/problems/${code}`]);
  expect(headers.get('content-type')).to.equal('application/problem+json');
}
