import type { Router } from 'express';
import type { RouteDeps } from '../parts.ts';
import { listChannels, listSources } from './conversations/drop-downs.ts';
import { updateHandoff } from './conversations/handoff.ts';
import { listMessages, sendReply } from './conversations/messages.ts';
import { getConversation, listConversations } from './conversations/read-conversations.ts';
import { getEvent, listEvents } from './events/read-events.ts';
import { identify } from './identify.ts';
import type { PublicRoute } from './layer/declare-route.ts';
import { bindPublicRoutes } from './layer/serve-route.ts';
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
import { streamWebhook } from './webhooks/webhook-stream.ts';

/**
 * Every route of the public API, in the order of the documentation. A path with a parameter comes after the fixed paths
 * that it would match.
 */
export const PUBLIC_ROUTES: readonly PublicRoute[] = [
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
export function publicRoutes(router: Router, deps: RouteDeps): void {
  bindPublicRoutes(router, PUBLIC_ROUTES, deps);
}
