import { MAX_LENGTH } from '@sluice/contract/event-fields';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';

/** The fields of a dead letter that people see; null if the letter lacks the field. */
export interface LetterFields {
  readonly account_id: string | null;
  readonly source_id: string | null;
  /** The kind of its action. */
  readonly kind: string | null;
  readonly title: string | null;
}

/** Reads a dead letter. An enqueued action may have any shape, so only strings are read from it. */
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

/** A dead letter as shown in the audit log. */
export function letterTarget(letter: StoredDeadLetter): { id: string; name: string } {
  return { id: letter.delivery_id, name: letterFields(letter).title ?? letter.delivery_id };
}
