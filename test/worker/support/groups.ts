import { randomBytes } from 'node:crypto';
import {
  type ActionGroup,
  type AdmittedAction,
  GROUP_VERSION,
  type RefusalGroup,
} from '@sluice/contract/delivery/groups';
import type { Action } from '@sluice/contract/event/action';
import type { EventIdentity } from '@sluice/contract/event/event-fields';

const id = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;

/** Identity of a test event. */
export function identity(title: string): EventIdentity {
  return { title, starts_at: Date.UTC(2026, 11, 1, 18), location: 'Ghent' };
}

export function upsert(title: string, price: string): Action {
  return { kind: 'upsert', identity: identity(title), content: { price }, status: 'upcoming' };
}
export function cancel(title: string): Action {
  return { kind: 'cancel', identity: identity(title) };
}
export function remove(title: string): Action {
  return { kind: 'delete', identity: identity(title) };
}

/** A source that numbers its actions as the admission script does. */
export function createSource() {
  const source_id = id('src');
  const account_id = id('acc');
  let last = Date.now() * 1000;
  const refusal = (title: string) => ({
    delivery_id: id('dlv'),
    request_id: id('req'),
    source_id,
    account_id,
    received_at: Date.now(),
    action: 'upsert' as const,
    title,
    code: 'validation_failed' as const,
    reason: 'starts_at is missing',
  });
  return {
    source_id,
    account_id,
    admit(action: Action): AdmittedAction {
      last += 1;
      const ids = { delivery_id: id('dlv'), request_id: id('req'), source_id, account_id };
      return { ...ids, sequence: last, received_at: Date.now(), duplicate_of: null, action };
    },
    refusals: (...titles: string[]): RefusalGroup => ({
      v: GROUP_VERSION,
      group_id: id('grp'),
      refusals: titles.map(refusal),
    }),
  };
}

/** A repetition of a request: another delivery id, the same sequence number. */
export function repeated(first: AdmittedAction): AdmittedAction {
  return { ...first, delivery_id: id('dlv'), request_id: id('req'), duplicate_of: first.delivery_id };
}

export function groupOf(
  ...actions: AdmittedAction[]
): Omit<ActionGroup, 'actions'> & { readonly actions: readonly AdmittedAction[] } {
  return { v: GROUP_VERSION, group_id: id('grp'), actions };
}
