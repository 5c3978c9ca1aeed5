import { knownChange } from '@sluice/accounts/audit/audited';
import {
  replyOverlapDetail,
  replyOverlapEnd,
  rotateReplySecret,
} from '@sluice/accounts/secrets/rotate-reply-secret';
import { showReplySecret } from '@sluice/accounts/secrets/show-secret';
import {
  changeSettings,
  isChanged,
  type SourceChanged,
  setSourceActive,
} from '@sluice/accounts/sources/change-source';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { mayActAs } from '@sluice/contract/account/roles';
import { instantOrNull } from '@sluice/contract/time/instant';
import { whyReplySecretUnopened } from '@sluice/credentials/why-unopened';
import {
  type Channel as ChannelItem,
  channelSettings,
  newChannel,
  replySecretRotation,
} from '@sluice/dashboard-api/channels';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { channelSettingsInWords } from '@sluice/dashboard-api/settings-words';
import { setActive } from '@sluice/dashboard-api/sources';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { changeReply, REPLY_URL_REMOVED } from '@sluice/outbound/subscriptions/publish-reply';
import { checkReplyUrl } from '@sluice/outbound/subscriptions/target-url-check';
import { channelEndpointUrl } from '@sluice/runtime/http/endpoint-url';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Channel, ChannelSettings, SourceSettings } from '@sluice/store/sources/source';
import { refuseOneMore } from '../http/account-limits.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, type Result, refuse, refuseFields } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { channelsOf, refuseUnknownKey } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';
import { sourceActivity } from '../sources/activity.ts';
import { describeSource } from '../sources/describe-source.ts';
import { targetOf } from '../sources/routes.ts';

const NO_CHANNEL = notFound('channel');

/** Channels: list, create, show, switch on or off, settings. Their signing secrets have the routes of sources. */
export function channelRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { sources, audit, audited } = deps;
  const routes = ROUTES.channels;

  const ownChannel = channelsOf(deps.ownSource);
  const withActivity = async (channels: readonly Channel[]) => {
    const activity = await sourceActivity(
      deps,
      channels.map(({ source_id }) => source_id),
    );
    return channels.flatMap((channel, index) => {
      const its = activity[index];
      return its === undefined ? [] : [{ ...describeChannel(deps, channel), ...its }];
    });
  };

  guarded(routes.list, {}, async ({ who }) => {
    const own = await sources.listSources({ account_id: who.accountId, kind: 'channel', live: true });
    const items = await withActivity(own.filter(isChannel));
    return done({ items: items.map((item) => shownTo(who, item)) });
  });

  guarded(routes.show, {}, async ({ who, params }) => {
    const channel = await ownChannel(who, params.channelId);
    const [item] = channel === undefined ? [] : await withActivity([channel]);
    return item === undefined ? NO_CHANNEL : done(shownTo(who, item));
  });

  guarded(routes.create, { body: newChannel }, async ({ who, body, request }) => {
    const otherKey = await refuseUnknownKey(deps);
    if (otherKey !== undefined) return otherKey;
    const own = await sources.listSources({ account_id: who.accountId, kind: 'channel', live: true });
    const tooMany = refuseOneMore('channels', own.length);
    if (tooMany !== undefined) return tooMany;
    const made = await audited(who, request, {
      // The channel has no id yet.
      intent: { action: 'channel.created', target: { id: who.accountId, name: body.name } },
      work: () => createChannel(deps, { accountId: who.accountId, name: body.name }),
      deed: (result) =>
        result.status === 'created'
          ? { action: 'channel.created', target: targetOf(result.channel) }
          : undefined,
    });
    if (made.status === 'account_not_found') throw new Error(`no account ${who.accountId}`);
    return done({ channel: describeChannel(deps, made.channel), signing_secret: made.signingSecret });
  });

  guarded(routes.setActive, { body: setActive }, async ({ who, params, body: { active }, request }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const action = active ? 'channel.activated' : 'channel.deactivated';
    const deed = { action, target: targetOf(channel) } as const;
    const work = () => setSourceActive(deps, channel.source_id, active);
    return described(deps, await audited(who, request, knownChange(deed, work, isChanged)));
  });

  guarded(routes.settings, { body: channelSettings }, async ({ who, params, body, request }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const read = await readSettings(body, deps.subscriptionDeps, who.accountId);
    if (read.outcome === 'refused') return read;
    const detail = channelSettingsInWords(read.settings);
    const deed = { action: 'channel.changed', target: targetOf(channel), detail } as const;
    const work = () => changeSettings(deps, channel.source_id, read.settings);
    const changed = await changeReply(deps.subscriptionDeps, channel, () =>
      audited(who, request, knownChange(deed, work, isChanged)),
    );
    // The waiting replies went with the URL. A repeat of the change ends those that a failed request has left.
    if (read.settings.reply_url === null)
      await deps.deletedConversations.failReplies(channel, REPLY_URL_REMOVED);
    return described(deps, changed);
  });

  guarded(routes.revealReplySecret, {}, async ({ who, params, request }) => {
    const channel = await ownChannel(who, params.channelId);
    if (channel === undefined) return NO_CHANNEL;
    const opened = showReplySecret(deps.keyring, channel);
    if (opened.status !== 'opened') return refuse('conflict', whyReplySecretUnopened(opened));
    await audit(who, request, { action: 'channel.reply_secret_revealed', target: targetOf(channel) });
    return done({ reply_secret: opened.secret });
  });

  guarded(
    routes.rotateReplySecret,
    { body: replySecretRotation },
    async ({ who, params, body: { overlap }, request }) => {
      const channel = await ownChannel(who, params.channelId);
      if (channel === undefined) return NO_CHANNEL;
      const otherKey = await refuseUnknownKey(deps);
      if (otherKey !== undefined) return otherKey;
      const own = await sources.listSources({ account_id: who.accountId, kind: 'channel', live: true });
      const tooMany = refuseOneMore('channels', own.length);
      if (tooMany !== undefined) return tooMany;
      const deed = { action: 'channel.reply_secret_rotated', target: targetOf(channel) } as const;
      const rotate = () =>
        audited(who, request, {
          intent: deed,
          work: () => rotateReplySecret(deps, channel.source_id, overlap),
          deed(result) {
            if (result.status !== 'rotated') return undefined;
            const until = replyOverlapEnd(result.channel, deps.now());
            return { ...deed, ...(until !== null && { detail: replyOverlapDetail(until) }) };
          },
        });
      const rotated = await changeReply(deps.subscriptionDeps, channel, rotate);
      if (rotated.status !== 'rotated') return NO_CHANNEL;
      return done({
        channel: describeChannel(deps, rotated.channel),
        reply_secret: rotated.replySecret,
      });
    },
  );
}

