import type { IgnoredCode, MappedBy } from '@sluice/contract/delivery/delivery';
import { decodeBody } from '@sluice/contract/event/parse-bytes';
import { type Mapper, mapText } from '@sluice/signature/mapping/mapper';
import type { Unapplied } from '../answer/refusal.ts';
import type { Signed, Verified, VerifyInput } from './verified.ts';

/**
 * Reads the body of another sender by the mapping of its source. `signedOf`: what makes the request the same as another, where the body
 * says when the change was made, or does not.
 */
export function mapRequest(
  { source, bytes, http }: VerifyInput,
  mapper: Mapper,
  signedOf: (isDated: boolean) => Signed,
): Verified {
  const text = decodeBody(bytes);
  const headerOf = (name: string) => {
    const value = http.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const { result, mapped } = mapText(mapper, text, headerOf);
  switch (result.outcome) {
    case 'action': {
      const { action } = result;
      const signed = signedOf(action.occurred_at !== undefined);
      const ticket = { kind: 'action', upsert: action.kind === 'upsert', ...signed } as const;
      return { outcome: 'action', ticket, action, text, mapped };
    }
    case 'ignored': {
      const { code } = result;
      // It is no failure: a source that stores the bodies of failures stores none of these.
      const kept = source.bodyStorage === 'all' ? text : undefined;
      return unapplied({ code, reason: REASONS[code] }, { text: kept, mapped, ignored: code });
    }
    case 'failed':
    case 'malformed_json': {
      const { detail } = result;
      if (source.bodyStorage !== 'none')
        return unapplied({ code: 'mapping_failed', reason: detail }, { text, mapped });
      // Nothing else preserves the data, so the sender has to know.
      const refusal = { code: 'mapping_failed', detail } as const;
      const ticket = { kind: 'refused' } as const;
      return { outcome: 'refused', ticket, refusal, action: null, title: null, text, mapped };
    }
  }
}

const REASONS = {
  no_rule: 'No rule of the mapping matches this body.',
  ignored_by_rule: 'A rule of the mapping ignores this body.',
} as const;

/** The ticket is that of a rejection: the admission checks the version of the source and its rate, and counts no upsert. */
function unapplied(
  why: Unapplied,
  { text, mapped, ignored }: { text: string | undefined; mapped: MappedBy; ignored?: IgnoredCode },
): Verified {
  const ticket = { kind: 'refused', ...(ignored && { ignored }) } as const;
  return { outcome: 'unapplied', ticket, unapplied: why, action: null, title: null, text, mapped };
}
