import type { KeyWatch } from '@sluice/management/watch-key';
import type { Gate } from './gate.ts';

/** What is told of a gate, to people and to whoever sends requests here. */
type GateState = Pick<Gate, 'closed' | 'reasons' | 'backlogFull'>;

/**
 * The gate as it is told of: closed, too, while the keys of this process open the secret of no source, so that no
 * deployment goes on with it. Requests are answered 503 then in any case, each as its source cannot be opened.
 */
export function keyedGate(gate: GateState, key: Pick<KeyWatch, 'trouble'>): GateState {
  return {
    closed: () => gate.closed() ?? key.trouble(),
    reasons: () => [...new Set([...gate.reasons(), key.trouble()])].filter((why) => why !== null),
    backlogFull: () => gate.backlogFull(),
  };
}
