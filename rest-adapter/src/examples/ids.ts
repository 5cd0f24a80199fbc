/** Ids that the examples share, so that they refer to each other. */
export const storeId = '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11';
export const userId = '0197a3c2-1f00-7a10-8b11-6c7d8e9f0a65';
export const workspaceId = '0197a3c2-1f01-7c22-9d33-4b5a69788776';
export const keyId = '0197a3c2-2f02-7d11-8c21-5a6b7c8d9e0f';
export const memberId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
export const silverId = '0197a3c2-6a44-7e90-b1d3-51c2f8e07b32';
export const goldId = '0197a3c2-6a45-7b18-a2f6-0d9e4c3b8a43';
export const couponPoolId = '0197a3c2-7b10-7c41-8d52-1a2b3c4d5e60';
export const couponId = '0197a3c2-7b11-7d52-9e63-2b3c4d5e6f71';
export const captureId = '0197a3c2-7b12-7e63-af74-3c4d5e6f7082';
export const categoryId = '0197a3c4-2f33-7d43-8b52-7f8a9b0c1d23';
export const brandId = '0197a3c4-3044-7e54-9c63-809b0c1d2e34';
export const importId = '0197a3c2-7b10-7c55-a3e4-1f2d3c4b5a69';
export const bulkJobId = '0197a3c8-1a20-7d10-9b41-3c2d1e0f5a77';
