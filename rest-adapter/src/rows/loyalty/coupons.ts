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
  GET('/api/v2/coupons', ListCouponsDocument, { tool: { name: 'coupons_list' } }),
  GET('/api/v2/coupons/pools', ListCouponPoolsDocument, { tool: { name: 'coupon_pools_list' } }),
  POST('/api/v2/coupons/issue', IssueCouponDocument, { tool: { name: 'coupon_issue' } }),
  POST('/api/v2/coupons/:id/redeem', RedeemCouponDocument, {
    tool: { name: 'coupon_redeem', isDestructive: true },
  }),
  GET('/api/v2/members/:memberId/coupons', MemberCouponsDocument, { tool: { name: 'member_coupons_list' } }),
  POST('/api/v2/members/:memberId/redeem-coupon', RedeemPointsForCouponDocument, {
    tool: { name: 'coupon_buy' },
  }),
];
