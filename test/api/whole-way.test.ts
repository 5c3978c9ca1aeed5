import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createKeyspace } from '@sluice/admission/keyspace';
import { createHttpServer } from '@sluice/api/server';
import type { DeliveryItem } from '@sluice/contract/dashboard/deliveries';
import { GROUP_VERSION } from '@sluice/contract/groups';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { identify, PASSWORD, type Person, SECRET_KEY, startApi, type TestApi } from '../support/api.ts';
import { dumpMongo, dumpRedis } from '../support/dump.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** The dashboard's API over a real ingress, a real worker and their stores. */
describe('api: on a running installation', () => {
  let pipeline: Pipeline;
  let api: TestApi;
  let owner: Person;
  let stranger: Person;
  before(async () => {
    pipeline = await startPipeline({ env: { SLUICE_SECRET_KEY: SECRET_KEY.toString('base64') } });
    const mongoUrl = pipeline.mongo?.url ?? (process.env.MONGO_URL as string);
    const on = { redisUrl: pipeline.redis.url, mongoUrl, namespace: pipeline.namespace };
    api = await startApi({
      on,
      config: { INGRESS_URL: pipeline.urls[0] as string, EVENTS_URL: 'https://events.example.com' },
    });
    owner = await api.addPerson(await api.addAccount(), 'owner');
    stranger = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(async () => {
    await api?.close();
    await pipeline?.stop();
  });

  const addSource = async () => {
    const { body } = await owner.call('post', '/sources', { name: 'Booking' });
    const id = body.source.source_id as string;
    return {
      id,
      secret: body.signing_secret as string,
      url: `${pipeline.urls[0]}/api/v1/events/webhook/${id}`,
    };
  };
  type Source = Awaited<ReturnType<typeof addSource>>;
  const sendTo = ({ url, secret }: Source, body: object | string) => post(url, signed({ secret, body }));
  const list = async ({ id }: Pick<Source, 'id'>, query = ''): Promise<DeliveryItem[]> => {
    const answer = await owner.call('get', `/deliveries?source_id=${id}&limit=200${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.items;
  };
  const logged = async (source: Source, count: number): Promise<DeliveryItem[]> => {
    let rows: DeliveryItem[] = [];
    const enough = async () => {
      rows = await list(source);
      return rows.length >= count;
    };
    await until(enough, { what: `${count} rows` });
    return rows;
  };

  it('a delivery is listed, with the request, the answer, a timeline and how long it took', async () => {
    const source = await addSource();
    const body = upsertBody({ title: 'Open day' });
    const answer = await sendTo(source, body);
    const [row] = await logged(source, 1);
    expect(row).to.deep.include({
      delivery_id: answer.body.delivery_id,
      action: 'upsert',
      http_status: 200,
      title: 'Open day',
      outcome: 'created',
      origin: 'webhook',
    });
    expect(row?.latency_ms).to.be.within(0, 10_000);
    const { body: detail } = await owner.call('get', `/deliveries/${row?.delivery_id}`);
    expect(JSON.parse(detail.request.body)).to.deep.equal(body);
    expect(detail.request.url).to.equal(`https://events.example.com/api/v1/events/webhook/${source.id}`);
    expect(detail.request.headers['X-Service-Signature']).to.match(/^sha256=[0-9a-f]{8}…$/);
    expect(JSON.parse(detail.answer.body)).to.deep.equal({
      ok: true,
      status: 'ok',
      delivery_id: row?.delivery_id,
    });
    expect(detail.timeline.map(({ step }: { step: string }) => step)).to.deep.equal([
      'received',
      'admitted',
      'applied',
    ]);
    expect(detail).to.deep.include({
      why: null,
      not_reprocessable: null,
      body_absent: null,
      reprocessed_as: [],
    });
    expectProblem(await stranger.call('get', `/deliveries/${row?.delivery_id}`), 'not_found');
    expectProblem(await stranger.call('post', `/deliveries/${row?.delivery_id}/reprocess`), 'not_found');
  });

  it('a refusal says why, with the checks up to the one that failed, and has no body where the signature did not hold', async () => {
    const source = await addSource();
    await post(source.url, signed({ secret: 'whsec_wrong', body: upsertBody({ title: 'Forged' }) }));
    await post(source.url, signed({ secret: source.secret, body: upsertBody(), timestamp: Date.now() }));
    await sendTo(source, { action: 'upsert', event: { title: 'No date' } });
    const rows = await logged(source, 3);
    const detailOf = async (code: string) =>
      (await owner.call('get', `/deliveries/${rows.find((row) => row.code === code)?.delivery_id}`)).body;
    const forged = await detailOf('signature_invalid');
    expect(forged).to.deep.include({ body_absent: 'not_signed', not_reprocessable: 'not_verified' });
    expect(forged.request).to.deep.include({ body: null, headers: {} });
    expect(JSON.stringify(forged)).not.to.contain('Forged');
    expect(forged.why.checks.at(-1)).to.deep.equal({
      name: 'The signature fits timestamp, body and secret',
      passed: false,
    });
    expect((await detailOf('timestamp_expired')).why.what).to.contain('milliseconds');
    const invalid = await detailOf('validation_failed');
    expect(invalid.why.what).to.contain('/event/starts_at');
    expect(invalid).to.deep.include({ body_absent: null, not_reprocessable: 'not_an_action' });
    expectProblem(
      await owner.call('post', `/deliveries/${forged.delivery.delivery_id}/reprocess`),
      'not_reprocessable',
    );
  });

  it('bodies over 64 KiB are not kept, nor any where the source says so', async () => {
    const source = await addSource();
    const large = upsertBody({ extra: 'x'.repeat(70_000) });
    await sendTo(source, large);
    await owner.call('patch', `/sources/${source.id}`, { keep_bodies: false });
    await sendTo(source, upsertBody({ title: 'Private' }));
    const rows = await logged(source, 2);
    const absent = await Promise.all(
      rows.map(
        async ({ delivery_id }) => (await owner.call('get', `/deliveries/${delivery_id}`)).body.body_absent,
      ),
    );
    expect(absent).to.deep.equal(['switched_off', 'too_large']);
    expectProblem(
      await owner.call('post', `/deliveries/${rows[0]?.delivery_id}/reprocess`),
      'not_reprocessable',
    );
  });

  it('filters by status, code, action, outcome, time and part of the title; pages hold each row once', async () => {
    const source = await addSource();
    for (let i = 0; i < 12; i++) await sendTo(source, upsertBody({ title: `Concert ${i} (a.b)` }));
    await sendTo(source, {
      action: 'cancel',
      event: { title: 'Nothing there', starts_at: '2027-01-01T10:00Z' },
    });
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    const all = await logged(source, 14);
    expect(await list(source, '&status_class=4xx')).to.have.length(1);
    expect(await list(source, '&status=200')).to.have.length(13);
    expect(await list(source, '&code=signature_invalid')).to.have.length(1);
    expect(await list(source, '&action=cancel&outcome=not_found')).to.have.length(1);
    expect(await list(source, `&title=${encodeURIComponent('(A.B')}`)).to.have.length(12);
    const third = all[3]?.received_at as string;
    const newer = await list(source, `&from=${encodeURIComponent(third)}`);
    const older = await list(source, `&to=${encodeURIComponent(third)}`);
    expect(newer.length + older.length).to.equal(14);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await owner.call(
        'get',
        `/deliveries?source_id=${source.id}&limit=5${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.items.map((row: DeliveryItem) => row.delivery_id));
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    expect(seen).to.deep.equal(all.map((row) => row.delivery_id));
    expectProblem(await owner.call('get', `/deliveries?source_id=${source.id}&cursor=x`), 'bad_request');
    expectProblem(
      await owner.call('get', `/deliveries?source_id=${source.id}&status=abc`),
      'validation_failed',
    );
    expectProblem(await owner.call('get', '/deliveries'), 'validation_failed');
  });

  it('a reprocessed delivery is a new row that names the old one, applied anew as the latest word', async () => {
    const source = await addSource();
    const first = upsertBody({ title: 'Again', price: '1' });
    const { body: sent } = await sendTo(source, first);
    await sendTo(source, { ...first, event: { ...first.event, price: '2' } });
    await logged(source, 2);
    const answer = await owner.call('post', `/deliveries/${sent.delivery_id}/reprocess`);
    expect(answer.status, answer.text).to.equal(202);
    const rows = await logged(source, 3);
    expect(rows[0]).to.deep.include({
      delivery_id: answer.body.delivery_id,
      reprocess_of: sent.delivery_id,
      outcome: 'updated',
      origin: 'dashboard',
    });
    const { body: events } = await owner.call('get', `/events?source_id=${source.id}`);
    expect(events.items[0]).to.include({ title: 'Again', price: '1', source_name: 'Booking' });
    const { body: detail } = await owner.call('get', `/deliveries/${sent.delivery_id}`);
    expect(detail.reprocessed_as).to.deep.equal([answer.body.delivery_id]);
  });

  it('all that match are reprocessed in their order, once the count is confirmed', async () => {
    const source = await addSource();
    const { event } = upsertBody({ title: 'Many' });
    for (const price of ['1', '2', '3'])
      await sendTo(source, { action: 'upsert', event: { ...event, price } });
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    await logged(source, 4);
    const { body: count } = await owner.call('get', `/deliveries/count?source_id=${source.id}`);
    expect(count).to.deep.equal({ matching: 4, reprocessable: 3 });
    const filter = { source_id: source.id };
    expectProblem(
      await owner.call('post', '/deliveries/reprocess', { filter, expected: 2 }),
      'count_changed',
    );
    const answer = await owner.call('post', '/deliveries/reprocess', { filter, expected: 3 });
    expect(answer.body, answer.text).to.deep.equal({ reprocessed: 3, refused: 0 });
    await logged(source, 7);
    const { body: events } = await owner.call('get', `/events?source_id=${source.id}`);
    expect(events.items.map(({ price }: { price: string }) => price)).to.deep.equal(['3']);
    // What was done again is not done again once more.
    const after = await owner.call('get', `/deliveries/count?source_id=${source.id}`);
    expect(after.body).to.deep.equal({ matching: 7, reprocessable: 3 });
    await owner.call('put', `/sources/${source.id}/active`, { active: false });
    const inactive = await owner.call('post', '/deliveries/reprocess', { filter, expected: 3 });
    expect(inactive.body).to.deep.equal({ reprocessed: 0, refused: 3 });
  });

  it('events are searched, cancelled and deleted, each with its history', async () => {
    const source = await addSource();
    await sendTo(
      source,
      upsertBody({ title: 'Jazz night', starts_at: '2030-05-01T20:00:00Z', location: 'Main Hall' }),
    );
    await sendTo(source, upsertBody({ title: 'Old one', starts_at: '2020-05-01T20:00:00Z' }));
    await logged(source, 2);
    const find = async (query: string) =>
      (await owner.call('get', `/events?source_id=${source.id}&${query}`)).body.items;
    const titles = async (query: string) => (await find(query)).map(({ title }: { title: string }) => title);
    expect(await titles('when=upcoming')).to.deep.equal(['Jazz night']);
    expect(await titles('when=past')).to.deep.equal(['Old one']);
    expect(await titles('q=main')).to.deep.equal(['Jazz night']);
    expect(await titles('')).to.deep.equal(['Old one', 'Jazz night']);
    const [{ event_id }] = await find('q=jazz');
    expectProblem(await stranger.call('get', `/events/${event_id}`), 'not_found');
    expectProblem(await stranger.call('delete', `/events/${event_id}`), 'not_found');
    expect((await owner.call('post', `/events/${event_id}/cancel`)).status).to.equal(202);
    await until(async () => (await find('q=jazz'))[0].status === 'cancelled');
    expect((await owner.call('delete', `/events/${event_id}`)).status).to.equal(202);
    await until(async () => (await find('q=jazz')).length === 0);
    const { body } = await owner.call('get', `/events/${event_id}`);
    expect(body.event.deleted_at).to.be.a('string');
    expect(body.history.map((row: DeliveryItem) => [row.outcome, row.origin])).to.deep.equal([
      ['deleted', 'dashboard'],
      ['cancelled', 'dashboard'],
      ['created', 'webhook'],
    ]);
    expect(await titles('include_deleted=true&q=jazz')).to.deep.equal(['Jazz night']);
    expectProblem(await owner.call('delete', `/events/${event_id}`), 'not_found');
  });

  it('test requests go through the real ingress, right or broken as asked', async () => {
    const source = await addSource();
    const body = JSON.stringify(upsertBody());
    const send = async (how: string) => {
      const answer = await owner.call('post', `/sources/${source.id}/test`, { body, break: how });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).not.to.contain(source.secret);
      const said = JSON.parse(answer.body.answer.body);
      return said.code ?? (said.duplicate ? 'duplicate' : said.status);
    };
    const expected = {
      none: 'ok',
      bad_signature: 'signature_invalid',
      no_signature: 'signature_missing',
      old_timestamp: 'timestamp_expired',
      milliseconds: 'timestamp_expired',
      missing_title: 'validation_failed',
      no_offset: 'ok',
      bad_date: 'validation_failed',
      broken_json: 'malformed_json',
      twice: 'duplicate',
    };
    for (const [how, code] of Object.entries(expected)) expect(await send(how), how).to.equal(code);
  });

  it('new rows are told at once to who watches, and after a reconnect what was missed', async () => {
    const source = await addSource();
    const server = createHttpServer(api.replicas[1]?.app as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/dashboard/v1/deliveries/live?source_id=${source.id}`;
    const watch = async (lastId?: string) => {
      const abort = new AbortController();
      const headers = { cookie: owner.cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) };
      const response = await fetch(base, { headers, signal: abort.signal });
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      let text = '';
      void (async () => {
        for await (const chunk of response.body as ReadableStream<Uint8Array>)
          text += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      await until(() => text.includes('retry:'));
      return { text: () => text, stop: () => abort.abort() };
    };
    try {
      const first = await watch();
      await sendTo(source, upsertBody({ title: 'Seen live' }));
      await until(() => first.text().includes('Seen live'));
      const id = /^id: (\S+)$/m.exec(first.text())?.[1] as string;
      first.stop();
      await sendTo(source, upsertBody({ title: 'Missed' }));
      await logged(source, 2);
      const second = await watch(id);
      await until(() => second.text().includes('Missed'));
      expect(second.text()).not.to.contain('Seen live');
      second.stop();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('the overview counts requests, refusals, latency and lag without looking at the log', async () => {
    const source = await addSource();
    for (let i = 0; i < 5; i++) await sendTo(source, upsertBody());
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    await logged(source, 6);
    const read = async (range: string, who = owner) =>
      (await who.call('get', `/overview?range=${range}`)).body;
    await until(
      async () =>
        (await read('1h')).totals.requests >= 6 && (await read('1h')).totals.ingress_ms.p50 !== null,
    );
    for (const [range, points] of [
      ['1h', 60],
      ['24h', 96],
      ['7d', 168],
      ['30d', 120],
    ] as const) {
      const overview = await read(range);
      expect(overview.points).to.have.length(points);
      expect(overview.totals.accepted).to.be.at.least(5);
      expect(overview.totals.lag_ms.p95).to.be.a('number');
      expect(
        overview.refusals.find(({ code }: { code: string }) => code === 'signature_invalid').count,
      ).to.be.at.least(1);
      const sum = overview.points.reduce(
        (all: number, point: { by_status: Record<string, number> }) => all + (point.by_status['200'] ?? 0),
        0,
      );
      expect(sum).to.equal(overview.totals.accepted);
    }
    const overview = await read('1h');
    expect(overview.now).to.include({ workers: 1, queue_depth: 0 });
    expect(overview.plan).to.include({ name: 'unlimited', limit: null });
    expect(overview.checklist).to.deep.equal({ source: true, delivery: true, event: true, api_key: false });
    const theirs = await read('1h', stranger);
    expect(theirs.totals.requests).to.equal(0);
    expect(theirs.checklist).to.deep.equal({ source: false, delivery: false, event: false, api_key: false });
    const own = async () => (await owner.call('get', `/sources/${source.id}`)).body;
    await until(async () => (await own()).accepted_24h === 5 && (await own()).refused_24h === 1);
    expect(Date.parse((await own()).last_delivery_at)).to.be.closeTo(Date.now(), 20_000);
    expectProblem(await owner.call('get', '/overview?range=1y'), 'validation_failed');
  });

  it('ops shows every replica, the queues, and the own dead letters with retry and drop', async () => {
    const { body: ops } = await owner.call('get', '/ops');
    expect(
      ops.replicas.map(({ kind, ready }: { kind: string; ready: boolean }) => [kind, ready]),
    ).to.deep.include.members([
      ['ingress', true],
      ['worker', true],
    ]);
    expect(ops.queues.map(({ name }: { name: string }) => name)).to.deep.equal(['actions', 'refusals']);
    expect(ops.redis.used_bytes).to.be.above(0);

    const redis = new Redis(pipeline.redis.url, { maxRetriesPerRequest: null });
    const prefix = createKeyspace(pipeline.namespace).prefix;
    const queue = new Queue('actions', { connection: redis, prefix });
    const source = await addSource();
    const action = {
      delivery_id: 'dlv_bad1',
      request_id: 'req_1',
      source_id: source.id,
      account_id: owner.me.account.account_id,
      sequence: 1,
      received_at: Date.now(),
      duplicate_of: null,
      action: { kind: 'explode', identity: { title: 'Bad', starts_at: 0, location: '' } },
    };
    await queue.add('group', {
      v: GROUP_VERSION,
      group_id: 'grp_1',
      actions: [action, { ...action, delivery_id: 'dlv_bad2', sequence: 2 }],
    });
    await queue.close();
    redis.disconnect();
    const letters = async (who = owner) => (await who.call('get', '/ops/dead-letters')).body.items;
    await until(async () => (await letters()).length === 2);
    expect(await letters(stranger)).to.deep.equal([]);
    expect((await letters())[0]).to.include({
      delivery_id: 'dlv_bad1',
      source_id: source.id,
      action: 'explode',
      title: 'Bad',
    });
    expectProblem(await stranger.call('delete', '/ops/dead-letters/dlv_bad1'), 'not_found');
    expectProblem(await stranger.call('post', '/ops/dead-letters/dlv_bad1/retry'), 'not_found');
    expect((await owner.call('delete', '/ops/dead-letters/dlv_bad1')).status).to.equal(204);
    expect((await owner.call('post', '/ops/dead-letters/dlv_bad2/retry')).status).to.equal(204);
    const why = (await owner.call('get', '/deliveries/dlv_bad2')).body.why;
    expect(why).to.include({ title: 'Accepted, but not applied' });
  });

  it('nothing secret is in any log line, nor in anything that is stored', async () => {
    const source = await addSource();
    const { body } = await owner.call('post', '/keys', { name: 'Secret', scopes: ['webhooks'] });
    expect((await identify(api.app, body.key)).status).to.equal(200);
    expectProblem(await identify(api.app, `${body.key.slice(0, -1)}!`), 'key_invalid');
    const { body: invited } = await owner.call('post', '/members/invites', { role: 'viewer' });
    const prepared = await owner.call('post', `/sources/${source.id}/secret/prepare-rotation`);
    await sendTo(source, upsertBody({ title: 'The very last' }));
    await logged(source, 1);
    const processes = [...pipeline.ingresses, ...pipeline.workers];
    const places = {
      logs: [
        ...api.logLines,
        ...processes.flatMap(({ log }) => log.map((line) => JSON.stringify(line))),
      ].join(),
      redis: await dumpRedis(pipeline.redis.url),
      mongodb: await dumpMongo(pipeline.mongo?.url ?? (process.env.MONGO_URL as string), pipeline.namespace),
    };
    expect(places.mongodb).to.contain('The very last');
    expect(places.redis).to.contain(source.id);
    const secrets = {
      'signing secret': source.secret,
      'prepared secret': prepared.body.signing_secret as string,
      'API key': body.key.slice(16) as string,
      'session token': owner.cookie.split('=')[1] as string,
      'token of a link': invited.url.split('#token=')[1] as string,
      password: PASSWORD,
    };
    for (const [place, text] of Object.entries(places)) {
      for (const [what, secret] of Object.entries(secrets))
        expect(text.includes(secret), `${what} in ${place}`).to.equal(false);
      expect(text).not.to.match(/whsec_\w{20}|slc_live_\w{20}|sha256=[0-9a-f]{20}/);
    }
  });
});
