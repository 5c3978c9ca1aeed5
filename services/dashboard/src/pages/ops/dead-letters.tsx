import { Button } from '@mantine/core';
import type { DeadLetter } from '@sluice/contract/dashboard/ops';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { useToast } from '../../ui/toaster.tsx';
import classes from './ops.module.css';

const REFRESH_MS = 5000;
const REFRESHES = [ROUTES.ops.deadLetters, ROUTES.ops.show];

/** Actions that were accepted but can never be applied as they are. */
export function DeadLetters({ count }: { readonly count: number }) {
  const letters = useRead(ROUTES.ops.deadLetters, {}, { everyMs: REFRESH_MS });
  const retry = useWrite(ROUTES.ops.retryDeadLetter, REFRESHES);
  const drop = useWrite(ROUTES.ops.dropDeadLetter, REFRESHES);
  const toast = useToast();
  const [dropping, setDropping] = useState<DeadLetter | null>(null);
  const onDrop = () => {
    if (dropping === null) return;
    drop.mutate({ params: { deliveryId: dropping.delivery_id } }, { onSuccess: () => setDropping(null) });
  };
  return (
    <Card
      title="Dead letters"
      aside={<span className="dimmed small">{count.toLocaleString('en')} of this account</span>}
    >
      <Loaded query={letters}>
        {({ items, partial }) => (
          <>
            {partial && (
              <p className="dimmed">
                There are so many dead letters in this installation that only the oldest were looked through:
                this account may have more. <code>sluice dead-letters list</code> shows all.
              </p>
            )}
            {retry.error !== null && <ErrorNote error={retry.error} />}
            {items.length === 0 ? (
              partial || (
                <p className="dimmed">
                  None of this account. Whatever was accepted was applied, or still waits its turn.
                </p>
              )
            ) : (
              <table className={`${table.table} ${classes.inset}`}>
                <thead>
                  <tr>
                    <th>Action</th>
                    <th>Why</th>
                    <th>Failed</th>
                    <th className={table.end}>What to do</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((letter) => (
                    <tr key={letter.delivery_id}>
                      <td>
                        <strong>
                          {letter.action} {letter.title}
                        </strong>
                        <br />
                        <code className="dimmed">{letter.delivery_id}</code>
                      </td>
                      <td data-label="Why">{letter.reason}</td>
                      <td data-label="Failed">
                        <Ago at={letter.failed_at} inLog />
                      </td>
                      <td className={table.end}>
                        <span className={classes.buttons}>
                          <Button
                            size="xs"
                            variant="default"
                            loading={
                              retry.isPending && retry.variables.params.deliveryId === letter.delivery_id
                            }
                            onClick={() =>
                              retry.mutate(
                                { params: { deliveryId: letter.delivery_id } },
                                {
                                  onSuccess: () =>
                                    toast(
                                      <>
                                        Put back into the queue:{' '}
                                        <NewDeliveryLink deliveryId={letter.delivery_id} />. It leaves this
                                        list once it is applied.
                                      </>,
                                    ),
                                },
                              )
                            }
                          >
                            Retry
                          </Button>
                          <Button
                            size="xs"
                            variant="outline"
                            color="danger"
                            onClick={() => setDropping(letter)}
                          >
                            Drop
                          </Button>
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
      </Loaded>
      <ConfirmDialog
        opened={dropping !== null}
        title="Drop this dead letter?"
        confirm="Drop"
        pending={drop.isPending}
        error={drop.error}
        onConfirm={onDrop}
        onClose={() => setDropping(null)}
      >
        <p>
          The {dropping?.action} of “{dropping?.title}” will never be applied. Its row in the delivery log
          stays, as failed.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
