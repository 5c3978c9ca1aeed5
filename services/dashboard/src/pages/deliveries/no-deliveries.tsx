import { Button } from '@mantine/core';
import type { LogSize } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { deliveryPath, endpointPath, isChannelId, isDeliveryId } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/states.tsx';
import { counted } from '../../ui/words.ts';

interface NoDeliveriesProps {
  readonly sourceId: string;
  readonly isFiltered: boolean;
  /** The search text of the title filter. */
  readonly title: string;
  readonly onClear: () => void;
  readonly mayTest: boolean;
}

export function NoDeliveries({ sourceId, isFiltered, title, onClear, mayTest }: NoDeliveriesProps) {
  const size = useRead(ROUTES.deliveries.size, { query: { source_id: sourceId } }, { enabled: isFiltered });
  const isChannel = isChannelId(sourceId);
  if (isFiltered) {
    return (
      <Empty
        icon="search"
        title="No matching deliveries"
        actions={
          <>
            {isDeliveryId(title) && (
              <Button component={Link} to={deliveryPath(title)}>
                Open the delivery with this id
              </Button>
            )}
            <Button variant="default" onClick={onClear}>
              Clear all filters
            </Button>
          </>
        }
      >
        {size.data !== undefined && `${sizeWords(size.data)} `}
        New matching deliveries appear here automatically.
      </Empty>
    );
  }
  return (
    <Empty
      icon="webhook"
      title="Waiting for the first delivery"
      actions={
        <>
          {mayTest && !isChannel && sourceId !== '' && (
            <Button
              component={Link}
              to={endpointPath(sourceId, 'test')}
              leftSection={<Icon name="send" size={16} />}
            >
              Send a test event
            </Button>
          )}
          <Button component={Link} to={setUpPath(sourceId)} variant="default">
            {sourceId === '' ? 'Open the sources' : 'Show the code'}
          </Button>
        </>
      }
    >
      Every request to the endpoint appears here within a second or two, accepted or rejected.
    </Empty>
  );
}

function setUpPath(sourceId: string): string {
  if (sourceId === '') return '/events/webhook';
  return endpointPath(sourceId, 'setup');
}

/** Describes the size of the whole log, regardless of the filters. */
function sizeWords({ rows, more }: LogSize): string {
  if (rows === 0) return 'The delivery log is empty.';
  const words = `${more ? 'more than ' : ''}${counted(rows, 'row')}`;
  return `Without filters, the delivery log has ${words}.`;
}
