import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from './markdown.ts';

const rendered = (text: string): string =>
  renderMarkdown(text, (href) => (href.endsWith('.md') || href.startsWith('http') ? `/to/${href}` : null))
    .map((block) => block.html.replaceAll(/\s*\n\s*/g, ''))
    .join('');

test('the Markdown of our pages becomes the HTML it means', () => {
  const cases: [string, string][] = [
    ['# A `b` c', '<h1 id="a-b-c">A <code>b</code> c</h1>'],
    ['one\ntwo\n\nthree', '<p>one two</p><p>three</p>'],
    ['**a** *b* d*e', '<p><strong>a</strong> <em>b</em> d*e</p>'],
    ['- a\n  more\n- b', '<ul><li>a more</li><li>b</li></ul>'],
    ['- a\n  - x\n  - y\n- b', '<ul><li><p>a</p><ul><li>x</li><li>y</li></ul></li><li>b</li></ul>'],
    ['1. a\n2. b\n\nafter', '<ol><li>a</li><li>b</li></ol><p>after</p>'],
    ['text\n- a', '<p>text</p><ul><li>a</li></ul>'],
    ['> a\n> b', '<blockquote><p>a b</p></blockquote>'],
    [
      '```sh\n<a> & *b*\n\n# c\n```\nd',
      '<pre tabindex="0"><code>&lt;a&gt; &amp; *b*# c</code></pre><p>d</p>',
    ],
    ['[x](y.md) [s](../src/z.ts)', '<p><a href="/to/y.md">x</a> s</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[x](javascript:alert)', '<p>x</p>'],
    ['a | b', '<p>a | b</p>'],
    ['---', '<hr />'],
  ];
  for (const [text, expected] of cases) {
    assert.equal(rendered(text), expected, text);
  }
  const table = rendered('| a | b |\n|---|--:|\n| `x\\|y` | 1 |\n\nend');
  assert.match(
    table,
    /<th class="">a<\/th><th class="number">b<\/th>.*<td class=""><code>x\|y<\/code><\/td><td class="number">1<\/td>.*<p>end<\/p>$/,
  );
});

test('no text makes the renderer hang or pass markup through', () => {
  for (const text of [
    '```',
    '|',
    '- ',
    '-',
    '>',
    '#',
    '[',
    '`',
    '**',
    '  - x',
    '\n\n',
    '1.',
    '|\n|-|',
    '- a\n\n\n- b',
    '<b>',
  ]) {
    assert.doesNotMatch(rendered(text), /<b>/);
  }
});
