import {
  ChangePasswordDocument,
  ForgotPasswordDocument,
  LoginDocument,
  ProfileDocument,
  RegisterDocument,
  ResetPasswordDocument,
  UpdateProfileDocument,
} from '#generated/graphql';
import { GET, PATCH, POST } from '../../table/row.ts';

export const accountsRoutes = [
  POST('/api/v2/auth/register', RegisterDocument, { status: 201 }),
  POST('/api/v2/auth/login', LoginDocument),
  GET('/api/v2/auth/profile', ProfileDocument),
  PATCH('/api/v2/auth/profile', UpdateProfileDocument),
  POST('/api/v2/auth/change-password', ChangePasswordDocument),
  POST('/api/v2/auth/forgot-password', ForgotPasswordDocument),
  POST('/api/v2/auth/reset-password', ResetPasswordDocument),
];
