import { webhookRedelivery } from '@sluice/contract/subscription/webhook-delivery';
import * as webhooks from '@sluice/dashboard-api/webhooks';
import { type CasesOf, INVALID, NONE, onOne } from './route-case.ts';

/** Cases of webhook subscriptions. */
export const WEBHOOK_CASES: CasesOf<'webhooks'> = {
  'webhooks.list': {
    good: async ({ webhookParams }) => {
      await webhookParams();
      return {};
    },
    answer: webhooks.webhookList,
    bad: null,
    stranger: 'own',
  },
  'webhooks.kinds': {
    good: () => ({}),
    answer: webhooks.webhookKinds,
    bad: null,
    stranger: 'not_of_an_account',
  },
  'webhooks.create': {
    good: ({ webhookBody }) => ({ body: webhookBody() }),
    answer: webhooks.webhookWithSecret,
    bad: { body: { target_url: 'https://10.0.0.1/', events: ['*'] }, code: INVALID },
    stranger: 'own',
  },
  'webhooks.show': onOne('webhookParams', 'webhookId', webhooks.webhookItem),
  'webhooks.change': {
    good: async ({ webhookParams }) => ({ ...(await webhookParams()), body: { name: 'New name' } }),
    answer: webhooks.webhookItem,
    bad: { body: { events: [] }, code: INVALID },
    stranger: 'not_found',
  },
  'webhooks.remove': onOne('webhookParams', 'webhookId', null),
  'webhooks.pause': onOne('webhookParams', 'webhookId', webhooks.webhookItem),
  'webhooks.resume': onOne('pausedWebhookParams', 'webhookId', webhooks.webhookItem),
  'webhooks.adopt': onOne('deadWebhookParams', 'webhookId', webhooks.webhookItem),
  'webhooks.rotateSecret': {
    good: async ({ webhookParams }) => ({ ...(await webhookParams()), body: { overlap: '1h' } }),
    answer: webhooks.webhookWithSecret,
    bad: { body: { overlap: '2h' }, code: INVALID },
    stranger: 'not_found',
  },
  'webhooks.messages': {
    good: ({ webhookMessageParams }) => webhookMessageParams(),
    answer: webhooks.messagePage,
    bad: { query: { status: 'lost' }, code: INVALID },
    stranger: 'not_found',
  },
  'webhooks.redeliver': {
    good: ({ webhookMessageParams }) => webhookMessageParams(),
    answer: webhookRedelivery,
    bad: { params: { webhookId: 'id_of_nothing', messageId: 'id_of_nothing' }, code: NONE },
    stranger: 'not_found',
  },
  'webhooks.discard': onOne('webhookParams', 'webhookId', webhooks.webhookDiscarded),
  'webhooks.test': {
    // No process delivers it, so it waits.
    good: ({ webhookParams }) => webhookParams().then((input) => ({ ...input, body: {} })),
    answer: webhooks.webhookTested,
    bad: { body: { event: 'lead.lost' }, code: INVALID },
    stranger: 'not_found',
  },
  'webhooks.recover': {
    good: async ({ webhookMessageParams }) => {
      const { params } = await webhookMessageParams();
      return { params: { webhookId: params?.webhookId ?? '' }, body: { since: '2026-01-01T00:00:00Z' } };
    },
    answer: webhooks.webhookRecovered,
    bad: { body: { since: 'yesterday' }, code: INVALID },
    stranger: 'not_found',
  },
};
