/** A request and the answer to it, as an integration would send and get them. */
export interface Example {
  /** What the operation does, if the graph's description of its first field does not fit. */
  readonly about?: string;
  /** Absent where the request has no body. */
  readonly body?: unknown;
  readonly reply: unknown;
}

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
export const versionId = '0197a3c8-2b31-7e21-8c52-4d3e2f106b88';
export const alignmentId = '0197a3c8-2b32-7f32-9d63-5e4f30217c99';
export const scheduleId = '0197a3c8-2d53-7b54-9f85-706152439ebb';
export const reportId = '0197a3c8-2c42-7a43-8e74-6f5041328daa';
export const webhookId = '0197a3c9-1a10-7c55-b2d4-3e4f5a6b7c88';
export const automationId = '0197a3c9-1e60-7c87-8f63-8b706352fccc';
export const campaignId = '0197a3c9-1c42-7d11-8b7e-3a9c5d1f6e20';
export const journeyId = '0197a3c9-1d50-7b76-8e52-7a605241ebbb';
export const agentRunId = '0197a3c9-1f70-7d98-8a74-9c817263addd';
export const segmentId = '0197a3c9-1c40-7a65-8d41-6f5e41309daa';
export const templateId = '0197a3c9-1b30-7e21-8a52-4d3e2f107b88';
export const messageId = '0197a3c9-2c41-7f32-9b63-5e4f30218c99';
