import { NativeSelect } from '@mantine/core';
import { ACTION_KINDS } from '@sluice/contract/event/action';
import { EVENT_FIELD_NAMES, IDENTITY_FIELDS } from '@sluice/contract/event/event-fields';
import { DAY_MS } from '@sluice/contract/time/durations';
import { EventInput } from '../../ui/event-input.tsx';
import classes from './test-tab.module.css';

const isIdentity = (name: string) => (IDENTITY_FIELDS as readonly string[]).includes(name);

export type Draft = Readonly<Record<string, string>>;

/** Returns an upsert for tomorrow evening. */
export function exampleDraft(): Draft {
  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  return { action: 'upsert', title: 'Test event', starts_at: `${day}T18:00:00+01:00`, location: 'Berlin' };
}

/**
 * Returns the body of a draft. Empty fields are left out. Cancel and delete contain only the fields that identify the
 * event.
 */
export function bodyOf({ action, ...fields }: Draft): string {
  const event = Object.entries(fields).filter(
    ([name, value]) => value !== '' && (action === 'upsert' || isIdentity(name) || name === 'external_id'),
  );
  return JSON.stringify({ action, event: Object.fromEntries(event) }, null, 2);
}

interface EventFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

const MORE_FIELDS = EVENT_FIELD_NAMES.filter((name) => !isIdentity(name));

export function EventForm({ draft, onChange }: EventFormProps) {
  const field = (name: string) => ({
    value: draft[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  });
  return (
    <div className="stack-small">
      <NativeSelect label="Action" data={[...ACTION_KINDS]} {...field('action')} />
      {IDENTITY_FIELDS.map((name) => (
        <EventInput key={name} name={name} {...field(name)} />
      ))}
      {draft.action === 'upsert' && (
        <details className={classes.more}>
          <summary>More fields</summary>
          <div className="stack-small">
            {MORE_FIELDS.map((name) => (
              <EventInput key={name} name={name} {...field(name)} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}
