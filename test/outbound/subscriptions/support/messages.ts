import { changeId, messageId } from '@sluice/contract/message/outbound-ids';
import { outboundText } from '@sluice/contract/message/outbound-text';
import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import { createAccountLog } from '@sluice/outbound/log/account-log';
import type { Entry } from '@sluice/outbound/queue/turn';
import { loadPublication } from '@sluice/outbound/subscriptions/publication';
import { createShards } from '@sluice/redis/shards/shards';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { UsedSubscriptions } from '../support.ts';

/** Publishes all subscriptions of an account, so that its list has a version. */
export function publishAll({ directory, deps }: UsedSubscriptions, accountId: string): Promise<boolean> {
  return directory.republish(accountId, () => loadPublication(deps, accountId));
}

/** A change of a lead, as the publisher stores it. */
export function leadChange(
  { account_id }: Pick<Subscription, 'account_id'>,
  sequence: number,
  { recordId = 'lead_1', at = Date.now(), kind = 'lead.created' as const } = {},
): OutboundChange {
  const actor = { type: 'system', id: 'test' } as const;
  const text = outboundText({ kind, at, sequence, actor, data: { id: recordId } }, account_id);
  // Accounts of several tests share a database.
  const change_id = changeId(`${account_id} ${recordId}`, sequence, kind);
  return { change_id, account_id, kind, record_id: recordId, sequence, at, text };
}

export async function storeChange(
  { store }: UsedSubscriptions,
  of: Pick<Subscription, 'account_id'>,
  sequence: number,
  more: Parameters<typeof leadChange>[2] = {},
): Promise<OutboundChange> {
  const change = leadChange(of, sequence, more);
  await store.outboundChanges.appendChanges([change]);
  return change;
}

/** Appends changes of leads to the log of their account. Returns the ids of the messages. */
export async function appendLeads(
  used: UsedSubscriptions,
  { account_id, subscription_id }: Subscription,
  count: number,
  recordOf: (n: number) => string = () => 'lead_1',
): Promise<string[]> {
  const changes = Array.from({ length: count }, (_, n) =>
    leadChange({ account_id }, n + 1, { recordId: recordOf(n + 1) }),
  );
  await appendChanges(used, changes);
  return changes.map(({ change_id }) => messageId(change_id, subscription_id));
}

/** Appends changes to the log of their account, as the publisher does. */
export async function appendChanges(
  { redis, namespace, store: { outboundChanges } }: Pick<UsedSubscriptions, 'redis' | 'namespace' | 'store'>,
  changes: readonly OutboundChange[],
): Promise<void> {
  const account_id = changes[0]?.account_id ?? '';
  const log = createAccountLog({ redis, shards: createShards(namespace, 1) });
  const registered = await log.register(account_id, changes.length);
  if (registered.status !== 'open') throw new Error(registered.status);
  const { batch, version } = registered;
  await outboundChanges.appendChanges(changes.map((one, n) => ({ ...one, number: batch.first + n })));
  const { status } = await log.confirm(account_id, version, [batch], []);
  if (status !== 'confirmed') throw new Error(status);
}

/** The row of one attempt of an entry, as a dispatcher logs it. */
export function logged(
  { account_id, subscription_id }: Subscription,
  entry: Pick<Entry, 'messageId' | 'changeId' | 'kind' | 'recordId' | 'number' | 'place' | 'pushedAt'>,
  status: MessageStatus,
): AttemptRow {
  return {
    ...{ message_id: entry.messageId, account_id, subscription_id, change_id: entry.changeId },
    ...{ kind: entry.kind, record_id: entry.recordId, status, next_attempt_at: null },
    ...{ created_at: entry.pushedAt, ...(entry.place !== undefined && { place: entry.place }) },
    attempt: {
      ...{ id: `${status}:${entry.number}`, at: Date.now(), duration_ms: 5, code: status, status: 200 },
      ...{ sentence: 'Done.', response: null, redelivery: false },
    },
  };
}
