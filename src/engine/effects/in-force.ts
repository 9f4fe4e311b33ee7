// The settings that effects work by: those that the journal has as in force, whatever the files say by now.
import type { World } from '../../core/model/world.ts';
import type { RunPorts } from './ports.ts';
import type { PromptPorts } from './prompt.ts';

export function inForce<Ports extends Pick<RunPorts, 'settings'> & PromptPorts>(
  runs: Ports,
  { policy }: Pick<World, 'policy'>,
): Ports {
  const { setup, verify, land, taskMerge } = policy;
  // A policy that 0.1.0 recorded has none of them.
  if (setup === undefined || verify === undefined || land === undefined || taskMerge === undefined) return runs;
  const command = verify === null || verify === 'none' || 'prompt' in verify ? null : verify;
  return {
    ...runs,
    settings: { ...runs.settings, setup, verify: verify ?? undefined, land, taskMerge },
    verify: command,
    verifyPrompt: typeof verify === 'object' && verify !== null && 'prompt' in verify ? verify.prompt : '',
  };
}
