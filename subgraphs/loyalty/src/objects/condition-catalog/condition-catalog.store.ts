import type { Context } from '@loyalty/platform/context';
import type { ConditionCatalog } from '#generated/schema';

export async function readCatalog(ctx: Context): Promise<ConditionCatalog> {
  const [row] = await ctx.sql.query<ConditionCatalog>(
    `SELECT
       (SELECT coalesce(jsonb_agg(jsonb_build_object('key', f.key, 'label', f.label, 'type', f.type,
                                                     'options', f.options) ORDER BY f.key), '[]')
          FROM loyalty.custom_fields AS f
         WHERE f.workspace_id = $1 AND f.archived_at IS NULL) AS custom_fields,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('type', t.type, 'label', t.label, 'fields', (
                 SELECT coalesce(jsonb_agg(jsonb_build_object('key', f.key, 'label', f.label,
                                   'type', f.type, 'options', f.options) ORDER BY f.position), '[]')
                   FROM loyalty.object_fields AS f
                  WHERE f.workspace_id = t.workspace_id AND f.object_type_id = t.id)) ORDER BY t.type), '[]')
          FROM loyalty.object_types AS t
         WHERE t.workspace_id = $1 AND t.status = 'PUBLISHED') AS object_types,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) ORDER BY t.rank), '[]')
          FROM loyalty.tiers AS t WHERE t.workspace_id = $1) AS tiers,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.name), '[]')
          FROM loyalty.coupon_pools AS p WHERE p.workspace_id = $1 AND p.status <> 'ARCHIVED') AS pools`,
    [ctx.scope.workspaceId],
  );
  return row!;
}
