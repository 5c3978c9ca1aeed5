import type { KeyWatch } from '@sluice/management/watch-key';
import type { Gate } from './gate.ts';

/**
 * The gate as it is told of: closed, too, while the keys of this process open the secret of no source, so that no
 * deployment goes on with it. Requests are answered 503 then in any case, each as its source cannot be opened.
 */
export function keyedGate(
  gate: Pick<Gate, 'closed' | 'reasons' | 'backlogFull'>,
  key: Pick<KeyWatch, 'trouble'>,
): Pick<Gate, 'closed' | 'reasons' | 'backlogFull'> {
  return {
    closed: () => gate.closed() ?? key.trouble(),
    reasons: () => [...new Set([...gate.reasons(), key.trouble()])].filter((why) => why !== null),
    backlogFull: () => gate.backlogFull(),
  };
}
