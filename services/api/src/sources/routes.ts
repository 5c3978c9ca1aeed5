import type { Deed } from '@sluice/accounts/audit/audited';
import { knownChange } from '@sluice/accounts/audit/audited';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import {
  changeSettings,
  isChanged,
  type SourceChanged,
  setSourceActive,
} from '@sluice/accounts/sources/change-source';
import { createSource } from '@sluice/accounts/sources/create-source';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { settingsInWords } from '@sluice/dashboard-api/settings-words';
import { newSource, setActive, sourceSettings } from '@sluice/dashboard-api/sources';
import { readSender } from '@sluice/signature/presets/read-sender';
import { OWN_PRESET } from '@sluice/signature/sender/sender';
import type { Source, SourceSettings } from '@sluice/store/sources/source';
import { refuseOneMore } from '../http/account-limits.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Result, refuse, refuseFields } from '../http/result.ts';
import { eventSourcesOf, refuseUnknownKey } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';
import { sourceActivity } from './activity.ts';
import { describeSource } from './describe-source.ts';

const NO_SOURCE = notFound('source');

/** Sources: list, create, show, reveal the secret, switch on or off, settings. Rotation is in rotation.ts. */
export function sourceRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { sources, ownSource, audit, audited } = deps;
  const routes = ROUTES.sources;
  const ownEventSource = eventSourcesOf(ownSource);

  guarded(routes.list, {}, async ({ who }) => {
    const own = await sources.listSources({ account_id: who.accountId, kind: 'events', live: true });
    const activity = await sourceActivity(
      deps,
      own.map(({ source_id }) => source_id),
    );
    const items = own.flatMap((source, index) => {
      const its = activity[index];
      return its === undefined ? [] : [{ ...describeSource(deps, source), ...its }];
    });
    return done({ items });
  });

  guarded(routes.show, {}, async ({ who, params }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const [activity] = await sourceActivity(deps, [source.source_id]);
    return activity === undefined ? NO_SOURCE : done({ ...describeSource(deps, source), ...activity });
  });

  guarded(routes.create, { body: newSource }, async ({ who, body, request }) => {
    const chosen = readSender({ preset: body.sender ?? OWN_PRESET });
    if (chosen.outcome === 'invalid')
      return refuseFields(chosen.errors.map(({ detail }) => ({ pointer: '/sender', detail })));
    const otherKey = await refuseUnknownKey(deps);
    if (otherKey !== undefined) return otherKey;
    const own = await sources.listSources({ account_id: who.accountId, kind: 'events', live: true });
    const tooMany = refuseOneMore('sources', own.length);
    if (tooMany !== undefined) return tooMany;
    const { sender } = chosen;
    const detail = sender === null ? {} : { detail: sender.preset };
    const deedOn = (target: Deed['target']): Deed => ({ action: 'source.created', target, ...detail });
    const wanted = { accountId: who.accountId, name: body.name, ...(sender !== null && { sender }) };
    const made = await audited(who, request, {
      // The source has no id yet.
      intent: deedOn({ id: who.accountId, name: body.name }),
      work: () => createSource(deps, wanted),
      deed: (result) => (result.status === 'created' ? deedOn(targetOf(result.source)) : undefined),
    });
    if (made.status === 'account_not_found') throw new Error(`no account ${who.accountId}`);
    return done({ source: describeSource(deps, made.source), signing_secret: made.signingSecret });
  });

  guarded(routes.revealSecret, {}, async ({ who, params, request }) => {
    const source = await ownSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const opened = showSecret(deps.keyring, source);
    if (opened.status !== 'opened') return refuse('conflict', whyUnopened(opened));
    await audit(who, request, { action: 'secret.revealed', target: targetOf(source) });
    return done({ signing_secret: opened.secret });
  });

  guarded(routes.setActive, { body: setActive }, async ({ who, params, body: { active }, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const action = active ? 'source.activated' : 'source.deactivated';
    const work = () => setSourceActive(deps, source.source_id, active);
    const change = knownChange({ action, target: targetOf(source) }, work, isChanged);
    return described(deps, await audited(who, request, change));
  });

  guarded(routes.settings, { body: sourceSettings }, async ({ who, params, body, request }) => {
    const source = await ownEventSource(who, params.sourceId);
    if (source === undefined) return NO_SOURCE;
    const settings = present(body);
    const deed: Deed = {
      action: 'source.changed',
      target: targetOf(source),
      detail: settingsInWords(settings),
    };
    const work = () => changeSettings(deps, source.source_id, settings);
    return described(deps, await audited(who, request, knownChange(deed, work, isChanged)));
  });
}

/** A source as shown in the audit log. */
export function targetOf({ source_id, name }: Source): { id: string; name: string } {
  return { id: source_id, name };
}

function described(deps: RouteDeps, changed: SourceChanged): Result<ReturnType<typeof describeSource>> {
  return changed.status === 'changed' ? done(describeSource(deps, changed.source)) : NO_SOURCE;
}

/** Removes the fields that were not sent, because these stay unchanged. */
function present(
  body: { [Name in keyof SourceSettings]?: SourceSettings[Name] | undefined },
): SourceSettings {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
