import { OUTCOMES, type Outcome } from './delivery.ts';

/** The result of an applied request. A worker publishes it to the ingress whose sender waits for it. */
export interface ActionResult {
  readonly request_id: string;
  readonly outcome: Outcome;
  /** Null for an action of a channel. */
  readonly event_id: string | null;
  /** Only an action of a channel has it. */
  readonly conversation_id?: string | undefined;
}

/** The text of a message with results. */
export function writeResults(results: readonly ActionResult[]): string {
  return JSON.stringify(results);
}

/** Reads a message with results. Another version may have written it, so whatever this version cannot read is left out. */
export function readResults(text: string): ActionResult[] {
  try {
    const results: unknown = JSON.parse(text);
    return Array.isArray(results) ? results.filter(isResult) : [];
  } catch {
    return [];
  }
}

function isResult(value: unknown): value is ActionResult {
  if (typeof value !== 'object' || value === null) return false;
  const { request_id, outcome, event_id, conversation_id } = value as Record<string, unknown>;
  const ids = [event_id ?? '', conversation_id ?? '', request_id];
  return ids.every((id) => typeof id === 'string') && (OUTCOMES as readonly unknown[]).includes(outcome);
}
