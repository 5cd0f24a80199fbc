import { ListCapturesDocument, MemberReceiptsDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const receiptsRoutes = [GET('/api/v2/members/:memberId/receipts', MemberReceiptsDocument)];

export const capturesRoutes = [GET('/api/v2/captures', ListCapturesDocument)];
