// A process that moves plans back and forth, and prints how far the journal has come, until it is killed.
import { writeSync } from 'node:fs';
import { gatewayOf, moveOf, submit } from './scratch.mjs';

const STEPS_A_COMMIT = 50;

const gateway = gatewayOf({ root: process.cwd(), env: process.env });
const plans = [...(await gateway.look()).plans.keys()];

for (let from = 0, event = 'plan_start'; ; from += STEPS_A_COMMIT) {
  if (from >= plans.length) [from, event] = [0, event === 'plan_start' ? 'planner_finished' : 'plan_start'];
  await submit(
    gateway,
    plans.slice(from, from + STEPS_A_COMMIT).map((plan) => moveOf(plan, event)),
  );
  writeSync(1, `${(await gateway.look()).seq}\n`);
}
