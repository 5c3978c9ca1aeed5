import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { ADDRESS, callRoute } from './support/call-route.ts';
import { dyingBehindAChange } from './support/dying-behind-a-change.ts';
import { useInstallation } from './support/installation.ts';
import { ALL_ROUTES, type RouteName } from './support/route-case.ts';
import { CASES } from './support/route-cases.ts';
import { createTestObjects } from './support/test-objects.ts';

/** The audit action of each write in an account; null if the write changes nothing. */
const AUDITED: Partial<Record<RouteName, AuditAction | null>> = {
  'sources.create': 'source.created',
  'sources.revealSecret': 'secret.revealed',
  'sources.prepareRotation': null,
  'sources.confirmRotation': 'secret.rotated',
  'sources.endOverlap': 'secret.overlap_ended',
  'sources.setActive': 'source.deactivated',
  'sources.settings': 'source.changed',
  'sources.delete': 'source.deleted',
  'sources.testSend': null,
  'conversations.accept': 'conversation.accepted',
  'conversations.reply': 'conversation.replied',
  'conversations.end': 'conversation.handoff_ended',
  'channels.create': 'channel.created',
  'channels.setActive': 'channel.deactivated',
  'channels.settings': 'channel.changed',
  'channels.delete': 'channel.deleted',
  'channels.revealReplySecret': 'channel.reply_secret_revealed',
  'channels.rotateReplySecret': 'channel.reply_secret_rotated',
  'webhooks.create': 'webhook.created',
  'webhooks.change': 'webhook.changed',
  'webhooks.remove': 'webhook.deleted',
  'webhooks.pause': 'webhook.paused',
  'webhooks.resume': 'webhook.resumed',
  'webhooks.adopt': 'webhook.adopted',
  'webhooks.rotateSecret': 'webhook.secret_rotated',
  'webhooks.redeliver': 'webhook.redelivered',
  'webhooks.discard': 'webhook.discarded',
  'webhooks.test': 'webhook.tested',
  'webhooks.recover': 'webhook.recovered',
  'deliveries.reprocess': 'deliveries.reprocessed',
  'deliveries.reprocessMatching': 'deliveries.reprocessed',
  'events.edit': 'event.changed',
  'events.cancel': 'event.cancelled',
  'events.delete': 'event.deleted',
  'events.restore': 'event.restored',
  'events.checkImport': null,
  'events.findUids': null,
  'events.import': 'events.imported',
  'events.readFeed': null,
  'events.checkUndo': null,
  'events.undoImport': 'events.import_undone',
  'leads.create': 'lead.created',
  'leads.change': 'lead.changed',
  'leads.move': 'lead.stage_changed',
  'leads.erase': 'lead.erased',
  'leads.checkImport': null,
  'leads.import': 'leads.imported',
  'leads.checkUndo': null,
  'leads.undoImport': 'leads.import_undone',
  'pipeline.addStage': 'pipeline.stage_added',
  'pipeline.changeStage': 'pipeline.stage_changed',
  'pipeline.orderStages': 'pipeline.stages_ordered',
  'pipeline.retireStage': 'pipeline.stage_retired',
  'pipeline.setPhoneRegion': 'pipeline.phone_region_changed',
  'keys.create': 'key.created',
  'keys.rename': 'key.renamed',
  'keys.rotate': 'key.rotated',
  'keys.revoke': 'key.revoked',
  'members.invite': 'member.invited',
  'members.withdrawInvite': 'member.invite_withdrawn',
  'members.changeRole': 'member.role_changed',
  'members.requireTwoFactor': 'account.two_factor_changed',
  'members.remove': 'member.removed',
  'ops.retryDeadLetter': 'dead_letter.retried',
  'ops.dropDeadLetter': 'dead_letter.dropped',
};

/** Writes that change no record and have an entry, which comes before the response. */
const READS = /^(sources\.revealSecret|channels\.revealReplySecret)$/;
/** Writes whose entry follows from the published change, or from the job that makes it. */
const TOLD = /^(conversations\.|leads\.(create|change|move|erase)$)/;

