import { Button, Tabs } from '@mantine/core';
import type { DeliveryOrigin } from '@sluice/contract/delivery/delivery';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { Link } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { eventPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip, OutcomeText, StatusChip } from '../../ui/chip.tsx';
import { CodeBlock, Copied, CopyTextButton } from '../../ui/copy.tsx';
import { NewDeliveryLink } from '../../ui/delivery-link.tsx';
import { ConfirmButton } from '../../ui/dialog-parts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icons.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { shortDay, utcAndLocal } from '../../ui/time.ts';
import { useToast } from '../../ui/toaster.tsx';
import { DeliveryButton } from './delivery-button.tsx';
import classes from './drawer.module.css';
import { RequestTab } from './request-tab.tsx';
import { TimelineTab, WhyTab } from './why-tab.tsx';

interface DeliveryDetailsProps {
  readonly detail: DeliveryDetail;
  readonly mayChange: boolean;
  readonly onOpen: (deliveryId: string) => void;
}

/**
 * Opens with Why if there is something to explain. Other deliveries open with the request, or with the timeline if there is no
 * request.
 */
export function DeliveryDetails({ detail, mayChange, onOpen }: DeliveryDetailsProps) {
  const hasRequest = detail.body_absent !== 'no_request';
  const hasResponse = detail.delivery.origin === 'webhook';
  const first = detail.why !== null ? 'why' : hasRequest ? 'request' : 'timeline';
  const [chosen, setTab] = useState<string | null>(null);
  // A delivery that failed has no Why any more once a retry has applied it.
  const isGone = chosen === null || (chosen === 'why' && detail.why === null);
  const tab = isGone ? first : chosen;
  return (
    <div className="stack">
      <DeliveryHead detail={detail} mayChange={mayChange} onOpen={onOpen} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          {detail.why !== null && <Tabs.Tab value="why">Why</Tabs.Tab>}
          {hasRequest && <Tabs.Tab value="request">Request</Tabs.Tab>}
          {hasResponse && <Tabs.Tab value="response">Response</Tabs.Tab>}
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.panel}>
          {tab === 'why' && detail.why !== null && (
            <WhyTab why={detail.why} delivery={detail.delivery} mayChange={mayChange} onOpen={onOpen} />
          )}
          {tab === 'request' && <RequestTab detail={detail} onOpen={onOpen} />}
          {tab === 'response' && <ResponseTab detail={detail} />}
          {tab === 'timeline' && <TimelineTab detail={detail} />}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** The creator of a delivery that no sender sent. */
const CREATED_BY: Readonly<Record<DeliveryOrigin, string | null>> = {
  webhook: null,
  dashboard: 'an admin in the dashboard',
  csv: 'an import of a CSV file',
  ical: 'an import of an iCalendar file or feed',
};

interface DeliveryHeadProps {
  readonly detail: DeliveryDetail;
  readonly mayChange: boolean;
  readonly onOpen: (deliveryId: string) => void;
}

function DeliveryHead({ detail, mayChange, onOpen }: DeliveryHeadProps) {
  const { delivery } = detail;
  const { delivery_retention_days: days } = useMe().installation;
  const createdBy = CREATED_BY[delivery.origin];
  const linkTo = (id: string | null) => id !== null && <DeliveryButton id={id} onOpen={onOpen} />;
  return (
    <>
      <div className="row">
        <StatusChip status={delivery.http_status} />
        <OutcomeText outcome={delivery.outcome} />
        {delivery.count > 1 && <Chip tone="warn">×{delivery.count.toLocaleString('en')}</Chip>}
        <strong className="breaks">
          {delivery.action} {delivery.title}
        </strong>
      </div>
      <Facts
        of={{
          Received: (
            <>
              <Ago at={delivery.received_at} />
              <span className="dimmed small">{utcAndLocal(delivery.received_at)}</span>
            </>
          ),
          'Created by': createdBy,
          'Delivery id': <Copied text={delivery.delivery_id} what="delivery id" />,
          'External id': delivery.external_id !== null && <code>{delivery.external_id}</code>,
          'Request id': delivery.request_id !== null && (
            <Copied text={delivery.request_id} what="request id" />
          ),
          'Duplicate of': linkTo(delivery.duplicate_of),
          'Reprocessed from': linkTo(delivery.reprocess_of),
          'Reprocessed as':
            detail.reprocessed_as.length > 0 &&
            detail.reprocessed_as.map((id) => <DeliveryButton key={id} id={id} onOpen={onOpen} />),
          Kept: `${days} days, until ${shortDay(detail.leaves_at)}`,
        }}
      />
      <div className="row">
        <CopyTextButton text={`${window.location.origin}/deliveries/${delivery.delivery_id}`} what="link" />
        {delivery.event_id !== null && delivery.outcome !== 'not_found' && (
          <Button component={Link} to={eventPath(delivery.event_id)} variant="default">
            Open event
          </Button>
        )}
        {mayChange && <ReprocessButton detail={detail} />}
      </div>
    </>
  );
}

const REFRESH_MS = 1000;

const REASONS: Record<NonNullable<DeliveryDetail['not_reprocessable']>, string> = {
  not_verified: 'Cannot be reprocessed: it was rejected before its signature was checked.',
  no_request: 'Cannot be reprocessed: no request created it.',
  no_body: 'Cannot be reprocessed: the body was not stored.',
  not_an_action: 'Cannot be reprocessed: the body is not an action.',
  counted: 'Cannot be reprocessed: this row counts many requests.',
};

/** Reloads the delivery until it names the new one, because a worker may write the new row late. */
function useUntilLogged({ delivery, reprocessed_as }: DeliveryDetail, made: string | undefined): void {
  const awaited = made !== undefined && !reprocessed_as.includes(made);
  const input = { params: { deliveryId: delivery.delivery_id } };
  useRead(ROUTES.deliveries.show, input, { enabled: awaited, everyMs: REFRESH_MS });
}

interface ReprocessButtonProps {
  readonly detail: DeliveryDetail;
}

function ReprocessButton({ detail }: ReprocessButtonProps) {
  const toast = useToast();
  const reprocess = useWrite(ROUTES.deliveries.reprocess, [ROUTES.deliveries.show]);
  const { delivery, not_reprocessable: reason } = detail;
  useUntilLogged(detail, reprocess.data?.delivery_id);
  const onConfirm = (close: () => void) =>
    reprocess.mutate(
      { params: { deliveryId: delivery.delivery_id } },
      {
        onSuccess: ({ delivery_id: id }) => {
          close();
          toast(
            <>
              Reprocessed as <NewDeliveryLink deliveryId={id} />
            </>,
            { stays: true },
          );
        },
      },
    );
  return (
    <>
      <ConfirmButton
        label="Reprocess"
        button={{ leftSection: <Icon name="rotate" size={16} />, disabled: reason !== null }}
        title="Reprocess this delivery?"
        confirm="Reprocess"
        danger={false}
        change={reprocess}
        onConfirm={onConfirm}
      >
        <p>
          {delivery.action === null
            ? 'The current mapping makes an action of this body, which is applied as a new one.'
            : `The ${delivery.action} of “${delivery.title}” is applied again as a new action.`}{' '}
          It overrides later changes. A new row in the log links to this one.
        </p>
      </ConfirmButton>
      {reason !== null && (
        <span className="dimmed small">
          {delivery.code === 'signature_invalid'
            ? "Cannot be reprocessed: the signature wasn't valid."
            : REASONS[reason]}
        </span>
      )}
    </>
  );
}

function ResponseTab({ detail }: { readonly detail: DeliveryDetail }) {
  const { status, content_type: type, body } = detail.answer;
  return <CodeBlock title={`${status} · ${type}`} code={prettyJson(body)} what="response" wrap />;
}
