import type { Context } from '@loyalty/platform/context';
import type { JourneyDefinition, JourneyNode } from '../definition/journey-definition.ts';
import { versionOf } from '../journeys/journeys.service.ts';

/** A version, with its nodes by id. */
export interface JourneyGraph {
  readonly definition: JourneyDefinition;
  readonly nodes: ReadonlyMap<string, JourneyNode>;
}

const graphs = new WeakMap<JourneyDefinition, JourneyGraph>();

/** @throws AppError JOURNEY_VERSION_NOT_FOUND (404) */
async function graphOf(ctx: Context, journeyId: string, version: number): Promise<JourneyGraph> {
  const { definition } = await versionOf(ctx, journeyId, version);
  const known = graphs.get(definition);
  if (known) return known;
  const graph = { definition, nodes: new Map(definition.nodes.map((node) => [node.id, node])) };
  graphs.set(definition, graph);
  return graph;
}

/** The graphs of these versions, by `versionKey`; those that are not remembered load together. */
export async function graphsOf(
  ctx: Context,
  versions: readonly { readonly journeyId: string; readonly version: number }[],
): Promise<ReadonlyMap<string, JourneyGraph>> {
  const wanted = new Map(versions.map((version) => [versionKey(version), version]));
  const found = [...wanted].map(
    async ([key, { journeyId, version }]) => [key, await graphOf(ctx, journeyId, version)] as const,
  );
  return new Map(await Promise.all(found));
}

export const versionKey = (of: { readonly journeyId: string; readonly version: number }): string =>
  `${of.journeyId} ${of.version}`;
