import { CHANNEL_CASES } from './channel-cases.ts';
import { CONVERSATION_CASES } from './conversation-cases.ts';
import { EVENT_CASES } from './event-cases.ts';
import { LEAD_CASES } from './lead-cases.ts';
import { PEOPLE_CASES } from './people-cases.ts';
import type { RouteCase, RouteName } from './route-case.ts';
import { SOURCE_CASES } from './source-cases.ts';
import { WATCH_CASES } from './watch-cases.ts';
import { WEBHOOK_CASES } from './webhook-cases.ts';

/** Calls of every route. The compiler reports a route that is missing here. */
export const CASES: Record<RouteName, RouteCase> = {
  ...PEOPLE_CASES,
  ...SOURCE_CASES,
  ...CHANNEL_CASES,
  ...CONVERSATION_CASES,
  ...EVENT_CASES,
  ...LEAD_CASES,
  ...WATCH_CASES,
  ...WEBHOOK_CASES,
};
