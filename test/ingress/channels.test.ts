import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import { createObserver } from '@sluice/ingress/observe/observer';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import request from 'supertest';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { use } from '../support/use.ts';

const MESSAGE = {
  action: 'message',
  conversation: { external_id: 'c-1', subject: 'Prices' },
  message: { external_id: 'm-1', author: 'visitor', text: 'Hello' },
};

for (const reader of ['plain', 'node'] as const)
  describe(`ingress: a channel, read by the ${reader} reader`, () => {
    const metrics = createMetrics({ service: 'ingress' });
    const observer = createObserver({ logger: silentLogger(), metrics });
    const it_ = use(() => startIngress({ config: { INGRESS_HTTP_READER: reader }, observer }));
    let channel: TestSource;
    before(async () => {
      channel = await it_.addSource({ kind: 'channel' });
    });

    const post = (path: string, { secret }: TestSource, body: unknown) => {
      const { headers, body: bytes } = signed({ secret, body: JSON.stringify(body) });
      return request(it_.url).post(path).set(headers).send(bytes.toString());
    };

    it('enqueues an action of a conversation, which the worker reads from the stored body', async () => {
      const answer = await post(channel.path, channel, MESSAGE);
      expect(answer.status, answer.text).to.equal(200);
      const [action] = (await it_.enqueuedActions()) as unknown as AdmittedAction[];
      expect(action).to.include({ delivery_id: answer.body.delivery_id, source_id: channel.sourceId });
      expect(action?.action).to.deep.equal({
        kind: 'message',
        conversation: MESSAGE.conversation,
        message: MESSAGE.message,
      });
    });

    it('responds to the same signed request as a duplicate', async () => {
      const { headers, body } = signed({ secret: channel.secret, body: JSON.stringify(MESSAGE) });
      const send = () => request(it_.url).post(channel.path).set(headers).send(body.toString());
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status, second.body.duplicate]).to.deep.equal([200, 200, true]);
    });

    it('names the wrong fields of a body, and logs action and subject', async () => {
      const answer = await post(channel.path, channel, { ...MESSAGE, message: { text: 'Hello' } });
      expect(answer.status).to.equal(400);
      expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).to.deep.equal([
        '/message/external_id',
        '/message/author',
      ]);
      const [refusal] = await it_.enqueuedRefusals();
      expect(refusal).to.include({ action: 'message', title: 'Prices', code: 'validation_failed' });
    });

    it('does not find a channel at the endpoint of events, nor an event source at that of conversations', async () => {
      const source = await it_.addSource();
      const wrong = [
        await post(channel.path.replace('conversations', 'events'), channel, MESSAGE),
        await post(source.path.replace('events', 'conversations'), source, upsertBody()),
      ];
      expect(wrong.map(({ status, body }) => [status, body.code])).to.deep.equal([
        [404, 'source_not_found'],
        [404, 'source_not_found'],
      ]);
    });

    it('counts the time of its requests under its own route', async () => {
      await post(channel.path, channel, MESSAGE);
      expect(await metrics.text()).to.match(
        /http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/conversations\/webhook\/:channelId"/,
      );
    });
  });
