// cadre as an MCP server on standard input and output.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { By } from '../../core/model/event.ts';
import { PERSON_TOOLS } from './person-tools.ts';
import { SESSION_TOOLS } from './session-tools.ts';
import type { Tool, ToolCall } from './tool.ts';

export interface Serving {
  readonly version: string;
  /** Who calls: the agent of a session, or a person's own agent. */
  readonly by: By;
  /** What the session works on, as a command names it. */
  readonly own: readonly string[];
  /** Runs a command of cadre and returns what it printed. */
  answer(call: ToolCall): Promise<{ readonly code: number; readonly text: string }>;
  /** For what is wrong with the connection itself. */
  say(text: string): void;
  readonly stop: AbortSignal;
}

/** Serves until the client closes its end, or this process is stopped. */
export async function serveTools(serving: Serving): Promise<void> {
  const tools = toolsFor(serving.by);
  await new Promise<void>((ended) => {
    const handle = serveStdio(() => serverWith(tools, serving), {
      onerror: (error) => serving.say(`The MCP connection reported an error: ${error.message}`),
    });
    process.stdin.once('close', ended);
    process.stdin.once('end', ended);
    serving.stop.addEventListener('abort', () => void handle.close().finally(ended), { once: true });
  });
}

export function toolsFor(by: By): readonly Tool[] {
  return by.who === 'agent' ? SESSION_TOOLS[by.role] : PERSON_TOOLS;
}

function serverWith(tools: readonly Tool[], serving: Serving): McpServer {
  const server = new McpServer({ name: 'cadre', version: serving.version }, { capabilities: { tools: {} } });
  for (const { name, description, takes, isRead, call } of tools)
    server.registerTool(
      name,
      { description, inputSchema: takes, annotations: { readOnlyHint: isRead } },
      async (given) => {
        const { code, text } = await serving.answer(call(given, serving.own));
        return { content: [{ type: 'text', text }], isError: code !== 0 };
      },
    );
  return server;
}
