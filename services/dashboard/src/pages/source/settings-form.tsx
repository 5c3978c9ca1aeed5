import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import { BODY_STORAGE_WORDS, SETTING_WORDS } from '@sluice/dashboard-api/settings-words';
import type { Source, SourceSettings } from '@sluice/dashboard-api/sources';
import { type FormEvent, useState } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import { useFirstWrong } from '../../ui/form.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { typedSince } from '../../ui/typed-since.ts';
import { useUnsaved } from '../../ui/unsaved.ts';

const KEPT_BODIES = Object.entries(BODY_STORAGE_WORDS).map(([value, label]) => ({ value, label }));

// An operator may have set more than an admin may, so the server checks the maximum.
const RATE_FIELD = { type: 'number', min: 1, step: 1 };

type Settings = Pick<Source, 'name' | 'body_storage' | 'rate_per_second' | 'rate_burst' | 'external_ids'>;

interface SettingsFormProps {
  readonly of: Settings;
  readonly mayChange: boolean;
  readonly save: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSave: (settings: SourceSettings, onSuccess: () => void) => void;
}

/** The values of the form fields. */
interface Shown {
  readonly name: string;
  readonly bodyStorage: BodyStorage;
  readonly rate: string;
  readonly burst: string;
  /** Undefined: it is a channel. */
  readonly externalIds: boolean | undefined;
}

function shownOf({ name, body_storage, rate_per_second, rate_burst, external_ids }: Settings): Shown {
  const [rate, burst] = [String(rate_per_second), String(rate_burst)];
  return { name, bodyStorage: body_storage, rate, burst, externalIds: external_ids };
}

/** Name, stored bodies and limits of a source or channel. */
export function SettingsForm({ of, mayChange, save, onSave }: SettingsFormProps) {
  const toast = useToast();
  // Contains only the fields touched here. Others follow the stored ones, which another user may change meanwhile.
  const [draft, setDraft] = useState<Partial<Shown>>({});
  const stored = shownOf(of);
  const { name, bodyStorage, rate, burst, externalIds } = { ...stored, ...draft };
  const change = (field: Partial<Shown>) => setDraft((before) => ({ ...before, ...field }));
  // An untouched rate is not sent: it may be the default of the installation, which may change.
  const body = {
    ...(name !== stored.name && { name }),
    ...(bodyStorage !== stored.bodyStorage && { body_storage: bodyStorage }),
    ...(rate !== stored.rate && { rate_per_second: numberOrNull(rate) }),
    ...(burst !== stored.burst && { rate_burst: numberOrNull(burst) }),
    ...(externalIds !== stored.externalIds && { external_ids: externalIds }),
  };
  const isDirty = Object.keys(body).length > 0;
  useUnsaved(isDirty);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return toast('No changes to save.');
    onSave(body, () => {
      setDraft((now) => typedSince(draft, now));
      toast('Settings saved.');
    });
  };
  return (
    <form ref={useFirstWrong(save.error)} className="stack" onSubmit={onSubmit}>
      <TextInput
        label={SETTING_WORDS.name}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        required
        maxLength={100}
        disabled={!mayChange}
        error={fieldError(save.error, '/name')}
      />
      <NativeSelect
        label={SETTING_WORDS.body_storage}
        description="Bodies of signed requests, up to 64 KiB each. They are kept as long as the delivery log. A delivery without its body cannot be reprocessed."
        data={KEPT_BODIES}
        value={bodyStorage}
        onChange={(event) => change({ bodyStorage: event.currentTarget.value as BodyStorage })}
        disabled={!mayChange}
      />
      <div className="grid">
        <TextInput
          {...RATE_FIELD}
          label={SETTING_WORDS.rate_per_second}
          description="Empty: the default"
          value={rate}
          onChange={(event) => change({ rate: event.currentTarget.value })}
          disabled={!mayChange}
          error={fieldError(save.error, '/rate_per_second')}
        />
        <TextInput
          {...RATE_FIELD}
          label={SETTING_WORDS.rate_burst}
          description="Requests at once. Empty: the default"
          value={burst}
          onChange={(event) => change({ burst: event.currentTarget.value })}
          disabled={!mayChange}
          error={fieldError(save.error, '/rate_burst')}
        />
      </div>
      {externalIds !== undefined && (
        <Checkbox
          label={SETTING_WORDS.external_ids}
          description="Requests may have external_id. It identifies an event whose title, start or location changes."
          checked={externalIds}
          onChange={(event) => change({ externalIds: event.currentTarget.checked })}
          disabled={!mayChange}
        />
      )}
      {save.error !== null && <ErrorNote error={save.error} />}
      {mayChange && (
        <div>
          <Button type="submit" loading={save.isPending}>
            Save settings
          </Button>
        </div>
      )}
    </form>
  );
}

function numberOrNull(value: string): number | null {
  return value === '' ? null : Number(value);
}
