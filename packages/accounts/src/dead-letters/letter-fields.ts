import { EVENT_FIELDS } from '@sluice/contract/event-fields';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';

/** The fields of a dead letter that people see; null if the letter lacks the field. */
export interface LetterFields {
  readonly account_id: string | null;
  readonly source_id: string | null;
  /** The kind of its action. */
  readonly kind: string | null;
  readonly title: string | null;
}

/** Reads a dead letter. An enqueued action or refusal may have any shape, so only strings are read from it. */
export function letterFields({ action: letter }: Pick<StoredDeadLetter, 'action'>): LetterFields {
  const raw = fieldsOf(letter);
  const action = fieldsOf(raw.action);
  const conversation = fieldsOf(action.conversation);
  const titles = [
    fieldsOf(action.identity).title,
    conversation.subject,
    conversation.external_id,
    // A refusal names its kind and title itself.
    raw.title,
  ];
  return {
    account_id: textOf(raw.account_id),
    source_id: textOf(raw.source_id),
    kind: textOf(action.kind) ?? textOf(raw.action),
    title:
      titles
        .map(textOf)
        .find((title) => title !== null)
        ?.slice(0, EVENT_FIELDS.title.max) ?? null,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A dead letter as shown in the audit log. */
export function letterTarget(letter: StoredDeadLetter): { id: string; name: string } {
  return { id: letter.delivery_id, name: letterFields(letter).title ?? letter.delivery_id };
}
