import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js';
import { problemText, type AnyProblem } from './response-text.ts';
import { inputSchemaOf, TOOLS, type Tool } from './tools.ts';

/** Calls the API as a client with a key does: same authorization, limits, charges and log. */
export type CallApi = (request: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: object | null;
}) => Promise<{ readonly status: number; readonly text: string }>;

const INSTRUCTIONS =
  'Values homes, rents and residential buildings from sales and public records that the operator of this service loaded, and reports census, crime, wildfire and flood data of a place. Values are estimates with a measured range, not appraisals: always pass the range on. Start with `coverage` if you do not know which places are loaded.';

/**
 * An MCP server that is not connected yet. `version` is the program's version. `idle` resolves when every received
 * call is answered.
 */
export function createMcpServer(callApi: CallApi, version: string) {
  const server = new Server(
    { name: 'plumbline', title: 'Plumbline', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const calls = new Set<Promise<unknown>>();
  const tools = TOOLS.map(listingOf);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) {
      const known = TOOLS.map(({ name }) => name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}. The tools are ${known}.`);
    }
    const call = callTool(callApi, tool, params.arguments ?? {});
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  return { server, idle: async () => void (await Promise.allSettled(calls)) };
}

function listingOf(tool: Tool): ToolListing {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(tool),
    // Repeating a call later may give another value.
    annotations: { readOnlyHint: tool.isReadOnly ?? true, destructiveHint: false, openWorldHint: false },
  };
}

/** The path with the arguments that it names, and the other arguments. */
function filledPath({ path }: Tool, given: Readonly<Record<string, unknown>>) {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const filled = named.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(given[name] ?? 'missing'))),
    path,
  );
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !named.includes(name)));
  return { path: filled, rest };
}

function queryOf(given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

async function callTool(
  callApi: CallApi,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { method } = tool;
  const { path, rest } = filledPath(tool, given);
  const sent = tool.bodyOf?.(rest) ?? rest;
  const { status, text } = await callApi(
    method === 'GET' ? { method, path: path + queryOf(sent), body: null } : { method, path, body: sent },
  );
  if (status !== 200) {
    const problem: AnyProblem = JSON.parse(text);
    return {
      isError: true,
      content: [{ type: 'text', text: problemText(problem) }],
      structuredContent: { ...problem },
    };
  }
  const { structured, sentences } = tool.read(text);
  if (structured === null) return { content: [{ type: 'text', text: sentences }] };
  // The whole response again as text, because clients without structured content show a model nothing else.
  return {
    content: [
      { type: 'text', text: sentences },
      { type: 'text', text: JSON.stringify(structured) },
    ],
    structuredContent: structured,
  };
}
