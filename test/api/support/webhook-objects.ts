import { newId } from '@sluice/credentials/ids';
import supertest from 'supertest';
import type { CallInput } from './call-input.ts';
import type { Installation } from './installation.ts';

/** Webhook subscriptions of the owner's account, for calls of their routes. No process delivers their messages. */
export function createWebhookObjects(at: Installation) {
  const { owner, api } = at;
  const accountId = owner.me.account.account_id;
  /** The body of a create with an unused URL. A public address, so that no name is looked up. */
  const webhookBody = () => ({
    ...{ target_url: `https://1.1.1.1/${newId('stg')}`, events: ['lead.created'], name: 'CRM' },
  });
  const webhookParams = async () => {
    const { body } = await owner.call('post', '/webhooks', webhookBody());
    return { params: { webhookId: body.webhook.id as string } };
  };
  return {
    webhookBody,
    webhookParams,
    async pausedWebhookParams(): Promise<CallInput> {
      const input = await webhookParams();
      await owner.call('post', `/webhooks/${input.params.webhookId}/pause`);
      return input;
    },
    /** Its key is revoked. */
    async deadWebhookParams(): Promise<CallInput> {
      const { body: made } = await owner.call('post', '/keys', { name: 'n8n', scopes: ['webhooks'] });
      const { body } = await supertest(api.app)
        .post('/api/public/webhooks')
        .auth(made.key, { type: 'bearer' })
        .send(webhookBody());
      await owner.call('post', `/keys/${made.item.key_id}/revoke`);
      return { params: { webhookId: body.id } };
    },
    /** A message that was attempted. */
    async webhookMessageParams(): Promise<CallInput> {
      const { params } = await webhookParams();
      const [change_id, message_id, at_ms] = [newId('req'), newId('req'), Date.now()];
      const about = { change_id, account_id: accountId, kind: 'lead.created', record_id: 'lead_1' } as const;
      await api.deps.outboundChanges.appendChanges([
        { ...about, sequence: 1, at: at_ms, text: '"type":"lead.created"}' },
      ]);
      await api.deps.webhookMessages.logAttempts([
        {
          ...{ ...about, message_id, subscription_id: params.webhookId },
          ...{ status: 'failed', next_attempt_at: null, created_at: at_ms },
          attempt: {
            ...{ id: newId('req'), at: at_ms, duration_ms: 5, code: 'refused', status: 500, sentence: 'No.' },
            ...{ response: null, redelivery: false },
          },
        },
      ]);
      return { params: { ...params, messageId: message_id } };
    },
  };
}