/** Changes of how a user signs in. They have an entry in the user's accounts. */
const SIGN_IN: Partial<Record<RouteName, AuditAction>> = {
  'session.confirmTwoFactor': 'member.two_factor_on',
  'session.newRecoveryCodes': 'member.recovery_codes_made',
  'session.endTwoFactor': 'member.two_factor_off',
  'session.secondStep': 'member.recovery_code_used',
  'session.changePassword': 'member.password_changed',
  'session.welcome': 'member.joined',
  'recovery.reset': 'member.password_reset',
};

/** They use up a code before anything else, to prove who asks. */
const PROVED = /^session\.(newRecoveryCodes|endTwoFactor)$/;

const WRITES = ALL_ROUTES.filter(
  ({ route }) => route.method !== 'GET' && route.access !== 'anyone' && route.access !== 'signed_in',
);

describe('api: the audit log', () => {
  const at = useInstallation();

  const unconfirmed = async (action: AuditAction): Promise<AuditItem[]> =>
    (await at.owner.read(`/audit?action=${action}`)).items.filter((one: AuditItem) => one.unconfirmed);

  it('has a decision for every write in an account', () => {
    expect(Object.keys(AUDITED)).to.have.members(WRITES.map(({ name }) => name));
  });

  for (const { name, route } of WRITES) {
    const action = AUDITED[name] ?? null;
    const outcome =
      action === null ? 'changes nothing and has no entry' : `has the entry ${action}: who, when, from where`;
    it(`${name} ${outcome}`, async () => {
      const sent = await CASES[name].good(createTestObjects(at));
      const newest = async (): Promise<AuditItem> => (await at.owner.read('/audit?limit=1')).items[0];
      const before = await newest();
      const since = Date.now();
      const answer = await callRoute(at, route, sent);
      expect(answer.status, answer.text).to.equal(route.success);
      if (action === null) {
        expect(await newest()).to.deep.equal(before);
        return;
      }
      // Entries of changes that are published follow the response.
      await until(async () => (await newest())?.audit_id !== before?.audit_id);
      const entry = await newest();
      const { user_id, email } = at.owner.me.user;
      expect(entry).to.deep.include({ action, actor: { user_id, email }, address: ADDRESS });
      expect(entry).not.to.have.property('unconfirmed');
      expect(Date.parse(entry.at)).to.be.within(since, Date.now());
    });
  }

  for (const { name, route } of ALL_ROUTES) {
    const action = SIGN_IN[name] ?? AUDITED[name] ?? null;
    if (action === null || READS.test(name) || TOLD.test(name)) continue;

    it(`${name} leaves the entry ${action}, not confirmed, if the process dies behind the change`, async () => {
      const sent = await CASES[name].good(createTestObjects(at));
      const before = (await unconfirmed(action)).map(({ audit_id }) => audit_id);
      const answer = await dyingBehindAChange(at.api.store, () => callRoute(at, route, sent));
      expect(answer.status, answer.text).to.equal(500);
      const [entry, ...more] = (await unconfirmed(action)).filter(
        ({ audit_id }) => !before.includes(audit_id),
      );
      expect(entry).to.deep.include({ action, address: ADDRESS });
      expect(more).to.deep.equal([]);
      const { user_id, email } = at.owner.me.user;
      if (SIGN_IN[name] === undefined) expect(entry?.actor).to.deep.equal({ user_id, email });
    });

    if (!PROVED.test(name))
      it(`${name} works after a try whose entry could not be written`, async () => {
        const sent = await CASES[name].good(createTestObjects(at));
        const { auditLog } = at.api.store;
        const { announceEntry } = auditLog;
        auditLog.announceEntry = () => Promise.reject(new Error('away'));
        try {
          expect((await callRoute(at, route, sent)).status).to.equal(500);
        } finally {
          auditLog.announceEntry = announceEntry;
        }
        const answer = await callRoute(at, route, sent);
        expect(answer.status, answer.text).to.equal(route.success);
      });
  }
});
