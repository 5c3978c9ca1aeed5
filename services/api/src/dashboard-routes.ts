import type { Router } from 'express';
import { type AuditRoutesDeps, auditRoutes } from './audit/routes.ts';
import { type ChannelDeletionDeps, channelDeletionRoutes } from './channels/deletion.ts';
import { type ChannelRoutesDeps, channelRoutes } from './channels/routes.ts';
import { type ConversationRoutesDeps, conversationRoutes } from './conversations/routes.ts';
import { type ExportDeps, exportRoute } from './deliveries/export.ts';
import { changedDeliveries, type ListDeliveriesDeps, listDeliveries } from './deliveries/list.ts';
import { reprocessMatchingRoute } from './deliveries/reprocess-matching.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './deliveries/routes.ts';
import { type EditEventDeps, editEventRoute } from './events/edit.ts';
import { type FeedRouteDeps, feedRoute } from './events/feed.ts';
import { type ImportRoutesDeps, importRoutes } from './events/import.ts';
import { type EventRoutesDeps, eventRoutes } from './events/routes.ts';
import { type UndoRoutesDeps, undoRoutes } from './events/undo.ts';
import { createBinder } from './http/bind.ts';
import type { Authenticate } from './http/signed-in.ts';
import { type KeyRoutesDeps, keyRoutes } from './keys/routes.ts';
import { type LeadExportDeps, leadExportRoute } from './leads/export.ts';
import { type LeadImportDeps, leadImportRoutes } from './leads/import.ts';
import { type LeadRoutesDeps, leadRoutes } from './leads/routes.ts';
import { type LeadUndoDeps, leadUndoRoutes } from './leads/undo.ts';
import { type LeadWriteDeps, leadWriteRoutes } from './leads/write.ts';
import { type MemberRoutesDeps, memberRoutes } from './members/routes.ts';
import { type OpsDeps, opsRoutes } from './ops/routes.ts';
import { type PartsRoutesDeps, partsRoutes } from './overview/parts-routes.ts';
import { type OverviewDeps, overviewRoutes } from './overview/routes.ts';
import { type PipelineRoutesDeps, pipelineRoutes } from './pipeline/routes.ts';
import { type RecoveryRoutesDeps, recoveryRoutes } from './recovery/routes.ts';
import { type SessionRoutesDeps, sessionRoutes } from './session/routes.ts';
import { type WelcomeDeps, welcomeRoutes } from './session/welcome.ts';
import { type DeletionDeps, deletionRoutes } from './sources/deletion.ts';
import { type RotationDeps, rotationRoutes } from './sources/rotation.ts';
import { type SourceRoutesDeps, sourceRoutes } from './sources/routes.ts';
import { type SenderRoutesDeps, senderRoutes } from './sources/sender.ts';
import { type TestSendDeps, testSendRoute } from './sources/test-send.ts';
import { type TwoFactorRoutesDeps, twoFactorRoutes } from './two-factor/routes.ts';
import { messageRoutes } from './webhooks/message-routes.ts';
import { type WebhookRoutesDeps, webhookRoutes } from './webhooks/routes.ts';

export type DashboardDeps = {
  readonly authenticate: Authenticate;
  readonly requestsPerSession?: number | undefined;
} & SessionRoutesDeps &
  WelcomeDeps &
  TwoFactorRoutesDeps &
  RecoveryRoutesDeps &
  SourceRoutesDeps &
  ChannelRoutesDeps &
  ChannelDeletionDeps &
  ConversationRoutesDeps &
  RotationDeps &
  SenderRoutesDeps &
  DeletionDeps &
  TestSendDeps &
  ListDeliveriesDeps &
  ExportDeps &
  DeliveryRoutesDeps &
  EventRoutesDeps &
  EditEventDeps &
  ImportRoutesDeps &
  UndoRoutesDeps &
  FeedRouteDeps &
  LeadRoutesDeps &
  LeadWriteDeps &
  LeadExportDeps &
  LeadImportDeps &
  LeadUndoDeps &
  PipelineRoutesDeps &
  KeyRoutesDeps &
  WebhookRoutesDeps &
  MemberRoutesDeps &
  OverviewDeps &
  PartsRoutesDeps &
  OpsDeps &
  AuditRoutesDeps;

/** Registers every route of the dashboard's API (dashboard-api/routes.ts). */
export function dashboardRoutes(router: Router, deps: DashboardDeps): void {
  const binder = createBinder(router, deps.authenticate, deps.requestsPerSession);
  sessionRoutes(binder, deps);
  welcomeRoutes(binder, deps);
  twoFactorRoutes(binder, deps);
  recoveryRoutes(binder, deps);
  sourceRoutes(binder, deps);
  rotationRoutes(binder, deps);
  senderRoutes(binder, deps);
  deletionRoutes(binder, deps);
  channelRoutes(binder, deps);
  channelDeletionRoutes(binder, deps);
  conversationRoutes(binder, deps);
  testSendRoute(binder, deps);
  listDeliveries(binder, deps);
  // Must come before the route of one delivery, or `changes` and `export` would match as its id.
  changedDeliveries(binder, deps);
  exportRoute(binder, deps);
  deliveryRoutes(binder, deps);
  reprocessMatchingRoute(binder, deps);
  importRoutes(binder, deps);
  undoRoutes(binder, deps);
  feedRoute(binder, deps);
  eventRoutes(binder, deps);
  editEventRoute(binder, deps);
  // `version`, `export` and `import` must come before the route of one lead.
  leadExportRoute(binder, deps);
  leadImportRoutes(binder, deps);
  leadUndoRoutes(binder, deps);
  leadRoutes(binder, deps);
  leadWriteRoutes(binder, deps);
  pipelineRoutes(binder, deps);
  keyRoutes(binder, deps);
  webhookRoutes(binder, deps);
  messageRoutes(binder, deps);
  memberRoutes(binder, deps);
  auditRoutes(binder, deps);
  overviewRoutes(binder, deps);
  partsRoutes(binder, deps);
  opsRoutes(binder, deps);
}
