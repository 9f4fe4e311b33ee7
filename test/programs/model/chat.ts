// OpenAI Chat Completions as OpenCode uses it, with the names of its tools.
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

export const chat: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  read: (body) => ({
    turns: listOf(body.messages).flatMap(turnsOf),
    hasTools: listOf(body.tools).length > 0,
    streams: body.stream === true,
  }),
  write,
};

function turnsOf({ role, content }: Fields): readonly Turn[] {
  if (role === 'user') return [{ from: 'user', text: textOf(content) }];
  return role === 'tool' ? [{ from: 'tool', text: textOf(content) }] : [];
}

function write(step: Spoken, { streams, turns }: Asked): Answer {
  const about = { id: `chatcmpl-${turns.length}`, created: 1, model: 'scripted' };
  const message = { role: 'assistant', ...messageOf(step, turns.length) };
  const finish_reason = step.do === 'say' ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (!streams)
    return json({ ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
  const chunk = { ...about, object: 'chat.completion.chunk' };
  return events(
    [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
    ],
    'data: [DONE]\n\n',
  );
}

function messageOf(step: Spoken, number: number): Fields {
  if (step.do === 'say') return { content: step.text };
  const { name, input } = toolOf(step);
  const call = { name, arguments: JSON.stringify(input) };
  return { content: null, tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: call }] };
}

function toolOf(step: Exclude<Spoken, { do: 'say' }>): Fields {
  switch (step.do) {
    case 'write':
      return { name: 'write', input: { filePath: step.path, content: step.text } };
    case 'run':
      return { name: 'bash', input: { command: step.command, description: 'A step of the script' } };
    case 'read':
      return { name: 'read', input: { filePath: step.path, offset: step.from, limit: step.to - step.from + 1 } };
  }
}
