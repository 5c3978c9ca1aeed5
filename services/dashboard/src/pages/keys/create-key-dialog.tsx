import { TextInput } from '@mantine/core';
import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import type { NewKey } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import { type Change, Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type Expiry, ExpiryField, expiresAt } from './expiry-field.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';
import { PresetCards, type PresetId, scopesOf } from './presets.tsx';

interface CreateKeyDialogProps {
  readonly preset: PresetId | null;
  readonly onClose: () => void;
}

/**
 * Shows the form, then the full key. The key exists only in this component’s mutation and is gone with it. While it
 * is made and shown, neither Escape nor a click outside closes the dialog.
 */
export function CreateKeyDialog({ preset, onClose }: CreateKeyDialogProps) {
  const create = useWrite(ROUTES.keys.create, [ROUTES.keys.list, ROUTES.overview.show]);
  const created = create.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={created === undefined ? 'Create an API key' : 'Save your key now'}
      size={created === undefined ? 'xl' : 'lg'}
      closable={created === undefined && !create.isPending}
    >
      {created === undefined ? (
        <CreateKeyForm
          preset={preset}
          change={create}
          onCancel={onClose}
          onCreate={(body) => create.mutate({ body })}
        />
      ) : (
        <KeyShownOnce created={created} onDone={onClose} />
      )}
    </Modal>
  );
}

interface CreateKeyFormProps {
  readonly preset: PresetId | null;
  readonly change: Change;
  readonly onCancel: () => void;
  readonly onCreate: (key: NewKey) => void;
}

function CreateKeyForm({ preset: given, change, onCancel, onCreate }: CreateKeyFormProps) {
  const [preset, setPreset] = useState(given);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(scopesOf(given));
  const [expiry, setExpiry] = useState<Expiry>({ choice: '90', date: '' });
  useUnsaved(name.trim() !== '');
  const choose = (id: PresetId) => {
    setPreset(id);
    setScopes(scopesOf(id));
  };
  const onSubmit = () =>
    onCreate({ name, scopes: [...scopes] as Scope[], expires_at: expiresAt(expiry, Date.now()) });
  return (
    <Form
      submit="Create key"
      change={change}
      shown={['/name', '/scopes', '/expires_at']}
      onSubmit={onSubmit}
      onCancel={onCancel}
    >
      <TextInput
        label="Name"
        description="The integration that uses this key"
        placeholder="Booking sync"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={100}
        data-autofocus
        error={fieldError(change.error, '/name')}
      />
      <PresetCards selected={preset} onSelect={choose} />
      <ScopeField
        value={scopes}
        onChange={(chosen) => {
          setScopes(chosen);
          setPreset(null);
        }}
        error={fieldError(change.error, '/scopes')}
      />
      <ExpiryField value={expiry} onChange={setExpiry} error={fieldError(change.error, '/expires_at')} />
    </Form>
  );
}

interface ScopeFieldProps {
  readonly value: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Lists all scopes, each with a description. */
function ScopeField({ value, onChange, error }: ScopeFieldProps) {
  return (
    <Checkbox.Group label="Scopes" value={[...value]} onChange={onChange} error={error}>
      <div className="grid">
        {Object.entries(SCOPES).map(([scope, sentence]) => (
          <Checkbox key={scope} value={scope} label={<code>{scope}</code>} description={sentence} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
