import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { ACTION_KINDS } from '@sluice/contract/action';
import { DAY_MS } from '@sluice/contract/durations';
import { EVENT_STATUSES, RECURRENCES } from '@sluice/contract/event-fields';
import classes from './test-tab.module.css';

const IDENTITY = ['title', 'starts_at', 'location'];

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
    ([name, value]) => value !== '' && (action === 'upsert' || IDENTITY.includes(name)),
  );
  return JSON.stringify({ action, event: Object.fromEntries(event) }, null, 2);
}

interface EventFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

export function EventForm({ draft, onChange }: EventFormProps) {
  const field = (name: string) => ({
    value: draft[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.form}>
      <NativeSelect label="Action" data={[...ACTION_KINDS]} {...field('action')} />
      <TextInput label="Title" {...field('title')} />
      <TextInput
        label="Starts at"
        description="ISO 8601 with an offset"
        classNames={{ input: 'mono' }}
        {...field('starts_at')}
      />
      <TextInput label="Location" {...field('location')} />
      {draft.action === 'upsert' && (
        <details className={classes.more}>
          <summary>More fields</summary>
          <div className={classes.form}>
            <TextInput label="Ends at" description="ISO 8601 with an offset" {...field('ends_at')} />
            <Textarea label="Description" autosize minRows={2} {...field('description')} />
            <TextInput label="URL" placeholder="https://" {...field('url')} />
            <TextInput label="Price" placeholder="Free" {...field('price')} />
            <NativeSelect
              label="Recurring"
              data={[{ value: '', label: 'once' }, ...RECURRENCES]}
              {...field('recurring')}
            />
            <NativeSelect
              label="Status"
              data={[{ value: '', label: 'upcoming (default)' }, ...EVENT_STATUSES]}
              {...field('status')}
            />
          </div>
        </details>
      )}
    </div>
  );
}
