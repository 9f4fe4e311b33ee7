// Gemini's generateContent as Gemini CLI uses it, with the names of its tools.
import {
  type Answer,
  type Asked,
  events,
  type Fields,
  fieldsOf,
  json,
  listOf,
  type Protocol,
  type Spoken,
  textOf,
} from './protocol.ts';
import type { Turn } from './script.ts';

export const gemini: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:(?:streamGenerateContent|generateContent)$/,
  read: (body, path) => ({
    turns: listOf(body.contents).flatMap(turnsOf),
    hasTools: listOf(body.tools).length > 0,
    streams: path.endsWith(':streamGenerateContent'),
  }),
  write,
};

function turnsOf({ role, parts }: Fields): readonly Turn[] {
  if (role !== 'user') return [];
  return listOf(parts).map((part) => {
    const response = fieldsOf(fieldsOf(part.functionResponse).response);
    return 'functionResponse' in part
      ? { from: 'tool', text: textOf(response.output ?? response.error) }
      : { from: 'user', text: textOf([part]) };
  });
}

function write(step: Spoken, { streams }: Asked): Answer {
  const part = step.do === 'say' ? { text: step.text } : { functionCall: callOf(step) };
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: 'scripted',
  };
  return streams ? events([answer]) : json(answer);
}

function callOf(step: Exclude<Spoken, { do: 'say' }>): Fields {
  switch (step.do) {
    case 'write':
      return { name: 'write_file', args: { file_path: step.path, content: step.text } };
    case 'run':
      return { name: 'run_shell_command', args: { command: step.command, description: 'A step of the script' } };
    case 'read':
      return { name: 'read_file', args: { file_path: step.path, start_line: step.from, end_line: step.to } };
  }
}
