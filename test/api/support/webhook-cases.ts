import { webhookRedelivery } from '@sluice/contract/subscription/webhook-delivery';
import * as webhooks from '@sluice/dashboard-api/webhooks';
import { type CasesOf, onOne } from './route-case.ts';

/** Cases of webhook subscriptions. */
export const WEBHOOK_CASES: CasesOf<'webhooks'> = {
  'webhooks.list': {
    good: async ({ webhookParams }) => {
      await webhookParams();
      return {};
    },
    answer: webhooks.webhookList,
    stranger: 'own',
  },
  'webhooks.kinds': {
    good: () => ({}),
    answer: webhooks.webhookKinds,
    stranger: 'not_of_an_account',
  },
  'webhooks.create': {
    good: ({ webhookBody }) => ({ body: webhookBody() }),
    answer: webhooks.webhookWithSecret,
    stranger: 'own',
  },
  'webhooks.show': onOne('webhookParams', webhooks.webhookItem),
  'webhooks.change': {
    good: async ({ webhookParams }) => ({ ...(await webhookParams()), body: { name: 'New name' } }),
    answer: webhooks.webhookItem,
    stranger: 'not_found',
  },
  'webhooks.remove': onOne('webhookParams', null),
  'webhooks.pause': onOne('webhookParams', webhooks.webhookItem),
  'webhooks.resume': onOne('pausedWebhookParams', webhooks.webhookItem),
  'webhooks.adopt': onOne('deadWebhookParams', webhooks.webhookItem),
  'webhooks.rotateSecret': {
    good: async ({ webhookParams }) => ({ ...(await webhookParams()), body: { overlap: '1h' } }),
    answer: webhooks.webhookWithSecret,
    stranger: 'not_found',
  },
  'webhooks.messages': {
    good: ({ webhookMessageParams }) => webhookMessageParams(),
    answer: webhooks.messagePage,
    stranger: 'not_found',
  },
  'webhooks.redeliver': {
    good: ({ webhookMessageParams }) => webhookMessageParams(),
    answer: webhookRedelivery,
    stranger: 'not_found',
  },
  'webhooks.discard': onOne('webhookParams', webhooks.webhookDiscarded),
  'webhooks.test': {
    // No process delivers it, so it waits.
    good: ({ webhookParams }) => webhookParams().then((input) => ({ ...input, body: {} })),
    answer: webhooks.webhookTested,
    stranger: 'not_found',
  },
  'webhooks.recover': {
    good: async ({ webhookMessageParams }) => {
      const { params } = await webhookMessageParams();
      return { params: { webhookId: params?.webhookId ?? '' }, body: { since: '2026-01-01T00:00:00Z' } };
    },
    answer: webhooks.webhookRecovered,
    stranger: 'not_found',
  },
};
