import { GraphQLError, Kind, type ValueNode } from 'graphql';
import type { QueryResolvers, ReceiptResolvers } from '#generated/schema';
import { findImage, imageUrlOf } from './receipt-images.service.ts';

export const Query = {
  receiptImage: (_, { id }, ctx) => findImage(ctx, id),
} satisfies QueryResolvers;

export const Receipt = {
  imageUrl: ({ id }, _, ctx) => imageUrlOf(ctx, id),
} satisfies ReceiptResolvers;

const read = (value: unknown): string => {
  if (typeof value !== 'string') throw new GraphQLError('Base64 must be text.');
  return value;
};

export const Base64 = {
  serialize: String,
  parseValue: read,
  parseLiteral: (node: ValueNode) => read(node.kind === Kind.STRING ? node.value : null),
};
