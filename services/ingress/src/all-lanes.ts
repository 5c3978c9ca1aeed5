import type { Shards } from '@sluice/admission/shards';
import type { Candidate } from './admit/candidate.ts';
import type { CommittedRequest } from './enqueue/commit-requests.ts';
import type { Committed } from './enqueue/group-commit.ts';
import type { Lane } from './lane.ts';

export interface AllLanesDeps {
  /** One for each shard. */
  readonly lanes: readonly Lane[];
  readonly shards: Shards;
  /** Told of the address of each wrong signature that was logged. */
  readonly onBadSignature: (address: string) => void;
}

const UNAVAILABLE: Committed<CommittedRequest> = { status: 'unavailable' };

/**
 * Several lanes as one: each request goes into the shard of its account, and the lanes flush side by side. It takes
 * nothing only where no lane does; a request whose own lane is closed is told so at once.
 */
export function allLanes({ lanes, shards, onBadSignature }: AllLanesDeps): Lane {
  const gates = lanes.map(({ gate }) => gate);
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
    commits: {
      async submit(candidate: Candidate) {
        const lane = lanes[shards.indexOf(candidate.source.record.account_id)] as Lane;
        if (lane.gate.closed() !== null) return UNAVAILABLE;
        const committed = await lane.commits.submit(candidate);
        const address = badlySignedBy(candidate, committed);
        if (address !== null) onBadSignature(address);
        return committed;
      },
      async idle() {
        await Promise.all(lanes.map(({ commits }) => commits.idle()));
      },
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** Not where the source has changed meanwhile, and the request is verified again. */
function badlySignedBy(
  { verified: { ticket } }: Candidate,
  committed: Committed<CommittedRequest>,
): string | null {
  if (ticket.kind !== 'badly_signed' || committed.status === 'unavailable') return null;
  return committed.result.decision.kind === 'refuse' ? ticket.address : null;
}
