import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMe } from '../../shell/me.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

/** Explains why an id may have no row in the log. */
export function NoSuchDelivery() {
  const days = useMe().installation.delivery_retention_days;
  return (
    <Page title="Delivery not found">
      <Empty
        icon="search"
        title="No delivery of this account has this id"
        actions={
          <Button component={Link} to="/events/webhook">
            Go to sources
          </Button>
        }
      >
        Rows are kept for {days} days. The delivery may belong to another account. A request id finds rejected
        requests only. Find an accepted request by the <code>delivery_id</code> in its response. Beyond 100 a
        minute, unsigned and badly signed requests share one row.
      </Empty>
    </Page>
  );
}
