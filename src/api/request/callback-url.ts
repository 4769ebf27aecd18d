import { shownInput, ValidationError } from './validation-error.ts';

/** The 422 for a `notify_url` that may not be called. */
export function callbackRejected(url: string, reason: string): ValidationError {
  const loc = ['body', 'notify_url'];
  return new ValidationError([{ loc, msg: reason, type: 'callback_url', input: shownInput(url), ctx: {} }]);
}
