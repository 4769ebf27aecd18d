import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, renderMarkdown } from './markdown.ts';

const rendered = (text: string): string =>
  renderMarkdown(text, (href) =>
    href.endsWith('.md') || href.startsWith('http') ? `/to/${href}` : null,
  ).html.replaceAll(/\s*\n\s*/g, '');

test('headings have anchors, tables align numbers, tables and code blocks are reachable by keyboard', () => {
  assert.equal(rendered('# A `b` c'), '<h1 id="a-b-c">A <code>b</code> c</h1>');
  const table = rendered('| a | b |\n|---|--:|\n| `x\\|y` | 1 |');
  assert.match(
    table,
    /<th>a<\/th><th class="number">b<\/th>.*<td><code>x\|y<\/code><\/td><td class="number">1<\/td>/,
  );
  assert.match(table, /^<div class="scroll" tabindex="0"><table>/);
  assert.equal(rendered('```sh\n<a> & *b*\n```'), '<pre tabindex="0"><code>&lt;a&gt; &amp; *b*</code></pre>');
});

test('a link without a page becomes plain text', () => {
  assert.equal(rendered('[x](y.md) [s](../src/z.ts)'), '<p><a href="/to/y.md">x</a> s</p>');
  assert.equal(rendered('[x](javascript:alert)'), '<p>x</p>');
  assert.equal(rendered('![x](http://elsewhere/pixel.png)'), '<p>x</p>');
});

test('raw HTML is escaped', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '<b>',
    'a <i onclick="x">b</i>',
    '- <b>\n\n> <b>',
    '`<b>`',
    '# <b>',
  ]) {
    assert.doesNotMatch(rendered(text), /<(script|b|i)\b/, text);
  }
});

test('plain text has the words of Markdown and none of its marks', () => {
  const text = `# A *b*
- one \`batch:*\`, _two_
- [three
  words](x.md) and <b>four</b> & "five"

| head | \`a_b\` |
|------|-------|
| c    | **d** |

\`\`\`sh
curl '<url>' # six
\`\`\`
![seven](y.png)`;
  assert.equal(
    plainText(text),
    `A b one batch:*, two three words and <b>four</b> & "five" head a_b c d curl '<url>' # six seven`,
  );
});
