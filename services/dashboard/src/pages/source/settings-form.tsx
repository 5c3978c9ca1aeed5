import { NativeSelect, TextInput } from '@mantine/core';
import type { BodyStorage } from '@sluice/contract/delivery/body-storage';
import { BODY_STORAGE_WORDS, SETTING_WORDS } from '@sluice/dashboard-api/settings-words';
import type { Source, SourceSettings } from '@sluice/dashboard-api/sources';
import { fieldError } from '../../api/api-error.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import { type Change, Form } from '../../ui/form.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useEdits } from '../../ui/use-edits.ts';

const KEPT_BODIES = Object.entries(BODY_STORAGE_WORDS).map(([value, label]) => ({ value, label }));

// An operator may have set more than an admin may, so the server checks the maximum.
const RATE_FIELD = { type: 'number', min: 1, step: 1 };

type Settings = Pick<Source, 'name' | 'body_storage' | 'rate_per_second' | 'rate_burst' | 'external_ids'>;

interface SettingsFormProps {
  readonly of: Settings;
  readonly mayChange: boolean;
  readonly save: Change;
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
  const stored = shownOf(of);
  const { edited, edit, onSaved } = useEdits(stored);
  const { name, bodyStorage, rate, burst, externalIds } = edited;
  // An untouched rate is not sent: it may be the default of the installation, which may change.
  const body = {
    ...(name !== stored.name && { name }),
    ...(bodyStorage !== stored.bodyStorage && { body_storage: bodyStorage }),
    ...(rate !== stored.rate && { rate_per_second: numberOrNull(rate) }),
    ...(burst !== stored.burst && { rate_burst: numberOrNull(burst) }),
    ...(externalIds !== stored.externalIds && { external_ids: externalIds }),
  };
  const onSubmit = () =>
    onSave(body, () => {
      onSaved();
      toast('Settings saved.');
    });
  return (
    <Form
      submit={mayChange ? 'Save settings' : null}
      change={save}
      shown={['/name', '/rate_per_second', '/rate_burst']}
      isDirty={Object.keys(body).length > 0}
      onSubmit={onSubmit}
    >
      <TextInput
        label={SETTING_WORDS.name}
        value={name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
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
        onChange={(event) => edit({ bodyStorage: event.currentTarget.value as BodyStorage })}
        disabled={!mayChange}
      />
      <div className="grid">
        <TextInput
          {...RATE_FIELD}
          label={SETTING_WORDS.rate_per_second}
          description="Empty: the default"
          value={rate}
          onChange={(event) => edit({ rate: event.currentTarget.value })}
          disabled={!mayChange}
          error={fieldError(save.error, '/rate_per_second')}
        />
        <TextInput
          {...RATE_FIELD}
          label={SETTING_WORDS.rate_burst}
          description="Requests at once. Empty: the default"
          value={burst}
          onChange={(event) => edit({ burst: event.currentTarget.value })}
          disabled={!mayChange}
          error={fieldError(save.error, '/rate_burst')}
        />
      </div>
      {externalIds !== undefined && (
        <Checkbox
          label={SETTING_WORDS.external_ids}
          description="Requests may have external_id. It identifies an event whose title, start or location changes."
          checked={externalIds}
          onChange={(event) => edit({ externalIds: event.currentTarget.checked })}
          disabled={!mayChange}
        />
      )}
    </Form>
  );
}

function numberOrNull(value: string): number | null {
  return value === '' ? null : Number(value);
}
