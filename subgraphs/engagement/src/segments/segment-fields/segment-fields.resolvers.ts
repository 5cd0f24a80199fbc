import type {
  QueryResolvers,
  SegmentFieldResolvers,
  SegmentFieldsResolvers,
  SegmentRecordResolvers,
} from '#generated/schema';
import { listSegmentFields } from './segment-fields.service.ts';

export const Query = {
  segmentFields: (_parent, _args, ctx) => listSegmentFields(ctx),
} satisfies QueryResolvers;

export const SegmentFields = {
  fields: ({ fields }) => [...fields],
  events: ({ events }) => [...events],
  records: ({ records }) => [...records],
} satisfies SegmentFieldsResolvers;

export const SegmentRecord = {
  fields: ({ fields }) => [...fields],
} satisfies SegmentRecordResolvers;

export const SegmentField = {
  operators: ({ operators }) => [...operators],
  options: ({ options }) => options && [...options],
} satisfies SegmentFieldResolvers;
