import { PlumblineError } from '../errors.ts';
import type { DeliveryPlace } from '../store/deliveries.ts';

/**
 * Identifies the last delivery of a page by fields that never change, so that nothing is listed twice or
 * omitted.
 */
export function cursorOf({ createdAt, deliveryId }: DeliveryPlace): string {
  return Buffer.from(`${createdAt} ${deliveryId}`).toString('base64url');
}

const PLACE = /^(\d{1,15}) (msg_[0-9a-f-]{36})$/;

export function placeOfCursor(cursor: string): DeliveryPlace {
  const [, createdAt, deliveryId] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (createdAt !== undefined && deliveryId !== undefined)
    return { createdAt: Number(createdAt), deliveryId };
  throw new PlumblineError(
    'invalid_cursor',
    'This cursor is not valid: send `next_cursor` exactly as it was returned.',
  );
}
