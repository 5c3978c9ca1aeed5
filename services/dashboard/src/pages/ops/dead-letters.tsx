import { Button } from '@mantine/core';
import type { DeadLetter } from '@sluice/dashboard-api/ops';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toaster.tsx';
import classes from './ops.module.css';

const REFRESH_MS = 5000;
const REFRESHES = [ROUTES.ops.deadLetters, ROUTES.ops.show];

interface DeadLettersProps {
  readonly count: number;
  /** Not all letters were counted. */
  readonly partial: boolean;
}

/** Lists accepted actions that could not be applied. */
export function DeadLetters({ count, partial: isPartial }: DeadLettersProps) {
  const letters = useRead(ROUTES.ops.deadLetters, {}, { everyMs: REFRESH_MS });
  const retry = useWrite(ROUTES.ops.retryDeadLetter, REFRESHES);
  const drop = useWrite(ROUTES.ops.dropDeadLetter, REFRESHES);
  const toast = useToast();
  const [dropping, setDropping] = useState<DeadLetter | null>(null);
  const onRetry = ({ delivery_id: deliveryId }: DeadLetter) =>
    retry.mutate(
      { params: { deliveryId } },
      {
        onSuccess: () =>
          toast(
            <>
              Put back into the queue: <NewDeliveryLink deliveryId={deliveryId} />. It leaves this list once
              it is applied.
            </>,
            { stays: true },
          ),
      },
    );
  const onDrop = () => {
    if (dropping === null) return;
    drop.mutate({ params: { deliveryId: dropping.delivery_id } }, { onSuccess: () => setDropping(null) });
  };
  return (
    <Card
      title="Dead letters"
      aside={
        <span className="dimmed small">
          {isPartial && 'at least '}
          {count.toLocaleString('en')} in this account
        </span>
      }
    >
      <Loaded query={letters}>
        {({ items, partial }) => (
          <>
            {partial && (
              <p className="dimmed">
                This installation has so many dead letters that only the oldest were searched. This account
                may have more. <code>sluice dead-letters list</code> shows all.
              </p>
            )}
            {retry.error !== null && <ErrorNote error={retry.error} />}
            {items.length === 0 && !partial && (
              <p className="dimmed">
                No dead letters in this account. Every accepted action was applied or is still queued.
              </p>
            )}
            {items.length > 0 && (
              <LetterTable
                items={items}
                isRetrying={({ delivery_id }) =>
                  retry.isPending && retry.variables.params.deliveryId === delivery_id
                }
                onRetry={onRetry}
                onDrop={setDropping}
              />
            )}
          </>
        )}
      </Loaded>
      <ConfirmDialog
        opened={dropping !== null}
        title="Drop this dead letter?"
        confirm="Drop"
        change={drop}
        onConfirm={onDrop}
        onClose={() => setDropping(null)}
      >
        <p>
          The {dropping?.action} of “{dropping?.title}” is never applied. Its row stays in the delivery log as
          failed.
        </p>
      </ConfirmDialog>
    </Card>
  );
}

interface LetterTableProps {
  readonly items: readonly DeadLetter[];
  readonly isRetrying: (letter: DeadLetter) => boolean;
  readonly onRetry: (letter: DeadLetter) => void;
  readonly onDrop: (letter: DeadLetter) => void;
}

function LetterTable({ items, isRetrying, onRetry, onDrop }: LetterTableProps) {
  return (
    <Table
      items={items}
      keyOf={({ delivery_id }) => delivery_id}
      className={classes.inset}
      columns={[
        {
          head: 'Action',
          label: null,
          cell: ({ action, title, delivery_id }) => (
            <>
              <strong>
                {action} {title}
              </strong>
              <br />
              <code className="dimmed">{delivery_id}</code>
            </>
          ),
        },
        { head: 'Why', cell: ({ reason }) => reason },
        { head: 'Failed', cell: ({ failed_at }) => <Ago at={failed_at} inLog /> },
        {
          head: 'Actions',
          label: null,
          end: true,
          cell: (letter) => (
            <span className="row">
              <Button
                size="xs"
                variant="default"
                loading={isRetrying(letter)}
                onClick={() => onRetry(letter)}
              >
                Retry
              </Button>
              <Button size="xs" variant="outline" color="danger" onClick={() => onDrop(letter)}>
                Drop
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}
