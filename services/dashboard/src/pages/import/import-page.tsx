import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ImportForm } from './import-form.tsx';

export function ImportPage() {
  const mayChange = useMay('admin');
  const sources = useRead(ROUTES.sources.list, {}, { enabled: mayChange });
  return (
    <Page
      title="Import"
      crumbs={[{ label: 'Knowledge' }, { label: 'Events', to: '/events' }]}
      lead="Import events into a source from a CSV file, an iCalendar file or a feed. There is no rate limit here. Each row counts towards the plan."
    >
      {mayChange ? (
        <Loaded query={sources}>
          {({ items }) => (items.length === 0 ? <NoSource /> : <ImportForm sources={items} />)}
        </Loaded>
      ) : (
        <Empty icon="events" title="Only owners and admins can import">
          Ask an owner or admin of the account to do it.
        </Empty>
      )}
    </Page>
  );
}

function NoSource() {
  return (
    <Empty
      icon="webhook"
      title="Add a source first"
      actions={
        <Button component={Link} to="/events/webhook">
          Add a source
        </Button>
      }
    >
      Every event belongs to a source, even if the source never sends anything.
    </Empty>
  );
}
