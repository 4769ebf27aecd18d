import type { Block, Cell, ReportDocument, TableBlock } from './document.ts';

/** A report as Markdown (GitHub's, with tables), for language models and notes. A figure is its description. */
export function renderMarkdown({ masthead, blocks, footer }: ReportDocument): string {
  const { account, kind } = masthead;
  const head = [account, kind].filter(Boolean).map(escaped).join(' · ');
  return `${[head, ...blocks.map(blockOf), escaped(footer)].join('\n\n')}\n`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`;
    case 'paragraph':
      return escaped(block.text);
    case 'link':
      return `<${block.url}>`;
    case 'list':
      return block.items.map((item) => `- ${escaped(item)}`).join('\n');
    case 'facts':
      return block.facts.map(([label, value]) => `- **${escaped(label)}:** ${escaped(value)}`).join('\n');
    case 'table':
      return tableOf(block);
    case 'figure':
      return `*${[block.alt, block.caption].filter(isText).map(escaped).join(' ')}*`;
    case 'note':
      return `> **${escaped(block.title)}.** ${escaped(block.text)}`;
  }
}

function tableOf({ caption, columns, rows }: TableBlock): string {
  const lines = [
    columns.map(({ label }) => escaped(label)),
    columns.map(({ align }) => (align ? '---:' : '---')),
    ...rows.map(({ cells }) => cells.map(cellOf)),
  ];
  return `**${escaped(caption)}**\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

function cellOf(cell: Cell): string {
  return escaped(typeof cell === 'string' ? cell : [cell.text, cell.amount].filter(Boolean).join(' '));
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** What users entered stays text: no markup, links or new lines. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#~]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}
