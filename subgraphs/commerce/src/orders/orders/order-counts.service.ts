import { countOrders } from './order-counts.store.ts';

export { countOrders };
