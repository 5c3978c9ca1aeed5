import type { KeyWatch } from '@sluice/accounts/keys/watch-key';
import type { Gate } from './gate.ts';

/** The state of a gate, as probes, metrics and the dashboard show it. */
type GateState = Pick<Gate, 'closed' | 'reasons' | 'backlogFull' | 'fullness'>;

/**
 * The gate with one more reason: the keys of this process open no source's secret. Then a deployment must not continue.
 * Requests get 503 in that case anyway, because their sources cannot be opened.
 */
export function keyedGate(gate: GateState, key: Pick<KeyWatch, 'trouble'>): GateState {
  return {
    closed: () => gate.closed() ?? key.trouble(),
    reasons: () => [...new Set([...gate.reasons(), key.trouble()])].filter((why) => why !== null),
    backlogFull: () => gate.backlogFull(),
    fullness: () => gate.fullness(),
  };
}
