import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../api/account.ts';
import { actionOf, actorOf, detailsOf } from './describe-entry.ts';

const entry: AuditEntry = {
  id: 'a1',
  at: '2026-03-31T12:00:00Z',
  account_id: 'self',
  actor: { kind: 'user', id: 'u1', name: 'ada@assessor.example' },
  action: 'key.rotated',
  subject: 'a1B2c3D4',
  detail: {
    overlap_days: 1,
    rows: 5992,
    as_of: '2026-01-31',
    use: true,
    scopes: ['avm:*', 'batch:read'],
    expires_at: null,
    accepted: [],
  },
};

test('an audit entry shows its user, change and details', () => {
  assert.equal(actorOf(entry), 'ada@assessor.example');
  for (const name of ['command line', 'npm start']) {
    assert.equal(actorOf({ ...entry, actor: { kind: 'command_line', id: null, name } }), name);
  }
  assert.equal(
    actorOf({ ...entry, actor: { kind: 'key', id: 'k1', name: 'nightly run' } }),
    'key nightly run',
  );
  assert.equal(actionOf(entry), 'key rotated');
  assert.deepEqual(detailsOf(entry), [
    'overlap days: 1',
    'rows: 5,992',
    'as of: Jan 31, 2026',
    'use: yes',
    'scopes: avm:*, batch:read',
  ]);
});
