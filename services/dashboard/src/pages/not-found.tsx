import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        icon="search"
        title="This account has no such page"
        actions={
          <Button component={Link} to="/">
            Go to Overview
          </Button>
        }
      >
        The address may be mistyped, or it belongs to another account.
      </Empty>
    </Page>
  );
}
