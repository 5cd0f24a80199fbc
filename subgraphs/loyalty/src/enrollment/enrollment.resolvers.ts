import type {
  EnrollmentResolvers,
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { findForm } from '../enrollment-forms/enrollment-forms.service.ts';
import { confirmEnrollment } from './confirmation.service.ts';
import { enrol, findEnrollment, findEnrollmentPage } from './enrollment.service.ts';

export const Query = {
  enrollmentPage: (_, { token }, ctx) => findEnrollmentPage(ctx, token),
} satisfies QueryResolvers;

export const Mutation = {
  enrol: (_, { token, input }, ctx) => enrol(ctx, token, input),
  confirmEnrollment: (_, { token }, ctx) => confirmEnrollment(ctx, token),
} satisfies MutationResolvers;

export const Member = {
  enrollment: ({ id }, _, ctx) => findEnrollment(ctx, id),
} satisfies MemberResolvers;

export const Enrollment = {
  form: async ({ formId }, _, ctx) => (await findForm(ctx, formId))!,
} satisfies EnrollmentResolvers;
