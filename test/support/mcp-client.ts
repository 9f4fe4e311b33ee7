// A client of "cadre mcp", as a chat program would be: it sends lines and awaits the answers by their id.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { MAIN, type Repo } from './repo.ts';

export interface Answer {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

export interface McpClient {
  /** Any line, also one that is no message. */
  send(line: string): void;
  request(method: string, params?: object): Promise<Answer>;
  /** The text of the answer, and whether it reports an error. */
  call(tool: string, given?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
  /** What the server wrote for the person. */
  said(): string;
  /** Closes the connection; the exit code of the server. */
  end(): Promise<number | null>;
}

export async function mcpClient(repo: Repo): Promise<McpClient> {
  const server = spawn(process.execPath, [MAIN, 'mcp'], { cwd: repo.root, env: repo.env });
  const ended = new Promise<number | null>((exit) => server.once('exit', exit));
  const waiting = new Map<number, (answer: Answer) => void>();
  let said = '';
  server.stderr.on('data', (chunk) => {
    said += chunk;
  });
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line);
    waiting.get(id)?.(answer);
  });
  let next = 1;
  const send = (line: string): void => void server.stdin.write(`${line}\n`);
  const request: McpClient['request'] = (method, params = {}) => {
    const id = next++;
    const answer = new Promise<Answer>((given) => waiting.set(id, given));
    send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  };
  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return {
    send,
    request,
    async call(name, given = {}) {
      const { result, error } = await request('tools/call', { name, arguments: given });
      return { text: error?.message ?? result?.content?.[0]?.text ?? '', isError: result?.isError ?? true };
    },
    said: () => said,
    async end() {
      server.stdin.end();
      return ended;
    },
  };
}
