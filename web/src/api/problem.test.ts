import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldError, problemOf } from './problem.ts';

test('a problem has the message, code and retry time of the response', () => {
  const headers = new Headers({ 'retry-after': '12', 'x-request-id': 'r-1' });
  const problem = problemOf(429, headers, { code: 'rate_limited', detail: 'Too many.', retry_after: 12 });
  assert.equal(problem.message, 'Too many.');
  assert.equal(problem.code, 'rate_limited');
  assert.equal(problem.retryAfterSeconds, 12);
  assert.equal(problem.requestId, 'r-1');
});

test('all errors of an invalid body are in the message, and each is found by its field', () => {
  const detail = [
    { loc: ['body', 'name'], msg: 'is required', type: 'required' },
    { loc: ['body', 'units', 0, 'bedrooms'], msg: 'must be a number.', type: 'type' },
  ];
  const problem = problemOf(422, new Headers(), { code: 'validation_error', detail });
  assert.equal(problem.message, 'name: is required. units.0.bedrooms: must be a number.');
  assert.equal(fieldError(problem, 'name'), 'is required');
  assert.equal(fieldError(problem, 'bedrooms'), 'must be a number.');
  assert.equal(fieldError(problem, 'rooms'), null);
});

test('every error response has a message, even one from a proxy', () => {
  for (const body of [null, 'Bad gateway', [], {}]) {
    assert.match(problemOf(502, new Headers(), body).message, /status 502/);
  }
});
