export { Item } from './item.entity.ts';
