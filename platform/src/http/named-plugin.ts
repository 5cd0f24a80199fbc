/**
 * A plugin with its own name as fastify reads it. Without one fastify compares it with every loaded module,
 * which takes half a second of each test file that starts the product.
 */
export const namedPlugin = <P extends (...parameters: never[]) => unknown>(plugin: P): P =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name });
