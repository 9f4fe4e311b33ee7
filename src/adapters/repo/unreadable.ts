// What git cannot read because somebody damaged it: the configuration, HEAD, or what they name.
import { Failure } from '../../core/model/failure.ts';
import { oneLine } from '../../text/one-line.ts';
import { showText } from '../../text/show.ts';

export function gitCannotRead(path: string, stderr: string): Failure {
  const why = oneLine(stderr).replace(/\.$/, '');
  return new Failure('person', 'git-failed', `git cannot read ${showText(path)}: ${why}. Repair it, then try again.`);
}
