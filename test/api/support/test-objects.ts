import { createPasswordReset } from '@sluice/accounts/people/password-reset';
import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { newId } from '@sluice/credentials/ids';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import type { EventItem } from '@sluice/dashboard-api/events';
import type { SessionItem } from '@sluice/dashboard-api/session';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createKeyspace } from '@sluice/redis/keyspace';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { created } from '../../support/created.ts';
import { startFeedServer } from '../../support/feed-server.ts';
import { upsertBody } from '../../support/signed.ts';
import { turnOnTwoFactor } from '../../support/two-factor.ts';
import type { CallInput } from './call-input.ts';
import type { Installation } from './installation.ts';
import { signIn } from './sign-in.ts';
import { createWebhookObjects } from './webhook-objects.ts';

/** Creates objects in the owner's account to call routes with. Each call creates a new one. */
export type TestObjects = ReturnType<typeof createTestObjects>;

/** Call this once the installation runs. */
export function createTestObjects(at: Installation) {
  const { owner, api } = at;
  const accountId = owner.me.account.account_id;
  const newName = () => `Name ${newId('stg')}`;

  const sourceParams = async (): Promise<CallInput> => ({ params: { sourceId: (await at.addSource()).id } });
  /** A source with a sender of another platform. */
  const foreignSourceParams = async (): Promise<CallInput> => {
    const input = await sourceParams();
    await owner.call('put', `/sources/${input.params?.sourceId}/sender`, { preset: 'github' });
    return input;
  };
  const preparedRotation = async (): Promise<CallInput> => {
    const { params } = await sourceParams();
    const { body } = await owner.call('post', `/sources/${params?.sourceId}/secret/prepare-rotation`);
    return { params: params ?? {}, body: { rotation_token: body.rotation_token } };
  };
  const channelParams = async (): Promise<CallInput> => {
    const { body } = await owner.call('post', '/channels', { name: 'Website chat' });
    return { params: { channelId: body.channel.channel_id } };
  };
  const conversationParams = async (): Promise<CallInput> => {
    const channelId = (await channelParams()).params?.channelId as string;
    const conversationId = await applyActions(api.deps, { accountId, channelId }, [
      visitorSays('c-1', 'Hello'),
    ]);
    return { params: { conversationId } };
  };
  const delivery = async () => {
    const source = await at.addSource();
    await at.sendTo(source, upsertBody());
    return (await at.logged(source, 1))[0] as DeliveryItem;
  };
  /** A user who also signs in with a code. */
  const personWithTwoFactor = async () => {
    const who = await api.addPerson(accountId, 'admin');
    const { recoveryCodes } = await turnOnTwoFactor(who);
    return { who, recoveryCode: recoveryCodes[0] as string };
  };
  return {
    ...createWebhookObjects(at),
    accountId,
    sourceParams,
    foreignSourceParams,
    channelParams,
    conversationParams,
    /** A conversation that an agent has taken over. */
    async takenOverParams(): Promise<CallInput> {
      const input = await conversationParams();
      await owner.call('post', `/conversations/${input.params?.conversationId}/accept`);
      return input;
    },
    delivery,
    newPerson: () => api.addPerson(accountId, 'admin'),
    personWithTwoFactor,
    /** The token and a valid code for the second step of a sign-in. */
    async secondStep() {
      const { who, recoveryCode } = await personWithTwoFactor();
      const { body } = await signIn(api.app, { email: who.me.user.email });
      return { token: body.second_factor.token, code: recoveryCode };
    },
    /** The id of another session of the owner. */
    async otherSession() {
      await signIn(api.app, { email: owner.me.user.email });
      const { items } = (await owner.read('/sessions')) as { items: SessionItem[] };
      return items.find(({ current }) => !current)?.session_id as string;
    },
    /** The token of a link to set a new password. */
    async resetToken() {
      const { me } = await api.addPerson(accountId, 'viewer');
      const made = created(await createPasswordReset(api.deps, me.user.email));
      return made.token;
    },
    async invite(): Promise<{ readonly id: string; readonly token: string }> {
      const { body } = await owner.call('post', '/members/invites', { role: 'viewer' });
      return { id: body.invite.invite_id, token: body.url.split('#token=')[1] };
    },
    preparedRotation,
    /** A source whose previous secret is still accepted. */
    async overlapParams(): Promise<CallInput> {
      const { params, body } = await preparedRotation();
      const confirmed = { ...body, overlap: '1h' };
      await owner.call('post', `/sources/${params?.sourceId}/secret/confirm-rotation`, confirmed);
      return { params: params ?? {} };
    },
    eventParams: async (): Promise<CallInput> => ({
      params: { eventId: (await delivery()).event_id as string },
    }),
    eventOf: async ({ params }: CallInput): Promise<EventItem> =>
      (await owner.read(`/events/${params?.eventId}`)).event,
    async leadParams(): Promise<CallInput> {
      const { body } = await owner.call('post', '/leads', { name: 'A lead' });
      return { params: { leadId: body.id } };
    },
    /** A stage without leads. */
    async stageParams(): Promise<CallInput> {
      const { body } = await owner.call('post', '/pipeline/stages', { name: newName(), kind: 'lost' });
      return { params: { stageId: body.stages.at(-1).id } };
    },
    stageIds: async (): Promise<string[]> =>
      (await owner.read('/pipeline')).stages.map(({ id }: { id: string }) => id),
    newName,
    /** The name of an import of leads. */
    async doneLeadImport() {
      const import_id = newId('req');
      const rows = [{ row: 2, lead: { name: 'Imported' } }];
      await owner.call('post', '/leads/import', { import_id, file_name: 'a.csv', match_on: [], rows });
      return { import_id };
    },
    async keyParams(): Promise<CallInput> {
      const { body } = await owner.call('post', '/keys', { name: 'CRM', scopes: ['webhooks'] });
      return { params: { keyId: body.item.key_id } };
    },
    /** The URL of a calendar. */
    feedUrl: async () => `http://127.0.0.1:${(await startFeedServer()).port}/calendar.ics`,
    /** An applied import of one event. */
    async doneImport() {
      const source = await at.addSource();
      const name = { source_id: source.id, import_id: newId('req') };
      const rows = [{ row: 2, event: { title: 'Open day', starts_at: '2030-01-01T10:00:00Z' } }];
      await owner.call('post', '/events/import', { ...name, file_name: 'a.csv', rows });
      await at.logged(source, 1);
      return name;
    },
    async letterParams(): Promise<CallInput> {
      const deliveryId = newId('dlv');
      const { prefix } = createKeyspace(at.pipeline.namespace);
      const deadLetters = createDeadLetters({ redis: api.redis, prefix });
      const action = { account_id: accountId, action: { kind: 'explode' } };
      await deadLetters.add(deliveryId, {
        v: GROUP_VERSION,
        failed_at: Date.now(),
        reason: 'A test.',
        action,
      });
      await deadLetters.close();
      return { params: { deliveryId } };
    },
  };
}
