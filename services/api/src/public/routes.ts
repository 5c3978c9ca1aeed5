import type { ActDeps } from '@sluice/conversations/enqueue-and-apply';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Router } from 'express';
import { type DropDownDeps, listChannels, listSources } from './conversations/drop-downs.ts';
import { updateHandoff } from './conversations/handoff.ts';
import { listMessages, sendReply } from './conversations/messages.ts';
import { getConversation, listConversations } from './conversations/read-conversations.ts';
import { getEvent, listEvents, type ReadEventsDeps } from './events/read-events.ts';
import { identify } from './identify.ts';
import type { PublicRoute } from './layer/declare-route.ts';
import type { ListDeps } from './layer/list-route.ts';
import type { ServeDeps } from './layer/run-route.ts';
import { bindPublicRoutes } from './layer/serve-route.ts';
import type { LeadRouteDeps } from './leads/answer-written.ts';
import { leadFields, leadHistory, listLeads, pipelineStages, readLead } from './leads/read-leads.ts';
import { changeLead, createLead, moveLead } from './leads/write-leads.ts';
import {
  changeWebhook,
  deleteWebhook,
  deleteWebhookByUrl,
  rotateWebhookSecret,
} from './webhooks/change-webhook.ts';
import { createWebhook, createWebhookStream } from './webhooks/create-webhook.ts';
import { eventSamples, listEventKinds } from './webhooks/event-kinds.ts';
import { listWebhooks, readWebhook } from './webhooks/read-webhooks.ts';
import { recoverWebhook, testWebhook } from './webhooks/send-again.ts';
import { listWebhookDeliveries, redeliverWebhookMessage } from './webhooks/webhook-deliveries.ts';
import type { WebhookRouteDeps } from './webhooks/webhook-route.ts';
import type { StreamDeps } from './webhooks/webhook-stream.ts';
import { streamWebhook } from './webhooks/webhook-stream.ts';

export interface PublicDeps
  extends ServeDeps,
    ListDeps,
    LeadRouteDeps,
    ActDeps,
    DropDownDeps,
    ReadEventsDeps,
    WebhookRouteDeps,
    StreamDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly auditLog: ServeDeps['auditLog'] & ActDeps['auditLog'];
}

/**
 * Every route of the public API, in the order of the documentation. A path with a parameter comes after the fixed paths
 * that it would match.
 */
export const PUBLIC_ROUTES: readonly PublicRoute<PublicDeps>[] = [
  identify,
  listLeads,
  createLead,
  leadFields,
  readLead,
  changeLead,
  moveLead,
  leadHistory,
  pipelineStages,
  listConversations,
  getConversation,
  listMessages,
  sendReply,
  updateHandoff,
  listChannels,
  listSources,
  listEvents,
  getEvent,
  listWebhooks,
  createWebhook,
  createWebhookStream,
  deleteWebhookByUrl,
  readWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  streamWebhook,
  listWebhookDeliveries,
  redeliverWebhookMessage,
  testWebhook,
  recoverWebhook,
  listEventKinds,
  eventSamples,
];

/** The API that automation platforms call with an API key. */
export function publicRoutes(router: Router, deps: PublicDeps): void {
  bindPublicRoutes(router, PUBLIC_ROUTES, deps);
}
