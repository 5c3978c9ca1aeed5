import type { SourceKind } from '@sluice/contract/source-kind';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import { channelRow, channelWithSecret } from './channel-row.ts';
import { type CommandFailure, failed } from './exit-codes.ts';
import type { Row } from './output.ts';
import { sourceRow, sourceWithSecret } from './source-row.ts';

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
