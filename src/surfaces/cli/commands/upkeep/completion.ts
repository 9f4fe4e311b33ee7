// cadre completion: a script that lets a shell complete commands, plans, tasks, questions and sessions.
import { NO_REFERENCES, type References } from '../../../../app/reads/references.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { showName } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Run, textOption } from '../../context.ts';
import { completeLine } from '../../repl/complete-line.ts';

export const run: Run = async (context, given) => {
  const line = textOption(given, 'line');
  if (line !== undefined) {
    // The settings are read with a library that takes time to load.
    const settings = /^\s*config\s/.test(line) ? await context.config().known() : [];
    const known = { ...(await references(context)), commands: context.commands, settings };
    const words = completeLine(line, known, 'shell').matches.map((word) => word.trimEnd());
    if (context.json || words.length > 0) answer(context, { words }, words);
    return EXIT.ok;
  }
  const [shell = ''] = given.arguments;
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined)
    throw new Failure(
      'usage',
      'usage',
      `${shell === '' ? 'Which shell?' : `There is no script for "${showName(shell)}".`} Name bash, zsh or fish.`,
    );
  answer(context, { shell, script }, [script]);
  return EXIT.ok;
};

/** Outside a repository there is nothing to refer to. */
async function references(context: Context): Promise<References> {
  try {
    return await context.app().references();
  } catch (error) {
    if (error instanceof Failure) return NO_REFERENCES;
    throw error;
  }
}

/** Each asks this command what the last word can become. Where it knows nothing, the shell completes files. */
const SCRIPTS: { readonly [shell: string]: string } = {
  bash: [
    '# eval "$(cadre completion bash)" in ~/.bashrc',
    '_cadre() {',
    `  local line="\${COMP_LINE:0:$COMP_POINT}"`,
    `  mapfile -t COMPREPLY < <(cadre completion --line "\${line#* }" 2>/dev/null)`,
    '}',
    'complete -o default -F _cadre cadre',
  ].join('\n'),
  zsh: [
    '# eval "$(cadre completion zsh)" in ~/.zshrc, after compinit',
    '_cadre() {',
    '  local -a found',
    `  found=("\${(@f)$(cadre completion --line "\${(Q)\${(j: :)words[2,CURRENT]}}" 2>/dev/null)}")`,
    `  if [[ -n "$found" ]]; then compadd -U -- "\${found[@]}"; else _files; fi`,
    '}',
    'compdef _cadre cadre',
  ].join('\n'),
  fish: [
    '# cadre completion fish > ~/.config/fish/completions/cadre.fish',
    'function __cadre_complete',
    '  set -l words (commandline -opc) (commandline -ct | string unescape)',
    '  set -l found (cadre completion --line "$words[2..]" 2>/dev/null)',
    '  if set -q found[1]; printf "%s\\n" $found; else; __fish_complete_path (commandline -ct); end',
    'end',
    "complete -c cadre -f -a '(__cadre_complete)'",
  ].join('\n'),
};
