import { decodeBody, readJson } from '@sluice/contract/event/parse-action';
import { type Mapped, mapBody } from '@sluice/signature/mapping/map-body';
import type { Mapping } from '@sluice/signature/mapping/mapping';
import type { Unapplied } from '../answer/refusal.ts';
import type { Signed, Verified, VerifyInput } from './verified.ts';

/** Reads the body of another sender by the mapping of its source. */
export function mapRequest({ source, bytes, http }: VerifyInput, mapping: Mapping, signed: Signed): Verified {
  const text = decodeBody(bytes);
  const headerOf = (name: string) => {
    const value = http.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const mapped = readJson<Mapped>(text, (body) => mapBody(mapping, body, headerOf));
  switch (mapped.outcome) {
    case 'action': {
      const { action } = mapped;
      const ticket = { kind: 'action', upsert: action.kind === 'upsert', ...signed } as const;
      return { outcome: 'action', ticket, action, text, isMapped: true };
    }
    case 'ignored':
      // It is no failure: a source that stores the bodies of failures stores none of these.
      return unapplied(source.bodyStorage === 'all' ? text : undefined, {
        code: mapped.code,
        reason: REASONS[mapped.code],
      });
    case 'failed':
    case 'malformed_json': {
      const { detail } = mapped;
      if (source.bodyStorage !== 'none') return unapplied(text, { code: 'mapping_failed', reason: detail });
      // Nothing else preserves the data, so the sender has to know.
      const refusal = { code: 'validation_failed', detail } as const;
      return { outcome: 'refused', ticket: { kind: 'refused' }, refusal, action: null, title: null, text };
    }
  }
}

const REASONS = {
  no_rule: 'No rule of the mapping matches this body.',
  ignored_by_rule: 'A rule of the mapping ignores this body.',
} as const;

/** The ticket is that of a rejection: the admission checks the version of the source and its rate, and counts no upsert. */
function unapplied(text: string | undefined, why: Unapplied): Verified {
  return {
    outcome: 'unapplied',
    ticket: { kind: 'refused' },
    unapplied: why,
    action: null,
    title: null,
    text,
  };
}
