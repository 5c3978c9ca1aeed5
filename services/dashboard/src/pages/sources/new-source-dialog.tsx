import { ROUTES } from '@sluice/dashboard-api/routes';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { sourcePath } from '../../shell/page-links.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';

export function NewSourceDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite(ROUTES.sources.create, [ROUTES.sources.list, ROUTES.overview.show]);
  const navigate = useNavigate();
  return (
    <NameDialog
      title="Add a source"
      description="The system that will send events"
      placeholder="Booking platform"
      submit="Add source"
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) =>
        create.mutate(
          { body: { name } },
          { onSuccess: ({ source }) => navigate(sourcePath(source.source_id, 'setup')) },
        )
      }
      onClose={onClose}
    />
  );
}
