import { isFailure } from '@sluice/contract/body-storage';
import {
  DELIVERY_ORIGINS,
  type DeliveryOrigin,
  type KeptRequest,
  type Outcome,
} from '@sluice/contract/delivery';
import type { AdmittedAction, RefusedRequest } from '@sluice/contract/groups';
import { fieldsOf, isId, isText, isTextOrNull } from './shapes.ts';

/** What a row may hold besides what it must; of a shape that this version does not know it is left out. */
export function extrasOf(member: AdmittedAction | RefusedRequest, outcome: Outcome) {
  const { request, request_for, origin, reprocess_of } = fieldsOf(member);
  const wanted = request_for === undefined || isFailure({ outcome });
  return {
    ...(wanted && isKept(request) && { request }),
    ...(isOrigin(origin) && origin !== 'webhook' && { origin }),
    ...(isId(reprocess_of) && { reprocess_of }),
  };
}

function isOrigin(value: unknown): value is DeliveryOrigin {
  return (DELIVERY_ORIGINS as readonly unknown[]).includes(value);
}

function isKept(value: unknown): value is KeptRequest {
  const { content_type, user_agent, timestamp, signature_start, bytes, body } = fieldsOf(value);
  const texts = [content_type, user_agent, timestamp, signature_start].every(isText);
  return texts && Number.isSafeInteger(bytes) && isTextOrNull(body);
}
