import {
  IssueCouponDocument,
  ListCouponPoolsDocument,
  ListCouponsDocument,
  MemberCouponsDocument,
  RedeemCouponDocument,
  RedeemPointsForCouponDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const couponsRoutes = [
  GET('/api/v2/coupons', ListCouponsDocument),
  GET('/api/v2/coupons/pools', ListCouponPoolsDocument),
  POST('/api/v2/coupons/issue', IssueCouponDocument),
  POST('/api/v2/coupons/:id/redeem', RedeemCouponDocument),
  GET('/api/v2/members/:memberId/coupons', MemberCouponsDocument),
  POST('/api/v2/members/:memberId/redeem-coupon', RedeemPointsForCouponDocument),
];
