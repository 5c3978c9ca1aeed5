import { MAX_LENGTH } from '@sluice/contract/event-fields';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';

/** What people are told of a dead letter; null where it does not say. */
export interface LetterFields {
  readonly account_id: string | null;
  readonly source_id: string | null;
  /** The kind of its action. */
  readonly kind: string | null;
  readonly title: string | null;
}

/** Reads a dead letter. What was enqueued may be of any shape: only text is taken from it. */
export function letterFields({ action }: Pick<StoredDeadLetter, 'action'>): LetterFields {
  const raw = action as {
    account_id?: unknown;
    source_id?: unknown;
    action?: { kind?: unknown; identity?: { title?: unknown } };
  } | null;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    account_id: text(raw?.account_id),
    source_id: text(raw?.source_id),
    kind: text(raw?.action?.kind),
    title: text(raw?.action?.identity?.title)?.slice(0, MAX_LENGTH.title) ?? null,
  };
}

/** A dead letter as the audit log names it. */
export function letterTarget(letter: StoredDeadLetter): { id: string; name: string } {
  return { id: letter.delivery_id, name: letterFields(letter).title ?? letter.delivery_id };
}
