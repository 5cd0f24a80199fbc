import type { PlanNode } from '@apollo/query-planner';
import type { PlanStep } from '../run/plan-run.ts';
import { compileFetch, type FetchSettings } from './fetch.ts';
import type { PlanPath } from './plan-path.ts';

/** Compiles a node of a query plan to a step. */
export function compilePlan(node: PlanNode, settings: FetchSettings, path: PlanPath = []): PlanStep {
  switch (node.kind) {
    case 'Fetch':
      return compileFetch(node, path, settings);
    case 'Flatten':
      return compilePlan(node.node, settings, [...path, ...node.path]);
    case 'Sequence':
      return inSequence(node.nodes.map((each) => compilePlan(each, settings, path)));
    case 'Parallel':
      return inParallel(node.nodes.map((each) => compilePlan(each, settings, path)));
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      const whenTrue = ifClause && compilePlan(ifClause, settings, path);
      const whenFalse = elseClause && compilePlan(elseClause, settings, path);
      return async (run) => (run.conditions[condition] === true ? whenTrue : whenFalse)?.(run);
    }
    case 'Defer':
      throw new Error('@defer is not part of this graph.');
  }
}

function inSequence(steps: readonly PlanStep[]): PlanStep {
  return async (run) => {
    for (const step of steps) await step(run);
  };
}

function inParallel(steps: readonly PlanStep[]): PlanStep {
  return async (run) => {
    await Promise.all(steps.map((step) => step(run)));
  };
}
