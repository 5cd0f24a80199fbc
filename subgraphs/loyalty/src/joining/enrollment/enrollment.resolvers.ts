import { connection } from '@loyalty/platform/loading/pages';
import type {
  EnrollmentFormResolvers,
  EnrollmentResolvers,
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { confirmEnrollment } from './confirmation.service.ts';
import { enrol, findEnrollment } from './enrollment.service.ts';
import {
  countEnrollments,
  createEnrollmentForm,
  listEnrollmentForms,
  setEnrollmentFormActive,
  urlOfForm,
} from './enrollment-forms.service.ts';
import { formById } from './enrollment-forms.store.ts';
import { findEnrollmentPage } from './enrollment-page.service.ts';

export const Query = {
  enrollmentForms: async (_, args, ctx) => connection(await listEnrollmentForms(ctx, args)),
  enrollmentPage: (_, { token }, ctx) => findEnrollmentPage(ctx, token),
} satisfies QueryResolvers;

export const Mutation = {
  createEnrollmentForm: (_, { input }, ctx) => createEnrollmentForm(ctx, input),
  setEnrollmentFormActive: (_, { id, isActive }, ctx) => setEnrollmentFormActive(ctx, id, isActive),
  enrol: (_, { token, input }, ctx) => enrol(ctx, token, input),
  confirmEnrollment: (_, { token }, ctx) => confirmEnrollment(ctx, token),
} satisfies MutationResolvers;

export const Member = {
  enrollment: ({ id }, _, ctx) => findEnrollment(ctx, id),
} satisfies MemberResolvers;

export const Enrollment = {
  form: async ({ formId }, _, ctx) => (await ctx.load(formById, formId))!,
} satisfies EnrollmentResolvers;

export const EnrollmentForm = {
  __resolveReference: ({ id }, ctx) => ctx.load(formById, id),
  store: ({ storeId }) => (storeId ? { id: storeId } : null),
  url: (form, _, ctx) => urlOfForm(ctx, form),
  enrolledCount: async ({ id }, _, ctx) => (await countEnrollments(ctx, id)).enrolled,
  confirmedCount: async ({ id }, _, ctx) => (await countEnrollments(ctx, id)).confirmed,
} satisfies EnrollmentFormResolvers;
