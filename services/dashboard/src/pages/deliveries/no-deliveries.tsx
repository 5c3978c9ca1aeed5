import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { sourcePath } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/states.tsx';

interface NoDeliveriesProps {
  readonly sourceId: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly mayTest: boolean;
}

export function NoDeliveries({ sourceId, isFiltered, onClear, mayTest }: NoDeliveriesProps) {
  if (isFiltered) {
    return (
      <Empty
        icon="search"
        title="No delivery matches"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        New ones that match appear here by themselves.
      </Empty>
    );
  }
  return (
    <Empty
      icon="webhook"
      title="Waiting for the first delivery"
      actions={
        <>
          {mayTest && (
            <Button
              component={Link}
              to={sourcePath(sourceId, 'test')}
              leftSection={<Icon name="send" size={16} />}
            >
              Send a test event
            </Button>
          )}
          <Button component={Link} to={sourcePath(sourceId, 'setup')} variant="default">
            Show the code
          </Button>
        </>
      }
    >
      Every request to the endpoint shows up here within a second or two, accepted or refused, without
      reloading.
    </Empty>
  );
}
