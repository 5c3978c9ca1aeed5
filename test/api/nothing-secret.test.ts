import { expect } from 'chai';
import { identify, PASSWORD } from '../support/api.ts';
import { dumpMongo, dumpRedis } from '../support/dump.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { expectNoSecret } from '../support/no-secret.ts';
import { upsertBody } from '../support/signed.ts';
import { useInstallation } from './support/installation.ts';

describe('api: secrets, on a running installation', () => {
  const at = useInstallation();

  it('appear in no log line and in no stored data', async () => {
    const source = await at.addSource();
    const { body } = await at.owner.call('post', '/keys', { name: 'Secret', scopes: ['webhooks'] });
    expect((await identify(at.api.app, body.key)).status).to.equal(200);
    expectProblem(await identify(at.api.app, `${body.key.slice(0, -1)}!`), 'key_invalid');
    const { body: invited } = await at.owner.call('post', '/members/invites', { role: 'viewer' });
    const prepared = await at.owner.call('post', `/sources/${source.id}/secret/prepare-rotation`);
    await at.sendTo(source, upsertBody({ title: 'The very last' }));
    const [row] = await at.logged(source, 1);
    // Rejected, test and reprocessed requests pass the same places.
    await at.sendTo({ ...source, secret: `${source.secret}x` }, upsertBody());
    const test = { body: JSON.stringify(upsertBody()), break: 'bad_signature' };
    expect((await at.owner.call('post', `/sources/${source.id}/test`, test)).status).to.equal(200);
    expect((await at.owner.call('post', `/deliveries/${row?.delivery_id}/reprocess`)).status).to.equal(202);
    await at.logged(source, 4);
    const processes = [...at.pipeline.ingresses, ...at.pipeline.workers];
    const places = {
      logs: [
        ...at.api.logLines,
        ...processes.flatMap(({ log }) => log.map((line) => JSON.stringify(line))),
      ].join(),
      redis: await dumpRedis(at.pipeline.redis.url),
      mongodb: await dumpMongo(at.mongoUrl, at.pipeline.namespace),
    };
    expect(places.mongodb).to.contain('The very last');
    expect(places.redis).to.contain(source.id);
    const secrets = {
      'signing secret': source.secret,
      'prepared secret': prepared.body.signing_secret as string,
      'API key': body.key.slice(16) as string,
      'session token': at.owner.cookie.split('=')[1] as string,
      'token of a link': invited.url.split('#token=')[1] as string,
      password: PASSWORD,
    };
    for (const [place, text] of Object.entries(places)) {
      for (const [what, secret] of Object.entries(secrets))
        expect(text.includes(secret), `${what} in ${place}`).to.equal(false);
      expectNoSecret(place, text);
    }
  });
});
