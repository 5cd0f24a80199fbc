import { userOf } from '@loyalty/platform/caller/caller';
import { connection } from '@loyalty/platform/loading/pages';
import type {
  JourneyResolvers,
  JourneyVersionResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { journeySchema } from '../definition/definition-shape.ts';
import { createJourney, deleteJourney, duplicateJourney, updateJourney } from './edit-journey.service.ts';
import {
  findJourney,
  isDraftChanged,
  listJourneys,
  listJourneyVersions,
  versionOf,
} from './journeys.service.ts';

export const Query = {
  journeys: async (_, args, ctx) => connection(await listJourneys(ctx, args)),
  journey: (_, { id }, ctx) => findJourney(ctx, id),
  journeySchema: () => ({ ...journeySchema }),
} satisfies QueryResolvers;

export const Mutation = {
  createJourney: (_, { input }, ctx) => createJourney(ctx, input),
  updateJourney: (_, { id, input }, ctx) => updateJourney(ctx, id, input),
  duplicateJourney: (_, { id, name }, ctx) => duplicateJourney(ctx, id, name),
  deleteJourney: (_, { id }, ctx) => deleteJourney(ctx, id),
} satisfies MutationResolvers;

export const Journey = {
  __resolveReference: ({ id }, ctx) => findJourney(ctx, id),
  isDraftChanged: (journey, _, ctx) => isDraftChanged(ctx, journey),
  version: ({ id, version }, _, ctx) => (version === null ? null : versionOf(ctx, id, version)),
  versions: async (journey, args, ctx) => connection(await listJourneyVersions(ctx, journey, args)),
  createdBy: ({ actor }) => userOf(actor),
} satisfies JourneyResolvers;

export const JourneyVersion = {
  createdBy: ({ actor }) => userOf(actor),
} satisfies JourneyVersionResolvers;
