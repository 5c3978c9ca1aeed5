import { Textarea, TextInput } from '@mantine/core';
import type { LeadTextField } from '@sluice/dashboard-api/lead-names';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { type FocusEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../../ui/icons.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { CustomFields } from './custom-fields.tsx';
import { errorOf, type LeadDraft, shownFields } from './lead-draft.ts';
import { fieldWord } from './lead-words.ts';
import classes from './leads.module.css';

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
  /** In a dialog that opens with the first field. */
  readonly isNew?: boolean;
}

/** The fields of a lead, for the drawer and for a new lead. */
export function LeadFields({ lead, draft, error, onChange, isNew = false }: LeadFieldsProps) {
  const textOf = (name: LeadTextField) => draft.texts[name] ?? lead[name] ?? '';
  const setText = (name: LeadTextField, text: string) =>
    onChange({ ...draft, texts: { ...draft.texts, [name]: text } });
  return (
    <>
      <div className="grid">
        {LINES.map(({ name, ...attributes }) => (
          <TextInput
            key={name}
            {...attributes}
            data-autofocus={(isNew && name === 'name') || undefined}
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

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  readonly error: string | undefined;
}

const MAX_TAGS = 20;

/** Edits tags. Enter or a comma adds one, so do leaving the field and submitting its form; Backspace in the empty field removes the last. */
function TagsField({ tags, onChange, error }: TagsFieldProps) {
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  const add = (typed: string) => {
    const added = typed.split(',').map((tag) => tag.trim());
    setText('');
    const next = [...new Set([...tags, ...added])].filter((tag) => tag !== '').slice(0, MAX_TAGS);
    if (next.length > tags.length) onChange(next);
  };
  const field = useRef<HTMLInputElement>(null);
  const onSubmit = useEffectEvent(({ target }: Event) => {
    if (target === field.current?.form && text.trim() !== '') flushSync(() => add(text));
  });
  useEffect(() => {
    const beforeTheForm = (event: Event) => onSubmit(event);
    window.addEventListener('submit', beforeTheForm, { capture: true });
    return () => window.removeEventListener('submit', beforeTheForm, { capture: true });
  }, []);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    const isOfForm = relatedTarget instanceof HTMLButtonElement && relatedTarget.form === field.current?.form;
    // The tag would move such a button away under the mouse, so that nothing is clicked.
    if (!isOfForm) add(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <div className="stack-small">
      <TextInput
        ref={field}
        label="Tags"
        description="Press Enter after each tag."
        maxLength={50}
        disabled={tags.length >= MAX_TAGS && text === ''}
        value={text}
        onChange={({ currentTarget: { value } }) => (value.endsWith(',') ? add(value) : setText(value))}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        error={error}
      />
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags of this lead">
          {tags.map((tag) => (
            <li key={tag} className={classes.tag}>
              {tag}
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove tag ${tag}`}
                onClick={() => onChange(tags.filter((one) => one !== tag))}
              >
                <Icon name="cross" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
