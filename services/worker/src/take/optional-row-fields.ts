import { isFailure } from '@sluice/contract/body-storage';
import {
  DELIVERY_ORIGINS,
  type Delivery,
  type DeliveryOrigin,
  type KeptRequest,
  type Outcome,
  SIGNED_WITH,
  type SignedWith,
} from '@sluice/contract/delivery';
import type { Mutable } from '@sluice/contract/mutable';
import { fieldsOf, isId, isText, isTextOrNull } from './untrusted-fields.ts';

/** What a row may hold besides what it must; of a shape that this version does not know it is left out. */
export function optionalRowFields(member: unknown, outcome: Outcome): OptionalRowFields {
  const { request, request_for, origin, reprocess_of, signed_with } = fieldsOf(member);
  const extras: Mutable<OptionalRowFields> = {};
  if (isKept(request) && (request_for === undefined || isFailure(outcome))) extras.request = request;
  if (isOrigin(origin) && origin !== 'webhook') extras.origin = origin;
  if (isId(reprocess_of)) extras.reprocess_of = reprocess_of;
  if (isSignedWith(signed_with)) extras.signed_with = signed_with;
  return extras;
}

type OptionalRowFields = Pick<Delivery, 'request' | 'origin' | 'reprocess_of' | 'signed_with'>;

function isOrigin(value: unknown): value is DeliveryOrigin {
  return (DELIVERY_ORIGINS as readonly unknown[]).includes(value);
}

function isSignedWith(value: unknown): value is SignedWith {
  return (SIGNED_WITH as readonly unknown[]).includes(value);
}

function isKept(value: unknown): value is KeptRequest {
  const { content_type, user_agent, timestamp, signature_start, bytes, body } = fieldsOf(value);
  const texts = isText(content_type) && isText(user_agent) && isText(timestamp) && isText(signature_start);
  return texts && Number.isSafeInteger(bytes) && isTextOrNull(body);
}
