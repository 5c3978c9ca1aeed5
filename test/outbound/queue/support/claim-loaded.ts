import type { Mailboxes } from '@sluice/outbound/queue/mailboxes';
import type { Turn } from '@sluice/outbound/queue/turn';
import { unlessCrashed } from './until-alive.ts';

/** Claims like a dispatcher: a turn whose entries are in MongoDB gets them from its first settlement. */
export async function claimLoaded(
  mailboxes: Pick<Mailboxes, 'claim' | 'settle'>,
  input: { readonly shard: number; readonly limit: number; readonly perTurn: number },
): Promise<Turn[]> {
  const load = async (turn: Turn): Promise<Turn[]> => {
    if (turn.entries.length > 0) return [turn];
    const settling = mailboxes.settle(turn, { results: [], state: turn.state, more: input.perTurn });
    const settled = await unlessCrashed(settling, { status: 'ended' });
    if (settled.status !== 'go_on') return [];
    return [{ ...turn, entries: settled.entries, leaseUntil: settled.leaseUntil }];
  };
  return (await Promise.all((await mailboxes.claim(input)).map(load))).flat();
}
