import type { RefusedRequest } from '@sluice/contract/groups';
import type { Shards } from '@sluice/shards/shards';
import type { Candidate } from '../admit/candidate.ts';
import type { Decision } from '../admit/decide.ts';
import type { Committed } from '../enqueue/group-commit.ts';
import type { Lane } from './lane.ts';

export interface AllLanesDeps {
  /** One for each shard. */
  readonly lanes: readonly Lane[];
  readonly shards: Shards;
  /** Told of the address of each wrong signature that was refused. */
  readonly onBadSignature: (address: string) => void;
}

const UNAVAILABLE = { status: 'unavailable' } as const;

/**
 * Several lanes as one: each request goes into the shard of its account, and the lanes flush side by side. It takes
 * nothing only where no lane does; a request whose own lane is closed is told so at once.
 */
export function allLanes({ lanes, shards, onBadSignature }: AllLanesDeps): Lane {
  const gates = lanes.map(({ gate }) => gate);
  const laneOf = (accountId: string) => lanes[shards.indexOf(accountId)] as Lane;
  return {
    gate: {
      closed() {
        let reason = null;
        for (const gate of gates) {
          reason = gate.closed();
          if (reason === null) return null;
        }
        return reason;
      },
      reasons: () => gates.flatMap((gate) => gate.reasons()),
      backlogFull: () => gates.some((gate) => gate.backlogFull()),
      drain() {
        for (const gate of gates) gate.drain();
      },
      stop() {
        for (const gate of gates) gate.stop();
      },
    },
    admissions: {
      async submit(candidate: Candidate, deadlineMs: number) {
        const lane = laneOf(candidate.source.record.account_id);
        if (lane.gate.closed() !== null) return UNAVAILABLE;
        const committed = await lane.admissions.submit(candidate, deadlineMs);
        const address = badlySignedBy(candidate, committed);
        if (address !== null) onBadSignature(address);
        return committed;
      },
    },
    refusals: {
      submit: (row: RefusedRequest, deadlineMs: number) =>
        laneOf(row.account_id).refusals.submit(row, deadlineMs),
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** Not where the source has changed meanwhile, and the request is verified again; nor where the address is blocked already. */
function badlySignedBy({ verified: { ticket } }: Candidate, committed: Committed<Decision>): string | null {
  if (ticket.kind !== 'badly_signed' || ticket.blocked === true || committed.status === 'unavailable')
    return null;
  return committed.result.kind === 'refuse' ? ticket.address : null;
}
