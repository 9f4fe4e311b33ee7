// Anthropic Messages as Claude Code uses it, with the names of its tools.
import {
  type Answer,
  type Asked,
  events,
  type Fields,
  json,
  listOf,
  type Protocol,
  type Spoken,
  textOf,
} from './protocol.ts';
import type { Turn } from './script.ts';

export const anthropic: Protocol = {
  path: /^\/v1\/messages$/,
  read: (body) => ({
    turns: listOf(body.messages).flatMap(turnsOf),
    hasTools: listOf(body.tools).length > 0,
    streams: body.stream === true,
  }),
  write,
};

function turnsOf({ role, content }: Fields): readonly Turn[] {
  if (role !== 'user') return [];
  if (typeof content === 'string') return [{ from: 'user', text: content }];
  return listOf(content).map((block) =>
    block.type === 'tool_result'
      ? { from: 'tool', text: textOf(block.content) }
      : { from: 'user', text: textOf([block]) },
  );
}

function write(step: Spoken, { streams, turns }: Asked): Answer {
  const block = blockOf(step, turns.length);
  const stop_reason = step.do === 'say' ? 'end_turn' : 'tool_use';
  const message = {
    ...{ id: `msg_${turns.length}`, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null },
    usage: { input_tokens: 100, output_tokens: 10 },
  };
  if (!streams) return json({ ...message, content: [block], stop_reason });
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  return events([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]);
}

function blockOf(step: Spoken, number: number): Fields {
  if (step.do === 'say') return { type: 'text', text: step.text };
  return { type: 'tool_use', id: `toolu_${number}`, ...toolOf(step) };
}

function toolOf(step: Exclude<Spoken, { do: 'say' }>): Fields {
  switch (step.do) {
    case 'write':
      return { name: 'Write', input: { file_path: step.path, content: step.text } };
    case 'run':
      return { name: 'Bash', input: { command: step.command, description: 'A step of the script' } };
    case 'read':
      return { name: 'Read', input: { file_path: step.path, offset: step.from, limit: step.to - step.from + 1 } };
  }
}
