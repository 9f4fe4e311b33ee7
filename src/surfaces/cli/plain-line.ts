// Command lines without options, which need no parser: to load and set up commander takes longer than many commands do.
import type { Given } from './context.ts';
import type { CommandSpec } from './table/spec.ts';

export interface PlainLine {
  readonly spec: CommandSpec;
  readonly given: Given;
}

/** Undefined where commander has to decide: for options other than `--json`, for help, and for every mistake. */
export function plainLine(argv: readonly string[], commands: readonly CommandSpec[]): PlainLine | undefined {
  const [spec, ...others] = commands.filter(({ name }) => name === argv[0] || name === `${argv[0]} ${argv[1]}`);
  if (spec === undefined || others.length > 0 || spec.options.some(hasDefault)) return undefined;
  const rest = argv.slice(spec.name.split(' ').length);
  const words = rest.filter((word) => word !== '--json');
  const needed = spec.arguments.filter(({ required }) => required).length;
  if (words.length < needed || words.length > spec.arguments.length) return undefined;
  if (words.some((word) => word.startsWith('-') || word === 'help')) return undefined;
  const options = words.length < rest.length ? { json: true } : {};
  return { spec, given: { arguments: spec.arguments.map((_, at) => words[at]), options } };
}

/** commander sets `wait` unless `--no-wait` is given. */
function hasDefault({ flags }: { readonly flags: string }): boolean {
  return flags.startsWith('--no-');
}
