import type { Verdict } from '@sluice/admission/admit';
import type { RefusedRequest } from '@sluice/contract/groups';
import type { Candidate } from '@sluice/ingress/admit/candidate';
import { commitAdmissions } from '@sluice/ingress/enqueue/commit-admissions';
import { commitRefusals } from '@sluice/ingress/enqueue/commit-refusals';
import { expect } from 'chai';

/** What fails here is answered 503: the sender sends again, which has no second effect. */
describe('ingress: what too few replicas of Redis hold', () => {
  const steps: string[] = [];
  const replicaWait = () => {
    steps.push('begun');
    return () => {
      steps.push('asked');
      return Promise.reject(new Error('0 of 1 Redis replicas hold the write'));
    };
  };
  const newGroupId = () => 'grp_1';
  const told = (): void => void steps.push('told');
  beforeEach(() => void steps.splice(0));

  const rate = { remaining: 1, resetSeconds: 0 };
  const admissionsOf = (verdict: Verdict) =>
    commitAdmissions(
      {
        admitGroup: async () => {
          steps.push('written');
          return [verdict];
        },
        replicaWait,
        newGroupId,
        onActions: told,
      },
      [{} as Candidate],
    ).then(
      ([decision]) => decision?.kind,
      (error: Error) => error.message,
    );

  it('is not accepted, be it new or repeated', async () => {
    for (const outcome of ['admitted', 'duplicate'] as const) {
      expect(await admissionsOf({ outcome, sequence: 1, rate })).to.contain('0 of 1');
      expect(steps.splice(0)).to.deep.equal(['begun', 'written', 'asked']);
    }
  });

  it('is not waited for where nothing was accepted', async () => {
    expect(await admissionsOf({ outcome: 'inactive', rate })).to.equal('refuse');
    expect(steps).to.deep.equal(['begun', 'written']);
  });

  it('is not refused either, as the row of a refusal would be lost', async () => {
    const producer = { enqueueRefusals: async () => void steps.push('written') };
    const failure = await commitRefusals({ producer, replicaWait, newGroupId, onRefusals: told }, [
      {} as RefusedRequest,
    ]).catch((error: Error) => error.message);
    expect(failure).to.contain('0 of 1');
    expect(steps).to.deep.equal(['begun', 'written', 'asked']);
  });
});
