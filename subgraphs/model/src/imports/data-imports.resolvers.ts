import { replaysItself } from '@loyalty/platform/identity/idempotency';
import { GraphQLError, Kind, type ValueNode } from 'graphql';
import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  activateDataTraining,
  confirmDataImport,
  getDataImports,
  previewDataImport,
} from './data-imports.service.ts';

export const Query = {
  dataImports: (_, __, ctx) => getDataImports(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  previewDataImport: replaysItself((_, { input }, ctx) => previewDataImport(ctx, input)),
  // A missing token has the same answer as a token that matches no preview.
  confirmDataImport: replaysItself((_, { input, token }, ctx) => confirmDataImport(ctx, input, token ?? '')),
  activateDataTraining: (_, { activate }, ctx) => activateDataTraining(ctx, activate),
} satisfies MutationResolvers;

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new GraphQLError('FileText must be text.');
  return value;
};

export const FileText = {
  serialize: String,
  parseValue: text,
  parseLiteral: (node: ValueNode) => text(node.kind === Kind.STRING ? node.value : null),
};
