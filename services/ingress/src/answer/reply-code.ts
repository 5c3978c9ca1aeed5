import { PROBLEMS } from '@sluice/contract/problem';
import type { Reply } from './reply.ts';

/** How a reply is counted, logged and traced: `ok`, `duplicate` or the code of the refusal, and the HTTP status. */
export function codeOf(reply: Reply): { readonly code: string; readonly status: number } {
  switch (reply.kind) {
    case 'accepted':
      return { code: reply.duplicate ? 'duplicate' : 'ok', status: 200 };
    case 'refused':
      return { code: reply.refusal.code, status: PROBLEMS[reply.refusal.code].status };
  }
}
