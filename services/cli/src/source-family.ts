import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import { formatInstant } from '@sluice/contract/time/instant';
import { channelEndpointUrl, endpointUrl } from '@sluice/runtime/http/endpoint-url';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import { type CommandFailure, failed } from './exit-codes.ts';
import type { Row } from './output.ts';
import { settingsRow } from './settings/settings-options.ts';

/** The differences between the commands of event sources and those of channels. */
export interface SourceFamily {
  readonly kind: SourceKind;
  readonly noun: 'source' | 'channel';
  readonly argument: string;
  /** The first columns of a table. */
  readonly columns: readonly string[];
  /** The row without a secret. */
  row(eventsUrl: string, source: Source): Row;
  withSecret(eventsUrl: string, source: Source, signingSecret: string): Row;
}

export const EVENT_SOURCES: SourceFamily = {
  kind: 'events',
  noun: 'source',
  argument: '<source_id>',
  columns: ['source_id', 'name', 'account_id', 'active', 'created_at', 'endpoint_url'],
  row: sourceRow,
  withSecret: sourceWithSecret,
};

export const CHANNELS: SourceFamily = {
  kind: 'channel',
  noun: 'channel',
  argument: '<channel_id>',
  columns: ['channel_id', 'name', 'account_id', 'active', 'created_at', 'endpoint_url', 'reply_url'],
  row: channelRow,
  withSecret: channelWithSecret,
};

/** Finds a source of the family. Throws the error for an unknown or deleted one. */
export async function findInFamily(
  { kind, noun }: SourceFamily,
  sources: Pick<Sources, 'findSource'>,
  id: string,
): Promise<Source> {
  const source = await sources.findSource(id);
  if (source !== undefined && !source.deleted && isChannel(source) === (kind === 'channel')) return source;
  throw noSuch(noun, id);
}

/** The error for an unknown source or channel. */
export function noSuch(noun: SourceFamily['noun'], id: string): CommandFailure {
  return failed(`There is no ${noun} ${id}. See: sluice ${noun} list`);
}

/** The row of a source with its secret in plain text, for `source create`, `show` and `rotate-secret`. */
export function sourceWithSecret(eventsUrl: string, source: Source, signingSecret: string | null): Row {
  return {
    source_id: source.source_id,
    name: source.name,
    endpoint_url: endpointUrl(eventsUrl, source.source_id),
    signing_secret: signingSecret,
    active: source.active,
    created_at: formatInstant(source.created_at),
  };
}

/** The row of a source without its secret, for all other commands. */
function sourceRow(eventsUrl: string, source: Source): Row {
  const { signing_secret: _, ...row } = sourceWithSecret(eventsUrl, source, null);
  return { ...row, account_id: source.account_id, ...settingsRow(source) };
}

/** The row of a channel with its signing secret in plain text, for `create`, `show` and `rotate-secret`. */
export function channelWithSecret(eventsUrl: string, channel: Source, signingSecret: string | null): Row {
  return {
    channel_id: channel.source_id,
    name: channel.name,
    endpoint_url: channelEndpointUrl(eventsUrl, channel.source_id),
    signing_secret: signingSecret,
    reply_url: channel.reply_url ?? null,
    makes_leads: channel.makes_leads ?? false,
    active: channel.active,
    created_at: formatInstant(channel.created_at),
  };
}

/** The row of a channel without its secret, for all other commands. */
export function channelRow(eventsUrl: string, channel: Source): Row {
  const { signing_secret: _, ...row } = channelWithSecret(eventsUrl, channel, null);
  return { ...row, account_id: channel.account_id, ...settingsRow(channel) };
}
