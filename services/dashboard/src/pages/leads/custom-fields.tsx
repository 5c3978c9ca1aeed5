import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import type { LeadFieldValue } from '@sluice/dashboard-api/leads';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { errorOf } from './lead-draft.ts';
import classes from './leads.module.css';

interface CustomFieldsProps {
  readonly fields: readonly (readonly [name: string, value: LeadFieldValue])[];
  readonly error: Error | null;
  /** null removes the field. */
  readonly onChange: (name: string, value: LeadFieldValue | null) => void;
}

/** Edits the custom fields of a lead. A value keeps its type: text, number, or yes and no. */
export function CustomFields({ fields, error, onChange }: CustomFieldsProps) {
  return (
    <fieldset className="stack-small">
      <legend>Custom fields</legend>
      {fields.map(([name, value]) => (
        <div key={name} className={classes.customField}>
          <ValueField
            name={name}
            value={value}
            error={errorOf(error, `fields/${name}`)}
            onChange={onChange}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove field ${name}`}
            onClick={() => onChange(name, null)}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </div>
      ))}
      {errorOf(error, 'fields') !== undefined && <p className="wrong">{errorOf(error, 'fields')}</p>}
      <NewField taken={fields.map(([name]) => name)} onAdd={onChange} />
    </fieldset>
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly value: LeadFieldValue;
  readonly error: string | undefined;
  readonly onChange: (name: string, value: LeadFieldValue) => void;
}

function ValueField({ name, value, error, onChange }: ValueFieldProps) {
  if (typeof value === 'boolean')
    return (
      <NativeSelect
        label={name}
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={String(value)}
        onChange={(event) => onChange(name, event.currentTarget.value === 'true')}
        error={error}
      />
    );
  if (typeof value === 'number')
    return <NumberField name={name} value={value} error={error} onChange={onChange} />;
  return (
    <TextInput
      label={name}
      value={value}
      onChange={(event) => onChange(name, event.currentTarget.value)}
      error={error}
    />
  );
}

interface Typed {
  readonly text: string;
  /** The value of the field since then. Another value, such as a newer one of the lead, replaces the text. */
  readonly value: number;
}

/** Keeps what is typed until it is a number: “-” and an empty field are on the way to one, and can't be saved. */
function NumberField({ name, value, error, onChange }: ValueFieldProps & { readonly value: number }) {
  const [latest, setTyped] = useState<Typed | null>(null);
  const typed = latest !== null && latest.value === value ? latest.text : null;
  const problem = typed === null || isNumber(typed) ? '' : 'Not a number. Enter one to save the lead.';
  const input = useRef<HTMLInputElement>(null);
  // The browser submits no form with such a field, and shows the reason at it.
  useEffect(() => input.current?.setCustomValidity(problem), [problem]);
  return (
    <TextInput
      ref={input}
      label={name}
      inputMode="decimal"
      value={typed ?? String(value)}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped({ text, value: isNumber(text) ? Number(text) : value });
        if (isNumber(text)) onChange(name, Number(text));
      }}
      onBlur={() => problem === '' && setTyped(null)}
      error={problem === '' ? error : problem}
    />
  );
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

interface NewFieldProps {
  readonly taken: readonly string[];
  readonly onAdd: (name: string, value: LeadFieldValue) => void;
}

const TYPES = { text: ['Text', ''], number: ['Number', 0], choice: ['Yes or no', true] } as const;
type FieldType = keyof typeof TYPES;
const TYPE_CHOICES = Object.entries(TYPES).map(([value, [label]]) => ({ value, label }));

function NewField({ taken, onAdd }: NewFieldProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<FieldType>('text');
  const trimmed = name.trim();
  const isTaken = taken.includes(trimmed);
  const add = () => {
    if (trimmed === '' || isTaken) return;
    onAdd(trimmed, TYPES[type][1]);
    setName('');
  };
  return (
    <div className={classes.customField}>
      <TextInput
        aria-label="Name of a new field"
        placeholder="Name of a new field"
        maxLength={50}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
        error={isTaken ? 'This lead has the field already.' : undefined}
      />
      <NativeSelect
        aria-label="Type of the new field"
        data={TYPE_CHOICES}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as FieldType)}
      />
      <Button variant="default" disabled={trimmed === '' || isTaken} onClick={add}>
        Add field
      </Button>
    </div>
  );
}
