import { Tabs } from '@mantine/core';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { useState } from 'react';
import { DeliveryHead } from './delivery-head.tsx';
import classes from './drawer.module.css';
import { RequestTab } from './request-tab.tsx';
import { ResponseTab } from './response-tab.tsx';
import { TimelineTab } from './timeline-tab.tsx';
import { WhyTab } from './why-tab.tsx';

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
    <div className={classes.stack}>
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
            <WhyTab why={detail.why} delivery={detail.delivery} onOpen={onOpen} />
          )}
          {tab === 'request' && <RequestTab detail={detail} onOpen={onOpen} />}
          {tab === 'response' && <ResponseTab detail={detail} />}
          {tab === 'timeline' && <TimelineTab detail={detail} />}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
