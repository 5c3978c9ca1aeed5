import { PROBLEMS } from '@sluice/contract/problem';
import type { Reply } from './reply.ts';

/** The code of a reply in metrics, log and traces (`ok`, `duplicate` or a problem code), and its HTTP status. */
export function codeOf(reply: Reply): { readonly code: string; readonly status: number } {
  switch (reply.kind) {
    case 'accepted':
      return { code: reply.duplicate ? 'duplicate' : 'ok', status: 200 };
    case 'refused':
      return { code: reply.refusal.code, status: PROBLEMS[reply.refusal.code].status };
  }
}
