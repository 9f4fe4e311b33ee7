// docs/json.md and docs/json.schema.json: what the commands print with --json, from the schemas that the tests hold them to.
import * as z from 'zod';
import { ANSWERS, type AnswerSpec, ERROR, NOTIFICATION_INPUT } from '../src/surfaces/cli/json/answers.ts';

/** As much of JSON Schema as zod writes for the answers. */
interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
  readonly description?: string;
}

export function jsonSchemaOfAnswers(): object {
  const printing = Object.entries(ANSWERS).filter(([, { form }]) => form !== 'none');
  const commands = Object.fromEntries(printing.map(([name, { schema }]) => [name, schema]));
  const others = { error: ERROR, notification: NOTIFICATION_INPUT };
  const schema = z.toJSONSchema(z.object({ ...others, ...commands }), { unrepresentable: 'any' });
  return {
    ...openedUp(schema as Shape),
    title: 'What the commands of cadre print with --json',
    description:
      'Each property is the name of a command; its value describes one object that the command prints. "error" is what any command prints when it is refused or fails, "notification" what the command of the setting notify.command gets. Fields may be added to any object.',
  };
}

/** Programs that read the answers must allow for fields that are added later. */
function openedUp(shape: Shape): Shape {
  return JSON.parse(
    JSON.stringify(shape, (key, value) => (key === 'additionalProperties' && value === false ? undefined : value)),
  );
}

export function jsonPage(made: string): string {
  const { $defs = {}, properties = {} } = jsonSchemaOfAnswers() as Shape;
  const { error = {}, notification = {}, ...commands } = properties;
  const intro = `# JSON answers

With \`--json\` every command prints JSON, one object a line: one object for an answer, several for a stream. \`"version": 1\`
changes only when a field changes its meaning or is removed; fields may be added at any time.
[json.schema.json](json.schema.json) has the same as JSON Schema. Characters that act on a terminal, and those that nobody
sees, are written as \`\\u\` escapes, so the output is safe to print.

A command that is refused or fails prints this instead; \`try\` lists commands that help:

${block(error)}
The command of the setting \`notify.command\` gets one such object on its standard input
([notifications](runs.md#notifications)):

${block(notification)}
## Commands
`;
  const sections = Object.entries(commands).map(([name, shape]) => section(name, shape));
  const views = Object.entries($defs).map(([name, shape]) => `### ${name}\n\n${block(shape)}`);
  return [made, intro, ...sections, '## Shared shapes\n', ...views].join('\n');
}

function section(name: string, shape: Shape): string {
  const form: AnswerSpec['form'] | undefined = ANSWERS[name]?.form;
  return `### cadre ${name}\n\n${form === 'stream' ? 'A stream; each line is one of these.\n\n' : ''}${block(shape)}`;
}

function block(shape: Shape): string {
  return `\`\`\`ts\n${typeOf(shape, '')}\n\`\`\`\n`;
}

/** In the notation of TypeScript, which most readers know. */
function typeOf(shape: Shape, indent: string): string {
  if (shape.$ref !== undefined) return shape.$ref.replace('#/$defs/', '');
  if (shape.anyOf !== undefined) return unionOf(shape.anyOf, indent);
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((word) => JSON.stringify(word)).join(' | ');
  if (shape.type === 'array') return arrayOf(typeOf(shape.items ?? {}, indent));
  if (shape.properties !== undefined) return objectOf(shape, indent);
  if (shape.type === 'object') return `Record<string, ${typeOf(asShape(shape.additionalProperties), indent)}>`;
  const types = [shape.type ?? []].flat();
  return types.length === 0 ? 'unknown' : types.map((type) => PLAIN_TYPES.get(type) ?? 'unknown').join(' | ');
}

const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

function unionOf(shapes: readonly Shape[], indent: string): string {
  const isLong = shapes.filter(({ properties }) => properties !== undefined).length > 1;
  return isLong
    ? shapes.map((shape) => `\n${indent}| ${typeOf(shape, indent)}`).join('')
    : shapes.map((shape) => typeOf(shape, indent)).join(' | ');
}

function arrayOf(item: string): string {
  return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties = {}, required = [] }: Shape, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, shape]) => {
    const key = /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name);
    const comment = shape.description === undefined ? '' : `  // ${shape.description}`;
    return `${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(shape, inner)};${comment}`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

function asShape(shape: Shape | boolean | undefined): Shape {
  return typeof shape === 'object' ? shape : {};
}
