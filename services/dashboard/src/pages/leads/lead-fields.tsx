import { Textarea, TextInput } from '@mantine/core';
import type { LeadTextField } from '@sluice/dashboard-api/lead-names';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { CustomFields } from './custom-fields.tsx';
import { type LeadDraft, shownFields } from './lead-draft.ts';
import { errorOf } from './lead-error.ts';
import { fieldWord } from './lead-words.ts';
import classes from './leads.module.css';
import { TagsField } from './tags-field.tsx';

/** The single-line fields with their longest values. The server checks them again. */
const LINES = [
  { name: 'name', maxLength: 200, type: 'text' },
  { name: 'company', maxLength: 200, type: 'text' },
  { name: 'email', maxLength: 254, type: 'text', inputMode: 'email' },
  { name: 'phone', maxLength: 50, type: 'tel' },
  { name: 'external_id', maxLength: 200, type: 'text' },
] as const;

interface LeadFieldsProps {
  readonly lead: Pick<LeadItem, LeadTextField | 'tags' | 'fields'>;
  readonly draft: LeadDraft;
  /** The error of the last save. Errors of fields are shown at the fields. */
  readonly error: Error | null;
  readonly onChange: (draft: LeadDraft) => void;
}

/** The fields of a lead, for the drawer and for a new lead. */
export function LeadFields({ lead, draft, error, onChange }: LeadFieldsProps) {
  const textOf = (name: LeadTextField) => draft.texts[name] ?? lead[name] ?? '';
  const setText = (name: LeadTextField, text: string) =>
    onChange({ ...draft, texts: { ...draft.texts, [name]: text } });
  return (
    <>
      <div className={classes.fields}>
        {LINES.map(({ name, ...attributes }) => (
          <TextInput
            key={name}
            {...attributes}
            label={fieldWord(name)}
            {...(name === 'external_id' && {
              description: 'Id in your other system. Unique in this account.',
            })}
            value={textOf(name)}
            onChange={(event) => setText(name, event.currentTarget.value)}
            error={errorOf(error, name)}
          />
        ))}
      </div>
      <TagsField
        tags={draft.tags ?? lead.tags}
        onChange={(tags) => onChange({ ...draft, tags })}
        error={errorOf(error, 'tags')}
      />
      <CustomFields
        fields={shownFields(lead, draft)}
        error={error}
        onChange={(name, value) => onChange({ ...draft, fields: { ...draft.fields, [name]: value } })}
      />
      <Textarea
        label={fieldWord('note')}
        autosize={false}
        rows={4}
        maxLength={10_000}
        value={textOf('note')}
        onChange={(event) => setText('note', event.currentTarget.value)}
        error={errorOf(error, 'note')}
      />
    </>
  );
}
