import { createHmac, randomBytes } from 'node:crypto';
import { HOUR_SECONDS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { canInstallPackage } from '../platforms/support/packed.ts';
import { errorOf, type Row } from '../platforms/support/zapier.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { useZapier } from './support/use-zapier.ts';
import { SUBSCRIPTION } from './support/zapier-subscription.ts';

if (canInstallPackage('zapier')) describeHooks();
else
  reportNotRun('The hooks of the Zapier app', ['zapier-platform-core (npm run test:platforms installs it)']);

function describeHooks() {
  describe('integrations: a hook of the Zapier app', function () {
    this.timeout(300_000);
    const { used, trigger } = useZapier();
    const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
    const kept = newSecret();
    /** A hook as Zapier passes it on, signed with a secret. */
    const hookOf = ({ secret = kept, ageSeconds = 0, headers = {} as Row }) => {
      const content = JSON.stringify({ id: 'msg_1', type: 'lead.created', data: { id: 'lead_1' } });
      const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
      const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`msg_1.${timestamp}.${content}`)
        .digest('base64');
      const signed = {
        'Http-Webhook-Id': 'msg_1',
        'Http-Webhook-Timestamp': String(timestamp),
        'Http-Webhook-Signature': `v1,${signature}`,
      };
      return { method: 'POST', headers: { ...signed, ...headers }, content };
    };
    const receive = (rawRequest: Row, subscribeData: Row = { id: 'sub_1', secret: kept }) =>
      used.zapier.run<Row[]>(trigger('lead_created').perform, {
        authData: used.authData,
        subscribeData,
        rawRequest,
      });
    /** Sluice, with this secret. */
    const answerWith = (secret: string, more: Row = { status: 'active' }) => {
      used.api.reply = ({ method }) => ({
        body: { ...SUBSCRIPTION, ...more, ...(method === 'POST' && { secret }) },
      });
    };

    it('starts the Zap, and asks for nothing while its secret is right', async () => {
      expect((await receive(hookOf({})))[0]).to.include({ id: 'msg_1' });
      expect(used.api.sent).to.deep.equal([]);
    });

    it('starts the Zap after a rotation, with the secret that Sluice returns', async () => {
      const secret = newSecret();
      answerWith(secret);
      expect((await receive(hookOf({ secret })))[0]).to.include({ id: 'msg_1' });
      expect(used.api.sent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        'GET /webhooks/sub_1',
        'POST /webhooks',
      ]);
      const { id: _, ...fields } = SUBSCRIPTION;
      expect(used.api.sent[1]?.body).to.deep.equal(fields);
      // An app that kept no secret asks too.
      expect(await receive(hookOf({ secret }), { id: 'sub_1' })).to.have.length(1);
    });

    it('asks with the ETag, and again after a change meanwhile, so that it undoes none', async () => {
      const secret = newSecret();
      let etag = '"1-0a0a0a0a"';
      used.api.reply = ({ method, headers }) => {
        if (method === 'GET') return { headers: { ETag: etag }, body: { ...SUBSCRIPTION, status: 'active' } };
        const isChanged = etag === '"1-0a0a0a0a"';
        etag = '"2-0a0a0a0a"';
        return isChanged || headers['if-match'] !== etag
          ? { status: 412, body: { code: 'changed_meanwhile', message: 'It was changed.' } }
          : { body: { ...SUBSCRIPTION, secret } };
      };
      expect(await receive(hookOf({ secret }))).to.have.length(1);
      expect(used.api.sent.map(({ headers }) => headers['if-match'])).to.deep.equal([
        ...[undefined, '"1-0a0a0a0a"'],
        ...[undefined, '"2-0a0a0a0a"'],
      ]);
    });

    it('starts no Zap that is switched off meanwhile, nor one whose subscription keeps changing', async () => {
      const secret = newSecret();
      const rejected = { status: 412, body: { code: 'changed_meanwhile', message: 'It was changed.' } };
      const found = { headers: { ETag: '"1-0a0a0a0a"' }, body: { ...SUBSCRIPTION, status: 'active' } };
      const gone = { status: 404, body: { code: 'not_found', message: 'No such subscription.' } };
      for (const replies of [
        [found, rejected, gone],
        [found, rejected, found, rejected],
      ]) {
        used.api.sent.length = 0;
        used.api.reply = () => replies[used.api.sent.length - 1] ?? {};
        expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
        expect(used.api.sent).to.have.length(replies.length);
      }
    });

    it('starts the Zap after a rotation and a pause, and does not lift the pause', async () => {
      const secret = newSecret();
      for (const reason of ['by_admin', 'by_client']) {
        answerWith(secret, { status: 'paused', reason });
        expect(await receive(hookOf({ secret })), reason).to.have.length(1);
      }
      expect(used.api.sent.map(({ body }) => body?.active)).to.deep.equal([
        ...[undefined, undefined],
        ...[undefined, false],
      ]);
    });

    it('starts no Zap if another secret signed it, or if the subscription fails or was deleted', async () => {
      const secret = newSecret();
      answerWith(kept);
      expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
      used.api.sent.length = 0;
      answerWith(secret, { status: 'paused', reason: 'failing' });
      expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
      used.api.reply = () => ({ status: 404, body: { code: 'not_found', message: 'No such subscription.' } });
      expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
      expect(used.api.sent.map(({ method }) => method)).to.deep.equal(['GET', 'GET']);
    });

    it('asks once for a forged message, as nothing has changed since the Zap subscribed', async () => {
      const updated_at = '2027-05-01T10:00:00.000Z';
      const secret = newSecret();
      const forged = hookOf({ secret });
      const subscribeData = { id: 'sub_1', secret: kept, updated_at };
      answerWith(kept, { status: 'active', updated_at });
      expect((await errorOf(receive(forged, subscribeData))).name).to.equal('HaltedError');
      expect(used.api.sent.map(({ method }) => method)).to.deep.equal(['GET']);
      answerWith(secret, { status: 'active', updated_at: '2027-05-01T11:00:00.000Z' });
      expect(await receive(forged, subscribeData)).to.have.length(1);
    });

    it('asks for nothing without the form of a message', async () => {
      const secret = newSecret();
      const right = hookOf({ secret });
      const formless = [
        { ...right, content: 'no JSON' },
        { ...right, content: 'null' },
        { ...right, content: JSON.stringify({ id: 'msg_2' }) },
        hookOf({ secret, headers: { 'Http-Webhook-Id': undefined } }),
        hookOf({ secret, headers: { 'Http-Webhook-Signature': 'v1,short' } }),
        hookOf({ secret, headers: { 'Http-Webhook-Signature': undefined } }),
      ];
      for (const one of formless) expect((await errorOf(receive(one))).name).to.equal('HaltedError');
      expect(used.api.sent).to.deep.equal([]);
    });

    it('shows why Sluice does not return the secret', async () => {
      used.api.reply = () => ({
        status: 401,
        body: { code: 'key_revoked', message: 'The key was revoked.' },
      });
      expect((await errorOf(receive(hookOf({ secret: newSecret() })))).name).to.equal('ExpiredAuthError');
    });

    it('starts the Zap after Zapier held it back for hours, but not for more than a day', async () => {
      const held = await receive(hookOf({ ageSeconds: 23 * HOUR_SECONDS }));
      expect(held[0]).to.include({ id: 'msg_1' });
      const error = await errorOf(receive(hookOf({ ageSeconds: 25 * HOUR_SECONDS })));
      expect(error).to.include({ name: 'HaltedError' });
      expect(error.message).to.match(/more than a day old/);
      expect(used.api.sent).to.deep.equal([]);
    });

    it('starts no Zap if it is a test with a made-up record', async () => {
      expect(await receive(hookOf({ headers: { 'Http-Webhook-Test': '1' } }))).to.deep.equal([]);
    });
  });
}