/** Path and query of a reply URL may contain a token of the chat platform, so only those who may change it see them. */
function shownTo<Item extends { readonly reply_url: string | null }>({ role }: SignedIn, item: Item): Item {
  if (item.reply_url === null || mayActAs(role, 'admin')) return item;
  return { ...item, reply_url: `${new URL(item.reply_url).origin}/` };
}

function described(deps: RouteDeps, changed: SourceChanged): Result<ReturnType<typeof describeChannel>> {
  return changed.status === 'changed' && isChannel(changed.source)
    ? done(describeChannel(deps, changed.source))
    : NO_CHANNEL;
}

/** Describes a channel without its secrets. */
function describeChannel(deps: RouteDeps, channel: Channel): ChannelItem {
  const { source_id: channel_id, sender: _, ...rest } = describeSource(deps, channel);
  return {
    channel_id,
    ...rest,
    endpoint_url: channelEndpointUrl(deps.eventsUrl, channel_id),
    reply_url: channel.reply_url,
    makes_leads: channel.makes_leads,
    reply_overlap_until: instantOrNull(replyOverlapEnd(channel, deps.now())),
  };
}

/** Settings as sent: what is undefined stays unchanged. */
type SentSettings = {
  readonly [Name in keyof (SourceSettings & ChannelSettings)]?:
    | (SourceSettings & ChannelSettings)[Name]
    | undefined;
};

type ReadSettings =
  | { readonly outcome: 'read'; readonly settings: SourceSettings & ChannelSettings }
  | Refusal;

/** Checks the reply URL, and leaves out what was not sent. */
async function readSettings(
  sent: SentSettings,
  deps: Pick<SubscriptionDeps, 'checkTargetUrl'>,
  accountId: string,
): Promise<ReadSettings> {
  const settings: SourceSettings & ChannelSettings = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  );
  if (typeof settings.reply_url !== 'string') return { outcome: 'read', settings };
  const checked = await checkReplyUrl(deps, settings.reply_url, accountId);
  if (checked.outcome === 'refused') return refuseFields([{ pointer: '/reply_url', detail: checked.detail }]);
  return { outcome: 'read', settings: { ...settings, reply_url: checked.url } };
}
