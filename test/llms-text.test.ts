import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGuides } from '../src/api/docs/guides.ts';
import { ROUTES } from '../src/api/routes.ts';
import { createTestApi } from './api-fixture.ts';

test('/llms.txt follows llmstxt.org, names every operation once, and links to existing pages', async () => {
  const { app } = createTestApi();
  const answer = await app.inject({ url: '/llms.txt' });
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /^text\/plain; charset=utf-8/);
  const [title, summary, , ...sections] = answer.body.split(/\n\n(?=[#>]|Send)/);
  assert.match(title, /^# \S/);
  assert.match(summary, /^> [^\n]+$/);
  for (const section of sections)
    assert.match(section, /^## [^\n]+\n\n(- \[[^\]\n]+\]\([^)\n]+\)(: [^\n]+)?\n?)+$/);
  for (const { method, path, operationId } of ROUTES) {
    const line = `- [${method} ${path}](/docs#${operationId}): `;
    assert.equal(answer.body.split(line).length, 2, line);
  }
  for (const { path } of readGuides()) assert.ok(answer.body.includes(`](/docs/${path})`), path);
  const links = new Set([...answer.body.matchAll(/\]\((\/[^)#]*)/g)].map(([, link]) => link));
  for (const link of links) assert.equal((await app.inject({ url: link })).statusCode, 200, link);
});
