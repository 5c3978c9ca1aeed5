import { type CommandFailure, wrongUsage } from './exit-codes.ts';

const VARIABLE = 'OUTBOUND_ALLOW';

/** The error for a URL that messages may not go to. `detail`: why, and what to do. */
export function refusedUrl(option: string, detail: string): CommandFailure {
  const own = detail.includes(VARIABLE) ? ` This command reads it too: ${VARIABLE}=host sluice ...` : '';
  return wrongUsage(`${option}: ${detail}${own}`);
}
