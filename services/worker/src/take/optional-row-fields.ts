import { isFailure } from '@sluice/contract/delivery/body-storage';
import {
  DELIVERY_ORIGINS,
  type Delivery,
  type DeliveryOrigin,
  type KeptRequest,
  type Outcome,
  SIGNED_WITH,
  type SignedWith,
} from '@sluice/contract/delivery/delivery';
import type { Mutable } from '@sluice/contract/text/mutable';
import { fieldsOf, isId, isText, isTextOrNull } from './untrusted-fields.ts';

/** The optional fields of a row. A field in a form that this version doesn't know is left out. */
export function optionalRowFields(member: unknown, outcome: Outcome): OptionalRowFields {
  const { request, request_for, origin, reprocess_of, signed_with, mapped } = fieldsOf(member);
  const fields: Mutable<OptionalRowFields> = {};
  if (isKept(request) && (request_for === undefined || isFailure(outcome))) fields.request = request;
  if (isOrigin(origin) && origin !== 'webhook') fields.origin = origin;
  if (isId(reprocess_of)) fields.reprocess_of = reprocess_of;
  if (isSignedWith(signed_with)) fields.signed_with = signed_with;
  if (mapped !== undefined) Object.assign(fields, mappedField(mapped));
  return fields;
}

type OptionalRowFields = Pick<Delivery, 'request' | 'origin' | 'reprocess_of' | 'signed_with' | 'mapped'>;

function isOrigin(value: unknown): value is DeliveryOrigin {
  return (DELIVERY_ORIGINS as readonly unknown[]).includes(value);
}

function mappedField(value: unknown): Pick<Delivery, 'mapped'> {
  const { preset, version, rule, note } = fieldsOf(value);
  if (!isText(preset) || !isCount(version)) return {};
  return {
    mapped: { preset, version, ...(isCount(rule) && { rule }), ...(isText(note) && { note }) },
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

function isSignedWith(value: unknown): value is SignedWith {
  return (SIGNED_WITH as readonly unknown[]).includes(value);
}

function isKept(value: unknown): value is KeptRequest {
  const { content_type, user_agent, timestamp, signature_start, bytes, body, address } = fieldsOf(value);
  const texts = isText(content_type) && isText(user_agent) && isText(timestamp) && isText(signature_start);
  return (
    texts && Number.isSafeInteger(bytes) && isTextOrNull(body) && (address === undefined || isText(address))
  );
}
