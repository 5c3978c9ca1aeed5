import type { Outcome } from '@sluice/contract/delivery/delivery';
import type { ReactNode } from 'react';
import classes from './chip.module.css';
import { Icon, type IconName } from './icons.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

interface ChipProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** Shows a state in words and colour. The words are enough without the colour. */
export function Chip({ tone, icon, children }: ChipProps) {
  return (
    <span className={`${classes.chip} tone-${tone}`}>
      {icon !== undefined && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}

export function StatusChip({ status }: { readonly status: number }) {
  const tone = status < 300 ? 'ok' : status < 500 ? 'warn' : 'bad';
  return (
    <Chip
      tone={status === 401 ? 'bad' : tone}
      icon={status < 300 ? 'check' : status < 500 ? 'cross' : 'warning'}
    >
      <span className="number">{status}</span>
    </Chip>
  );
}

/** Outcomes that changed no event. */
const UNCHANGED = new Set<Outcome>(['not_found', 'superseded', 'duplicate', 'ignored']);

const OUTCOME_MEANINGS: Record<Outcome, string> = {
  created: 'The event was created.',
  updated: 'The event was updated.',
  cancelled: 'The event was cancelled.',
  deleted: 'The event was deleted.',
  not_found: 'The event was not found, so nothing changed.',
  superseded: 'A later action was already applied, so nothing changed.',
  duplicate: 'The same request was received before, so nothing changed.',
  rejected: 'The request was rejected.',
  ignored: 'The mapping of the source ignores this body, so nothing changed.',
  failed: 'Accepted, but it could not be applied.',
};

/** Describes an outcome in a sentence. */
export function outcomeMeaning(outcome: Outcome): string {
  return OUTCOME_MEANINGS[outcome];
}

export function outcomeWord(outcome: Outcome): string {
  return outcome.replace('_', ' ');
}

/** Shows the outcome of a delivery. Only outcomes that need attention stand out. */
export function OutcomeText({ outcome }: { readonly outcome: Outcome }) {
  const word = outcomeWord(outcome);
  return (
    <span title={outcomeMeaning(outcome)}>
      {outcome === 'failed' ? (
        <Chip tone="bad" icon="warning">
          {word}
        </Chip>
      ) : (
        <span className={UNCHANGED.has(outcome) ? 'dimmed' : ''}>{word}</span>
      )}
    </span>
  );
}
