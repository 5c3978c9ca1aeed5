import { Modal, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { channelPath } from '../../shell/page-links.ts';
import dialog from '../../ui/dialog.module.css';
import { textOf } from '../../ui/form.ts';
import { FormFoot } from '../../ui/form-foot.tsx';

export function NewChannelDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(ROUTES.channels.create, [ROUTES.channels.list]);
  const navigate = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(
      { body: { name: textOf(new FormData(event.currentTarget), 'name') } },
      { onSuccess: ({ channel }) => navigate(channelPath(channel.channel_id, 'setup')) },
    );
  };
  const nameError = fieldError(create.error, '/name');
  return (
    <Modal opened onClose={onClose} title="Add a channel" size="md">
      <form className={dialog.body} onSubmit={onSubmit}>
        <TextInput
          name="name"
          label="Name"
          description="The chat widget or platform that will send conversations"
          placeholder="Website chat"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          error={nameError}
        />
        <FormFoot
          submit="Add channel"
          pending={create.isPending}
          error={nameError === undefined ? create.error : null}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
