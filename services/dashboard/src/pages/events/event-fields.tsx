import { TextInput } from '@mantine/core';
import {
  EVENT_FIELD_NAMES,
  EVENT_FIELDS,
  type EventField,
  type FieldDeclaration,
  type InstantField,
} from '@sluice/contract/event/event-fields';
import { fieldError } from '../../api/api-error.ts';
import { EventInput } from '../../ui/event-input.tsx';
import { localMinute } from '../../ui/time.ts';
import type { EventDraft } from './event-draft.ts';

interface EventFieldsProps {
  readonly draft: EventDraft;
  readonly error: Error | null;
  readonly onChange: (draft: EventDraft) => void;
}

type Changed = { readonly currentTarget: { readonly value: string } };

/** Times are in the viewer's time zone. A time that is not touched keeps its seconds. */
export function EventFields({ draft, error, onChange }: EventFieldsProps) {
  const input = (name: EventField, toValue = (value: string) => value) => ({
    onChange: ({ currentTarget: { value } }: Changed) => onChange({ ...draft, [name]: toValue(value) }),
    error: fieldError(error, `/event/${name}`),
  });
  const time = (name: InstantField & EventField) => ({
    label: EVENT_FIELDS[name].label,
    type: 'datetime-local',
    value: localMinute(draft[name] === '' ? undefined : draft[name]),
    ...input(name, instantOf),
  });
  const inputOf = (name: EventField) => (
    <EventInput key={name} name={name} value={draft[name]} isSet={name === 'status'} {...input(name)} />
  );
  return (
    <div className="stack-small">
      <TextInput
        label={EVENT_FIELDS.title.label}
        required
        data-autofocus
        value={draft.title}
        {...input('title')}
      />
      <div className="grid">
        <TextInput required {...time('starts_at')} />
        <TextInput {...time('ends_at')} />
      </div>
      {WIDE.map(inputOf)}
      <div className="grid">{SHORT.map(inputOf)}</div>
    </div>
  );
}

/** An edit cannot change the external id: it would be another event. */
const APART = ['title', 'starts_at', 'ends_at', 'external_id'];
const OTHERS = EVENT_FIELD_NAMES.filter((name) => !APART.includes(name));
const SHORT = OTHERS.filter((name) => isShort(EVENT_FIELDS[name]));
const WIDE = OTHERS.filter((name) => !SHORT.includes(name));

function isShort(field: FieldDeclaration): boolean {
  return field.type === 'choice' || (field.type === 'text' && field.max <= 100);
}

/** The instant of a time in the viewer's time zone; empty if the field is empty. */
function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
