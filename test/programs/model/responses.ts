// OpenAI Responses as Codex uses it, with the names of its tools.
import {
  type Answer,
  type Asked,
  events,
  type Fields,
  listOf,
  type Protocol,
  type Spoken,
  textOf,
} from './protocol.ts';
import type { Turn } from './script.ts';

export const responses: Protocol = {
  path: /^\/v1\/responses$/,
  read: (body) => ({
    turns: listOf(body.input).flatMap(turnsOf),
    hasTools: listOf(body.tools).length > 0,
    streams: true,
  }),
  write,
};

function turnsOf({ type, role, content, output }: Fields): readonly Turn[] {
  if (type === 'message' && role === 'user') return [{ from: 'user', text: textOf(content) }];
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ from: 'tool', text: textOf(output) }];
  return [];
}

function write(step: Spoken, { turns }: Asked): Answer {
  const id = `resp_${turns.length}`;
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
  return events([
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item: itemOf(step, turns.length) },
    { type: 'response.completed', response: { id, usage } },
  ]);
}

function itemOf(step: Spoken, number: number): Fields {
  const call = (command: string, more: Fields = {}): Fields => ({
    ...{ type: 'function_call', id: `fc_${number}`, call_id: `call_${number}`, name: 'exec_command' },
    arguments: JSON.stringify({ cmd: command, ...more }),
  });
  switch (step.do) {
    case 'say':
      return {
        ...{ type: 'message', role: 'assistant', id: `msg_${number}` },
        content: [{ type: 'output_text', text: step.text }],
      };
    case 'write':
      return call(`apply_patch <<'EOF'\n${patchThatAdds(step.path, step.text)}\nEOF`);
    case 'run':
      return call(step.command, step.outside === true ? OUTSIDE : {});
    case 'read':
      return call(`sed -n '${step.from},${step.to}p' ${step.path}`);
  }
}

const OUTSIDE = { sandbox_permissions: 'require_escalated', justification: 'It is a step of the script.' };

function patchThatAdds(path: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join('\n');
}
