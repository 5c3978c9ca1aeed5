import type { SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { until } from '../../support/until.ts';
import type { AtN8n } from './use-n8n.ts';
import type { Credential, Workflow } from './workflows.ts';

export const TRIGGER = 'Sluice Trigger';

/** A message of a subscription with its attempts. */
export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: readonly { readonly code: string; readonly status: number | null }[];
}

interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly next_cursor: string | null;
}

interface Choice {
  readonly using?: Credential;
  readonly name?: string;
  readonly parameters?: object;
}

let leads = 0;

/** Helpers for workflows that Sluice starts. */
export function triggers(at: AtN8n) {
  const url = (workflow: Workflow, kind: 'webhook' | 'webhook-test' = 'webhook') =>
    `${kind === 'webhook' ? at.n8n.webhookUrl : at.n8n.url}/${kind}/${workflow.webhookIds[TRIGGER]}/webhook`;

  /** The subscriptions of a key, its tests included. */
  const subscriptions = async (targetUrl: string, key = at.key) => {
    const { data } = await at.account.call<{ data: SubscriptionRecord[] }>(key, 'GET', '/webhooks');
    return data.filter(({ target_url }) => target_url === targetUrl);
  };

  return {
    url,
    subscriptions,

    /** Saves a workflow that starts at these events. */
    addWorkflow: (
      events: readonly string[],
      { using = at.credential, name = 'Workflow', parameters = {} }: Choice = {},
    ) =>
      at.editor.addWorkflow(
        [
          {
            name: TRIGGER,
            type: 'n8n-nodes-sluice.sluiceTrigger',
            typeVersion: 1,
            parameters: { events, ...parameters },
            credentials: { sluiceApi: using },
          },
        ],
        { name },
      ),

    /** Waits until a URL has this many subscriptions. */
    async subscribed(targetUrl: string, count: number): Promise<readonly SubscriptionRecord[]> {
      const isSo = async () => (await subscriptions(targetUrl)).length === count;
      await until(isSo, { what: `${count} subscriptions` });
      return subscriptions(targetUrl);
    },

    /** The messages of a subscription, newest first. */
    async deliveries({ id }: { readonly id: string }): Promise<readonly Delivery[]> {
      const all: Delivery[] = [];
      let cursor: string | null = null;
      do {
        const path: string = `/webhooks/${id}/deliveries?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
        const page: DeliveryPage = await at.account.call<DeliveryPage>(at.key, 'GET', path);
        all.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null);
      return all;
    },

    addLead: (fields: object = {}) =>
      at.account.call<{ id: string; email: string }>(at.key, 'POST', '/leads', {
        email: `lead${++leads}@example.com`,
        ...fields,
      }),
  };
}
