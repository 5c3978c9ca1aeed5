import type { RefusedRequest } from '@sluice/contract/groups';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Candidate } from '../admit/candidate.ts';
import { type Decision, UNAVAILABLE } from '../admit/decide.ts';
import type { Lane } from './lane.ts';

export interface AllLanesDeps {
  /** One for each shard. */
  readonly lanes: readonly Lane[];
  readonly shards: Shards;
  /** Called with the address of each rejected wrong signature. */
  readonly onBadSignature: (address: string) => void;
}

/**
 * Combines several lanes: each request goes into the shard of its account, and the lanes flush in parallel. The gate is
 * closed only if all lanes are closed. A request whose lane is closed is unavailable at once.
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
      backlog: () => gates.reduce((sum, gate) => sum + gate.backlog(), 0),
      fullness() {
        const all = gates.map((gate) => gate.fullness());
        return {
          actions: Math.max(...all.map(({ actions }) => actions)),
          refusals: Math.max(...all.map(({ refusals }) => refusals)),
        };
      },
      drain() {
        for (const gate of gates) gate.drain();
      },
      stop() {
        for (const gate of gates) gate.stop();
      },
    },
    admissions: {
      async submit(candidate: Candidate, deadlineMs?: number) {
        const lane = laneOf(candidate.source.record.account_id);
        if (lane.gate.closed() !== null) return UNAVAILABLE;
        const decision = await lane.admissions.submit(candidate, deadlineMs);
        const address = badlySignedBy(candidate, decision);
        if (address !== null) onBadSignature(address);
        return decision;
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

/** The address to count; null if the request is verified again, or if the address is already blocked. */
function badlySignedBy({ verified: { ticket } }: Candidate, decision: Decision): string | null {
  if (ticket.kind !== 'badly_signed' || ticket.blocked === true) return null;
  return decision.kind === 'refuse' ? ticket.address : null;
}
