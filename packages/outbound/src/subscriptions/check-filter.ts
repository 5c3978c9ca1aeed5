import { isChannel } from '@sluice/store/sources/is-channel';
import type { SubscriptionFilter } from '@sluice/store/subscriptions/subscription-document';
import type { SubscriptionDeps } from './deps.ts';

/** A filter by something that the account does not have. */
export interface UnknownInFilter {
  readonly status: 'filter_unknown';
  readonly field: keyof SubscriptionFilter;
}

/** A filter as sent. null and an empty text: no filter. */
export type SentFilter = { readonly [Name in keyof SubscriptionFilter]?: string | null | undefined };

/**
 * Looks for the source, channel and stage of a filter. No change matches an unknown one, so a mistyped filter would stay silent for
 * ever. What the subscription has already stays accepted: a source may be deleted meanwhile, and then repeats and other changes must
 * still work. For the same reason a deletion after the look is no problem.
 */
export async function findUnknownInFilter(
  { sources, leadSettings }: Pick<SubscriptionDeps, 'sources' | 'leadSettings'>,
  accountId: string,
  sent: SentFilter | null | undefined,
  present: SubscriptionFilter = {},
): Promise<UnknownInFilter | undefined> {
  const isNew = (field: keyof SubscriptionFilter) =>
    Boolean(sent?.[field]) && sent?.[field] !== present[field];
  const hasSource = async (id: string, wantsChannel: boolean) => {
    const source = await sources.findSource(id);
    if (source?.account_id !== accountId || source.deleted) return false;
    return isChannel(source) === wantsChannel;
  };
  const checks = {
    source_id: (id) => hasSource(id, false),
    channel_id: (id) => hasSource(id, true),
    stage: async (id) => (await leadSettings.findSettings(accountId)).stages.some((stage) => stage.id === id),
  } satisfies Record<keyof SubscriptionFilter, (id: string) => Promise<boolean>>;
  for (const [field, exists] of Object.entries(checks) as [
    keyof SubscriptionFilter,
    (id: string) => Promise<boolean>,
  ][])
    if (isNew(field) && !(await exists(sent?.[field] as string))) return { status: 'filter_unknown', field };
  return undefined;
}
