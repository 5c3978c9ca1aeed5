import type { KeyItem } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useWrite } from '../../api/queries.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { useToast } from '../../ui/toaster.tsx';

interface RenameKeyDialogProps {
  readonly item: KeyItem;
  readonly onClose: () => void;
}

/** Renames a key. Integrations that use it notice nothing. */
export function RenameKeyDialog({ item, onClose }: RenameKeyDialogProps) {
  const rename = useWrite(ROUTES.keys.rename, [ROUTES.keys.list]);
  const toast = useToast();
  return (
    <NameDialog
      title={`Rename “${item.name}”`}
      description="The key, its scopes and its expiry stay the same."
      name={item.name}
      submit="Rename key"
      pending={rename.isPending}
      error={rename.error}
      onSubmit={(name) =>
        rename.mutate(
          { params: { keyId: item.key_id }, body: { name } },
          {
            onSuccess: (renamed) => {
              toast(`Renamed to “${renamed.name}”.`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
