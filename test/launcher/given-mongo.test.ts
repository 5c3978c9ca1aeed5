import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import { expect } from 'chai';
import { checkGivenMongo } from '../../tools/launcher/src/given-mongo.ts';
import { freePort } from '../support/free-port.ts';
import { startMongo } from '../support/mongo-process.ts';

describe('a MongoDB given by MONGO_URL', () => {
  const namespace = 'sluice-test-given';

  it('is accepted if it responds', async () => {
    const server = await startMongo();
    try {
      expect(await checkGivenMongo({ url: server.url, namespace })).to.deep.equal({ ok: true });
    } finally {
      await server.stop();
    }
  });

  it('is reported as not answering, with its address and a remedy, if no server is there', async () => {
    const url = `mongodb://127.0.0.1:${await freePort()}`;
    const result = await checkGivenMongo({ url, namespace, answerMs: 300 });
    expect(!result.ok && result.detail)
      .to.include(`MongoDB at ${url} (MONGO_URL) does not answer: `)
      .and.to.include('unset MONGO_URL');
  });

  it('is reported as rejecting the connection if its user is unknown, without its password', async () => {
    const server = await startMongo();
    try {
      const url = server.url.replace('//', '//someone:hunter2@');
      const result = await checkGivenMongo({ url, namespace, answerMs: 3000 });
      expect(!result.ok && result.detail)
        .to.include(`MongoDB at ${server.url} (MONGO_URL) refuses the connection: `)
        .and.not.to.include('hunter2');
    } finally {
      await server.stop();
    }
  });

  it('never shows a part of a password that was not percent-encoded', () => {
    expect(withoutCredentials('mongodb://someone:p@ss/word@host:27017/db?w=1')).to.equal(
      'mongodb://host:27017/db?w=1',
    );
    expect(withoutCredentials('redis://host:6379/0?name=a@b')).to.equal('redis://host:6379/0?name=a@b');
  });
});
