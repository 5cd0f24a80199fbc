import { connection } from '@loyalty/platform/database/pages';
import type { EnrollmentFormResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  countEnrollments,
  createEnrollmentForm,
  findForm,
  listEnrollmentForms,
  setEnrollmentFormActive,
  urlOfForm,
} from './enrollment-forms.service.ts';

export const Query = {
  enrollmentForms: async (_, args, ctx) => connection(await listEnrollmentForms(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createEnrollmentForm: (_, { input }, ctx) => createEnrollmentForm(ctx, input),
  setEnrollmentFormActive: (_, { id, isActive }, ctx) => setEnrollmentFormActive(ctx, id, isActive),
} satisfies MutationResolvers;

export const EnrollmentForm = {
  __resolveReference: ({ id }, ctx) => findForm(ctx, id),
  store: ({ storeId }) => (storeId ? { id: storeId } : null),
  url: (form, _, ctx) => urlOfForm(ctx, form),
  enrolledCount: async ({ id }, _, ctx) => (await countEnrollments(ctx, id)).enrolled,
  confirmedCount: async ({ id }, _, ctx) => (await countEnrollments(ctx, id)).confirmed,
} satisfies EnrollmentFormResolvers;
