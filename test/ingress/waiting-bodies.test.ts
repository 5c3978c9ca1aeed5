import type { SourceRecord } from '@sluice/admission/source-record';
import { UNAVAILABLE } from '@sluice/ingress/admit/decide';
import { createWaitingBodies } from '@sluice/ingress/receive/receive';
import type { KnownSource } from '@sluice/ingress/verify/known-source';
import { verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useWebhook } from './support/use-webhook.ts';

const ROOM = 1024 * 1024;
const BODY = new Uint8Array(255 * 1024).fill(0x20);
/** The number of bodies that fit. */
const FIT = 4;
const SOURCE: KnownSource = {
  record: { source_id: 'src_1', account_id: 'acc_1', active: true } as SourceRecord,
  bodyStorage: 'all',
  key: verifyingKey('whsec_any'),
};

describe('ingress: bodies that wait for their response', () => {
  const waiting: (() => void)[] = [];
  const { url } = useWebhook(
    {
      sources: {
        cached: () => SOURCE,
        find: () => Promise.reject(new Error('it is cached')),
        forget: () => {},
        forgetAll: () => {},
      },
      results: {
        expect: () => {
          throw new Error('no request here is signed');
        },
      },
      // A Redis that responds only when the test says so.
      admissions: {
        submit: () => new Promise((resolve) => waiting.push(() => resolve(UNAVAILABLE))),
      },
      waitingBodies: createWaitingBodies(ROOM),
    },
    (reply) => (reply?.kind === 'refused' && reply.refusal.code === 'unavailable' ? 503 : 400),
  );

  const post = () =>
    fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=5' },
      body: BODY,
    });

  it('wait for no result if they are unsigned, and have limited memory: one more gets 503 at once, until others have their response', async () => {
    for (let time = 0; time < 2; time++) {
      const held = Array.from({ length: FIT }, post);
      await until(() => waiting.length === FIT);
      expect((await post()).status, 'one more').to.equal(503);
      expect(waiting, 'nothing that waited was answered for it').to.have.length(FIT);
      for (const answer of waiting.splice(0)) answer();
      for (const answered of await Promise.all(held)) expect(answered.status).to.equal(503);
    }
  });
});
