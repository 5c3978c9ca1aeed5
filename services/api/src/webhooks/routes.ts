import type { Binder } from '../http/bind.ts';
import { webhookCreateRoute } from './create-route.ts';
import { type WebhookReadDeps, webhookReadRoutes } from './read-routes.ts';
import {
  type WebhookWriteDeps,
  webhookChangeRoute,
  webhookRemoveRoute,
  webhookRotateRoute,
  webhookSwitchRoutes,
} from './write-routes.ts';

export interface WebhookRoutesDeps extends WebhookReadDeps, WebhookWriteDeps {}

/** Webhook subscriptions for admins, who reach those of every key: list, create, change, pause, adopt, delete. */
export function webhookRoutes(binder: Binder, deps: WebhookRoutesDeps): void {
  webhookReadRoutes(binder, deps);
  webhookCreateRoute(binder, deps);
  webhookChangeRoute(binder, deps);
  webhookSwitchRoutes(binder, deps);
  webhookRemoveRoute(binder, deps);
  webhookRotateRoute(binder, deps);
}
