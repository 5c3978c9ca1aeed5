import { Modal, TextInput } from '@mantine/core';
import type { KeyItem } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import dialog from '../../ui/dialog.module.css';
import { textOf } from '../../ui/form.ts';
import { FormFoot } from '../../ui/form-foot.tsx';
import { useToast } from '../../ui/toaster.tsx';

interface RenameKeyDialogProps {
  readonly item: KeyItem;
  readonly onClose: () => void;
}

/** Renames a key. Integrations that use it notice nothing. */
export function RenameKeyDialog({ item, onClose }: RenameKeyDialogProps) {
  const rename = useWrite(ROUTES.keys.rename, [ROUTES.keys.list]);
  const toast = useToast();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = textOf(new FormData(event.currentTarget), 'name');
    rename.mutate(
      { params: { keyId: item.key_id }, body: { name } },
      {
        onSuccess: (renamed) => {
          toast(`Renamed to “${renamed.name}”.`);
          onClose();
        },
      },
    );
  };
  const nameError = fieldError(rename.error, '/name');
  return (
    <Modal opened onClose={onClose} title={`Rename “${item.name}”`} size="md">
      <form className={dialog.body} onSubmit={onSubmit}>
        <TextInput
          name="name"
          label="Name"
          description="The key, its scopes and its expiry stay the same."
          defaultValue={item.name}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          error={nameError}
        />
        <FormFoot
          submit="Rename key"
          pending={rename.isPending}
          error={nameError === undefined ? rename.error : null}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
