import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty
        icon="search"
        title="There is no such page in this account"
        actions={
          <Button component={Link} to="/">
            Go to Overview
          </Button>
        }
      >
        The address may be mistyped, or belong to another account.
      </Empty>
    </Page>
  );
}
