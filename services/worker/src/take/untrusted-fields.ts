import { DELIVERY_ACTIONS, type DeliveryAction } from '@sluice/contract/delivery/delivery';
import { ACTION_KINDS, type ActionKind } from '@sluice/contract/event/action';
import {
  CONTENT_FIELDS,
  EVENT_STATUSES,
  type EventContent,
  type EventIdentity,
} from '@sluice/contract/event/event-fields';

/** Fields of a queue payload. Other versions and people write payloads, so every field is checked before use. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; empty for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isId = (value: unknown): value is string => isText(value) && value !== '';
/** Also valid as a job id: BullMQ rejects an id that contains a colon or only digits. */
export const isJobId = (value: unknown): value is string => isText(value) && /^(?!\d+$)[\w-]+$/.test(value);
export const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** Largest distance of a Date from 1970, in milliseconds (ECMA-262). */
const FARTHEST_INSTANT = 8.64e15;
export const isInstant = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= FARTHEST_INSTANT;
export const isSequence = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0;

const isOneOf = (values: readonly unknown[], value: unknown) => values.includes(value);
const isAbsentOr = (check: (value: unknown) => boolean, value: unknown) =>
  value === undefined || check(value);

/** Why this version can't read a value as an action; null if it can. */
export function faultOfAction(value: unknown): string | null {
  const { kind, identity, content, status, external_id, replaces, became, occurred_at } = fieldsOf(value);
  if (!isKind(kind)) return `This version knows no action "${String(kind)}".`;
  if (!isIdentity(identity)) return 'The action has no valid identity of an event.';
  if (![external_id, replaces, became].every((id) => isAbsentOr(isId, id)))
    return 'The action has no valid external_id.';
  if (!isAbsentOr(isInstant, occurred_at)) return 'The action has no valid occurred_at.';
  switch (kind) {
    case 'cancel':
    case 'delete':
      return null;
    case 'upsert':
      if (!isContent(content)) return "This version can't read the content of the event.";
      return isOneOf(EVENT_STATUSES, status) ? null : `This version knows no status "${String(status)}".`;
  }
}

function isKind(value: unknown): value is ActionKind {
  return isOneOf(ACTION_KINDS, value);
}

/** Returns whether a value is the action of a row of the delivery log: of an event or of a conversation. */
export function isDeliveryAction(value: unknown): value is DeliveryAction {
  return isOneOf(DELIVERY_ACTIONS, value);
}

export function isIdentity(value: unknown): value is EventIdentity {
  const { title, starts_at, location } = fieldsOf(value);
  return isText(title) && isInstant(starts_at) && isText(location);
}

function isContent(value: unknown): value is EventContent {
  if (typeof value !== 'object' || value === null) return false;
  const fields = fieldsOf(value);
  return CONTENT_FIELDS.every((field) => isAbsentOr((one) => isValueOf(field, one), fields[field.name]));
}

function isValueOf(field: (typeof CONTENT_FIELDS)[number], value: unknown): boolean {
  switch (field.type) {
    case 'instant':
      return isInstant(value);
    case 'choice':
      return isOneOf(field.values, value);
    case 'text':
    case 'url':
      return isText(value);
  }
}
