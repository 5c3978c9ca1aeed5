import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMe } from '../../shell/me.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

/** What an id can have been where the log has no row of it, so that nobody looks for it in vain. */
export function NoSuchDelivery() {
  const days = useMe().installation.delivery_retention_days;
  return (
    <Page title="No such delivery">
      <Empty
        icon="search"
        title="The delivery log of this account has no row with this id"
        actions={
          <Button component={Link} to="/events/webhook">
            Go to the sources
          </Button>
        }
      >
        A row is kept {days} days, and may belong to another account. A request id finds refusals alone: what
        was accepted is found by the <code>delivery_id</code> of its answer. Unsigned and badly signed
        requests beyond 100 a minute are counted in one row, and have none of their own.
      </Empty>
    </Page>
  );
}
