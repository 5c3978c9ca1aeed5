import { formatInstant } from '@sluice/contract/instant';
import { endpointUrl } from '@sluice/runtime/http/endpoint-url';
import type { Source } from '@sluice/store/sources/source';
import type { Row } from './output.ts';
import { settingsRow } from './settings/settings-options.ts';

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
export function sourceRow(eventsUrl: string, source: Source): Row {
  const { signing_secret: _, ...row } = sourceWithSecret(eventsUrl, source, null);
  return { ...row, account_id: source.account_id, ...settingsRow(source) };
}
