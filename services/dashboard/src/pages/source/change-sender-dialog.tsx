import { NativeSelect, Textarea } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceSender } from '@sluice/dashboard-api/senders';
import type { Source } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import { useState } from 'react';
import { errorsOf, fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { Form } from '../../ui/form.tsx';
import { Modal } from '../../ui/modal.tsx';
import { parseJson } from '../../ui/parse-json.ts';
import { PasswordInput } from '../../ui/password-input.ts';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { ENDPOINTS_SHOWN } from './endpoint.ts';
import { SENDER_CHOICES } from './senders.ts';

/** The presets for senders without one. A profile changes their details. */
const GENERIC = new Set(['hmac', 'token', 'basic']);

interface ChangeSenderDialogProps {
  readonly source: Source;
  readonly onClose: () => void;
}

/** Changes what sends to a source. */
export function ChangeSenderDialog({ source, onClose }: ChangeSenderDialogProps) {
  const current = useRead(ROUTES.sources.sender, { params: { sourceId: source.source_id } });
  return (
    <Modal opened onClose={onClose} title="Change sender" size="lg">
      <Loaded query={current}>
        {(sender) => <SenderForm source={source} current={sender} onClose={onClose} />}
      </Loaded>
    </Modal>
  );
}

interface SenderFormProps extends ChangeSenderDialogProps {
  readonly current: SourceSender;
}

function SenderForm({ source, current, onClose }: SenderFormProps) {
  const toast = useToast();
  const [preset, setPreset] = useState(current.preset);
  const [notJson, setNotJson] = useState<string>();
  const change = useWrite(ROUTES.sources.changeSender, [...ENDPOINTS_SHOWN, ROUTES.sources.sender]);
  const onSubmit = (text: (name: string) => string) => {
    const profile = text('profile').trim() === '' ? { value: undefined } : parseJson(text('profile'));
    setNotJson('error' in profile ? profile.error : undefined);
    if ('error' in profile) return;
    const secret = text('secret');
    // A named preset has no field for the profile. The stored one may be the admin's own, or of an earlier release.
    const kept = preset === current.preset && !GENERIC.has(preset) ? current.profile : null;
    const body = {
      preset,
      profile: profile.value ?? kept ?? undefined,
      secret: secret === '' ? undefined : secret,
    };
    change.mutate(
      { params: { sourceId: source.source_id }, body },
      {
        onSuccess: ({ new_secret: made }) => {
          const needs = secret === '' && (made !== null || preset !== current.preset);
          toast(`Sender changed.${needs ? nextStep(preset, made !== null) : ''}`);
          onClose();
        },
      },
    );
  };
  const wrong = errorsOf(change.error).filter(({ pointer }) => pointer.startsWith('/profile'));
  const profileError = wrong.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(' ');
  return (
    <Form
      submit="Change sender"
      change={change}
      shown={['/secret', '/profile', '/profile/']}
      onSubmit={onSubmit}
      onCancel={onClose}
    >
      <p>
        From the next request on, this source accepts the new sender only.
        {current.mapping !== null && preset !== current.preset && ' Its mapping is removed.'}
      </p>
      <NativeSelect
        name="preset"
        label="What sends to it?"
        data={SENDER_CHOICES}
        value={preset}
        onChange={(event) => setPreset(event.currentTarget.value)}
        data-autofocus
      />
      {GENERIC.has(preset) && (
        <Textarea
          key={preset}
          name="profile"
          label="Profile"
          description="How it signs, as JSON. Empty: as Set up describes. The page “Senders” of the documentation lists the fields."
          defaultValue={preset === current.preset ? JSON.stringify(current.profile, null, 2) : ''}
          error={notJson ?? (profileError || undefined)}
          autosize
          minRows={4}
          maxRows={14}
          classNames={{ input: 'mono' }}
          spellCheck={false}
        />
      )}
      {preset !== OWN_PRESET && (
        <PasswordInput
          name="secret"
          label="Secret of the sender"
          description="If the sender makes it. Empty: the current secret stays, or a new one is made if the sender cannot use it."
          autoComplete="off"
          error={fieldError(change.error, '/secret')}
        />
      )}
    </Form>
  );
}

/** What the admin does about the secret, because none was pasted. Behind another sentence. */
function nextStep(preset: string, isNew: boolean): string {
  const setUp = setUpOf(preset);
  if (setUp?.secret === 'theirs') return ` Paste the secret of ${setUp.title} next.`;
  return isNew ? ' It needs the new signing secret.' : '';
}
