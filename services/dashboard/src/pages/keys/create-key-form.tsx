import { TextInput } from '@mantine/core';
import type { Scope } from '@sluice/contract/scopes';
import type { NewKey } from '@sluice/dashboard-api/keys';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import dialog from '../../ui/dialog.module.css';
import { FormFoot } from '../../ui/form-foot.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type Expiry, ExpiryField, expiresAt } from './expiry-field.tsx';
import { PresetCards, type PresetId, scopesOf } from './presets.tsx';
import { ScopeField } from './scope-field.tsx';

interface CreateKeyFormProps {
  readonly preset: PresetId | null;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onCancel: () => void;
  readonly onCreate: (key: NewKey) => void;
}

export function CreateKeyForm({ preset: given, pending, error, onCancel, onCreate }: CreateKeyFormProps) {
  const [preset, setPreset] = useState(given);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(scopesOf(given));
  const [expiry, setExpiry] = useState<Expiry>({ choice: '90', date: '' });
  const [missing, setMissing] = useState(false);
  useUnsaved(name.trim() !== '');
  const choose = (id: PresetId) => {
    setPreset(id);
    setScopes(scopesOf(id));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(scopes.length === 0);
    if (scopes.length === 0) return;
    onCreate({ name, scopes: [...scopes] as Scope[], expires_at: expiresAt(expiry, Date.now()) });
  };
  const nameError = fieldError(error, '/name');
  const expiryError = fieldError(error, '/expires_at');
  return (
    <form className={dialog.body} onSubmit={onSubmit}>
      <TextInput
        label="Name"
        description="The integration that uses this key"
        placeholder="Booking sync"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        error={nameError}
      />
      <PresetCards selected={preset} onSelect={choose} />
      <ScopeField
        value={scopes}
        onChange={(chosen) => {
          setScopes(chosen);
          setPreset(null);
        }}
        error={missing && scopes.length === 0 ? 'Choose at least one scope.' : undefined}
      />
      <ExpiryField value={expiry} onChange={setExpiry} error={expiryError} />
      <FormFoot
        submit="Create key"
        pending={pending}
        error={nameError === undefined && expiryError === undefined ? error : null}
        onCancel={onCancel}
      />
    </form>
  );
}
