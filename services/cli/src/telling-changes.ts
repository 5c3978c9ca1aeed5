import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { Shards } from '@sluice/shards/shards';
import type { Store } from '@sluice/store/connect';
import { connectOutbound } from '@sluice/telling/connect-outbound';
import { createTeller, type Teller } from '@sluice/telling/teller';
import type { Redis } from 'ioredis';
import type { OnClose } from './connecting.ts';

export interface TellingParts {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Store;
  readonly replicaWaits: readonly ReplicaWait[];
  readonly now: () => number;
}

/**
 * The teller of this command. It ends once it has told every change. A change that it cannot tell stays in its record, and a
 * running service tells it within 10 s.
 */
export function openTeller(parts: TellingParts, onClose: OnClose): Teller {
  const { store } = parts;
  const leaveToServices = () => {};
  const { outbound } = connectOutbound({
    ...parts,
    eraseLog: store.webhookMessages.eraseRecords,
    onError: leaveToServices,
    onUnsendable: leaveToServices,
  });
  const teller = createTeller({ ...store, outbound, onError: leaveToServices });
  onClose(async () => {
    await teller.settled();
    await outbound.close();
  });
  return teller;
}
