// A client of "cadre mcp" for scripts: calls one tool and prints the answer; node mcp-call.mjs <main.js> <tool> [<json>]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [main, name, given = '{}'] = process.argv.slice(2);
const server = spawn(process.execPath, [main, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
send({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'script', version: '1' } },
});
send({ method: 'notifications/initialized' });
send({ id: 1, method: 'tools/call', params: { name, arguments: JSON.parse(given) } });
for await (const line of createInterface({ input: server.stdout })) {
  const { id, result, error } = JSON.parse(line);
  if (id !== 1) continue;
  console.log(error?.message ?? result.content[0].text);
  process.exitCode = error === undefined && !result.isError ? 0 : 1;
  server.stdin.end();
}
