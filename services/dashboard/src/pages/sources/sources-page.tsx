import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { NewSourceDialog } from './new-source-dialog.tsx';
import { SourceTable } from './source-table.tsx';

const REFRESH_MS = 10_000;

export function SourcesPage() {
  const sources = useRead(ROUTES.sources.list, {}, { everyMs: REFRESH_MS });
  const mayChange = useMay('admin');
  const [creating, create] = useDisclosure(false);
  const newSource = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={create.open}>
      Add source
    </Button>
  );
  const isEmpty = sources.data?.items.length === 0;
  return (
    <Page
      title="Webhook"
      crumbs={[{ label: 'Knowledge' }, { label: 'Events', to: '/events' }]}
      lead="Booking platforms, CRMs and your own backends send signed events here in real time."
      actions={isEmpty ? null : newSource}
    >
      <Card flush>
        <Loaded query={sources}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="webhook" title="Add your first source" actions={newSource}>
                Add a source to get an endpoint URL and a signing secret. The next page has code that works
                when you paste it.
              </Empty>
            ) : (
              <SourceTable sources={items} mayChange={mayChange} />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewSourceDialog onClose={create.close} />}
    </Page>
  );
}
