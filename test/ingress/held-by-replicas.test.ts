import type { SourceRecord } from '@sluice/admission/source-record';
import type { Verdict } from '@sluice/admission/verdict';
import type { RefusedRequest } from '@sluice/contract/delivery/groups';
import { createAdmitGroup } from '@sluice/ingress/admit/admit-group';
import type { Candidate } from '@sluice/ingress/admit/rows';
import { commitRefusals } from '@sluice/ingress/lanes/lane';
import { expect } from 'chai';

const CANDIDATE = { source: { record: {} as SourceRecord }, verified: {} } as Candidate;

/** A failure here is a 503. The sender retries, which has no second effect. */
describe('ingress: a write that too few replicas of Redis have', () => {
  const steps: string[] = [];
  const replicaWait = () => {
    steps.push('begun');
    return () => {
      steps.push('asked');
      return Promise.reject(new Error('0 of 1 Redis replicas hold the write'));
    };
  };
  const told = (): void => void steps.push('told');
  beforeEach(() => void steps.splice(0));

  const rate = { remaining: 1, resetSeconds: 0 };
  const admissionsOf = (verdict: Verdict) =>
    createAdmitGroup({
      admit: async () => {
        steps.push('written');
        return { verdicts: [verdict], job: 1 };
      },
      defaultRate: { perSecond: 1, burst: 1 },
      plans: new Map(),
      backlogFull: () => false,
      ...{ backlog: () => 0, packFrom: 0 },
      replicaWait,
      ...{ onActions: told, confirmed: { job: 0, atMs: 0 } },
    })([CANDIDATE]).then(
      ([decision]) => decision?.kind,
      (error: Error) => error.message,
    );

  it('is not accepted, whether new or a duplicate', async () => {
    for (const outcome of ['admitted', 'duplicate'] as const) {
      expect(await admissionsOf({ outcome, sequence: 1, rate })).to.contain('0 of 1');
      expect(steps.splice(0)).to.deep.equal(['begun', 'written', 'asked']);
    }
  });

  it('is not waited for if nothing was accepted', async () => {
    expect(await admissionsOf({ outcome: 'inactive', rate })).to.equal('refuse');
    expect(steps).to.deep.equal(['begun', 'written']);
  });

  it('is not a rejection either, because its row could be lost', async () => {
    const producer = { enqueueRefusals: async () => void steps.push('written') };
    const failure = await commitRefusals({ producer, replicaWait, onRefusals: told }, [
      {} as RefusedRequest,
    ]).catch((error: Error) => error.message);
    expect(failure).to.contain('0 of 1');
    expect(steps).to.deep.equal(['begun', 'written', 'asked']);
  });
});
