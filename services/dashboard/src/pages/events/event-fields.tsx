import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { EVENT_STATUSES, RECURRENCES } from '@sluice/contract/event-fields';
import { fieldError } from '../../api/api-error.ts';
import { localMinute } from '../../ui/time.ts';
import type { EventDraft } from './event-draft.ts';
import classes from './events.module.css';

interface EventFieldsProps {
  readonly draft: EventDraft;
  readonly error: Error | null;
  readonly onChange: (draft: EventDraft) => void;
}

type Changed = { readonly currentTarget: { readonly value: string } };

/** Times are in the viewer's time zone. A time that is not touched keeps its seconds. */
export function EventFields({ draft, error, onChange }: EventFieldsProps) {
  const errorOf = (name: keyof EventDraft) => ({ error: fieldError(error, `/event/${name}`) });
  const text = (name: keyof EventDraft) => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: Changed) => onChange({ ...draft, [name]: value }),
    ...errorOf(name),
  });
  const time = (name: 'starts_at' | 'ends_at') => ({
    type: 'datetime-local',
    value: localMinute(draft[name] === '' ? undefined : draft[name]),
    onChange: ({ currentTarget: { value } }: Changed) => onChange({ ...draft, [name]: instantOf(value) }),
    ...errorOf(name),
  });
  return (
    <div className={classes.fields}>
      <TextInput label="Title" required withAsterisk={false} data-autofocus {...text('title')} />
      <div className={classes.pair}>
        <TextInput label="Starts" required withAsterisk={false} {...time('starts_at')} />
        <TextInput label="Ends" {...time('ends_at')} />
      </div>
      <TextInput label="Location" {...text('location')} />
      <Textarea label="Description" autosize minRows={2} maxRows={8} {...text('description')} />
      <TextInput label="URL" placeholder="https://" {...text('url')} />
      <div className={classes.pair}>
        <TextInput label="Price" placeholder="Free" {...text('price')} />
        <NativeSelect
          label="Recurring"
          data={[{ value: '', label: 'once' }, ...RECURRENCES]}
          {...text('recurring')}
        />
      </div>
      <NativeSelect label="Status" data={[...EVENT_STATUSES]} {...text('status')} />
    </div>
  );
}

/** The instant of a time in the viewer's time zone; empty if the field is empty. */
function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
