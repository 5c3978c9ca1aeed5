import { auditedSenderChange } from '@sluice/accounts/secrets/change-sender';
import { auditedMappingChange } from '@sluice/accounts/sources/change-mapping';
import type { FieldError } from '@sluice/contract/problem/problem';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { changeMapping, changeSender, type SourceSender } from '@sluice/dashboard-api/senders';
import { readMapping } from '@sluice/signature/mapping/mapping';
import { presetMapping } from '@sluice/signature/presets/presets';
import { readSender } from '@sluice/signature/presets/read-sender';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import type { Source } from '@sluice/store/sources/source';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse, refuseFields } from '../http/result.ts';
import { eventSourcesOf, refuseUnknownKey } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';
import { describeSource } from './describe-source.ts';

const NO_SOURCE = notFound('source');
/** A profile or a mapping has up to 16 KiB without blanks. */
const BODY_BYTES = 64 * 1024;

/** What sends to a source, and its mapping. */
export function senderRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { audited } = deps;
  const ownEventSource = eventSourcesOf(deps.ownSource);
  const routes = ROUTES.sources;

  guarded(routes.sender, {}, async ({ who, params }) => {
    const source = await ownEventSource(who, params.sourceId);
    return source === undefined ? NO_SOURCE : done(describeSender(source));
  });

  const inputs = { body: changeSender, maxBodyBytes: BODY_BYTES };
  guarded(routes.changeSender, inputs, async ({ who, params, body: { secret, ...choice }, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const read = readSender(choice);
    if (read.outcome === 'invalid') return refuseFields(read.errors);
    const otherKey = await refuseUnknownKey(deps);
    if (otherKey !== undefined) return otherKey;
    const change = { sender: read.sender, ...(secret !== undefined && { secret }) };
    const changed = await audited(who, request, auditedSenderChange(deps, source, change));
    switch (changed.status) {
      case 'source_not_found':
        return NO_SOURCE;
      case 'secret_unfit':
        return refuseFields([{ pointer: '/secret', detail: changed.detail }]);
      case 'changed':
        return done({
          source: describeSource(deps, changed.source),
          new_secret: changed.newSecret ?? null,
        });
    }
  });

  const mappingInputs = { body: changeMapping, maxBodyBytes: BODY_BYTES };
  guarded(routes.changeMapping, mappingInputs, async ({ who, params, body, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const read = body.mapping === null ? null : readMapping(body.mapping);
    if (read?.outcome === 'invalid') return refuseFields(within('/mapping', read.errors));
    const change = auditedMappingChange(deps, source, read === null ? null : read.mapping);
    const changed = await audited(who, request, change);
    switch (changed.status) {
      case 'source_not_found':
        return NO_SOURCE;
      case 'declined':
        return refuse('conflict', 'This source has the sender of Sluice. Choose another sender first.');
      case 'changed':
        return done(describeSender(changed.source));
    }
  });
}

function describeSender({ sender }: Source): SourceSender {
  return {
    preset: sender?.preset ?? OWN_PRESET,
    profile: sender?.verify ?? null,
    mapping: parsed(sender?.mapping),
    mapping_version: sender?.mapping_version ?? null,
    preset_mapping: parsed(sender && presetMapping(sender)),
  };
}

function parsed(mapping: string | undefined): SourceSender['mapping'] {
  return mapping === undefined ? null : JSON.parse(mapping);
}

function within(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, pointer: pointer + error.pointer }));
}
