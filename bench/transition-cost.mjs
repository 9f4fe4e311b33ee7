// What one step costs with few and with many plans, and where the time goes.
import { statSync } from 'node:fs';
import { setImmediate as yieldToSignals } from 'node:timers/promises';
import { median, milliseconds, quantile, ratioLimit } from './report.mjs';
import { gatewayOf, moveOf, submit } from './scratch.mjs';
import { ACCOUNTS, loadTimedProgram, openTimedGateway } from './timed-gateway.mjs';

const FEW = 10;
const MANY = 1000;
const STEPS = 300;
const WARM_UPS = 60;
const MOST = 1.5;

/**
 * plan-state.json holds every plan, so making its text and replacing it must grow with them; nothing else about a step
 * may. Both are timed apart, where the gateway and plan-state.json's own code call for them.
 */
const OF_THE_FILE = ['make plan-state.json', 'replace it'];

export async function measureTransitionCost(scratch) {
  const program = await loadTimedProgram();
  const subjects = [];
  for (const count of [FEW, MANY]) {
    const timed = await scratch.repoWithPlans(`timed-${count}`, count);
    const plain = await scratch.repoWithPlans(`plain-${count}`, count);
    subjects.push({
      count,
      size: statSync(timed.planState).size,
      timed: stepper(timed, openTimedGateway(program, timed)),
      plain: stepper(plain, { gateway: gatewayOf(plain), spentIn: totalOnly }),
      steps: [],
      plainTotals: [],
    });
  }
  await takeSamples(subjects);
  for (const subject of subjects) requireCounted(subject);
  return report(subjects);
}

/** The plain gateway is the built program's own: its total shows that the stopwatch measures the same thing. */
async function totalOnly(work) {
  const started = performance.now();
  await work();
  return new Map([['total', performance.now() - started]]);
}

/** Moves the plan in the middle to and fro, one step a call. */
function stepper({ plans }, { gateway, spentIn }) {
  const plan = plans[Math.floor(plans.length / 2)];
  let event = 'planner_finished';
  return () => {
    event = event === 'planner_finished' ? 'plan_start' : 'planner_finished';
    return spentIn(() => submit(gateway, [moveOf(plan, event)]));
  };
}

async function takeSamples(subjects) {
  for (let step = -WARM_UPS; step < STEPS; step++)
    for (const subject of subjects) {
      const spent = await subject.timed();
      const plain = await subject.plain();
      if (step < 0) continue;
      subject.steps.push(spent);
      subject.plainTotals.push(sum(plain, [...plain.keys()]));
      // A step waits for nothing while nobody else wants the lock; without this Ctrl-C would be heard at the end.
      await yieldToSignals();
    }
}

/** An account that nothing was counted in means that the stopwatch is no longer where the work is done. */
function requireCounted({ steps }) {
  const idle = ACCOUNTS.find((account) => steps.some((spent) => spent.get(account) === undefined));
  if (idle !== undefined) throw new Error(`Nothing was counted as "${idle}": the stopwatch is in the wrong place.`);
}

function report([few, many]) {
  const accountTimes = ({ steps }, accounts) => steps.map((spent) => sum(spent, accounts));
  const apart = ACCOUNTS.filter((account) => !OF_THE_FILE.includes(account));
  const apartFromReplacing = ACCOUNTS.filter((account) => account !== 'replace it');
  const row = (name, one, other) => [
    name,
    milliseconds(median(one)),
    milliseconds(quantile(one, 0.99)),
    milliseconds(median(other)),
    milliseconds(quantile(other, 0.99)),
    `${(median(other) / median(one)).toFixed(2)} x`,
  ];
  const accountRow = (name, accounts) => row(name, accountTimes(few, accounts), accountTimes(many, accounts));
  const ratio = (accounts) => median(accountTimes(many, accounts)) / median(accountTimes(few, accounts));
  return {
    title: `transition-cost: ${STEPS} steps of one plan among ${FEW} and among ${MANY}, in turn`,
    tables: [
      [
        ['where', `${FEW} plans p50`, 'p99', `${MANY} plans p50`, 'p99', 'ratio of p50'],
        ...ACCOUNTS.map((account) => accountRow(account, [account])),
        accountRow('whole step', ACCOUNTS),
        row('whole step, built program', few.plainTotals, many.plainTotals),
        accountRow('apart from replacing', apartFromReplacing),
        accountRow('apart from plan-state.json', apart),
      ],
    ],
    notes: [`plan-state.json has ${few.size} bytes with ${FEW} plans and ${many.size} with ${MANY}.`],
    limits: [ratioLimit(`${MANY} / ${FEW} plans, apart from plan-state.json`, ratio(apart), MOST)],
  };
}

function sum(spent, accounts) {
  return accounts.reduce((total, account) => total + (spent.get(account) ?? 0), 0);
}
